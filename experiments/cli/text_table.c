/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/text_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/utf8.h"

static void widen(struct text_column *column, const char *text) {
  int width = utf8_width(text);
  if (width > column->width) column->width = width;
}

/* "-8 pages", "10 time\nns" */
static void add_column(struct text_table *table, char *head) {
  bool first = !table->column_count;
  long width = strtol(head, &head, 10);
  struct text_column *column = ARRAY_ADD(table->columns, table->column_count);
  *column = (struct text_column){.gap = first ? table->indent : table->gap,
                                 .width = (int)labs(width),
                                 .left = width < 0};
  if (*head == ' ') head++;
  for (int i = 0; i < TEXT_HEAD_LINES; i++) {
    column->head[i] = memory_text(head ? strsep(&head, "\n") : "");
    if (*column->head[i] && i >= table->head_lines) table->head_lines = i + 1;
    widen(column, column->head[i]);
  }
}

static void add_cell(struct text_table *table, char *text) {
  if (table->fits)
    widen(&table->columns[table->cell_count - table->row_start], text);
  *ARRAY_ADD(table->cells, table->cell_count) = memory_text(text);
}

void text_add(struct text_table *table, enum text_part part, const char *format,
              ...) {
  va_list args;
  va_start(args, format);
  char *text = memory_format_list(format, args), *rest = text;
  va_end(args);
  while (rest && part == TEXT_COLUMNS) add_column(table, strsep(&rest, "\t"));
  while (rest && part == TEXT_CELLS) add_cell(table, strsep(&rest, "\t"));
  if (rest) add_cell(table, rest);
  free(text);
}

/* A line of cells, or of heads where they are NULL. */
static void print_line(const struct text_table *table, char *const *cells,
                       int line, size_t count) {
  while (count && table->columns[count - 1].hidden) count--;
  for (size_t i = 0; i < count; i++) {
    const struct text_column *column = &table->columns[i];
    const char *text = cells ? cells[i] : column->head[line];
    int room = column->width - utf8_width(text);
    if (column->hidden) continue;
    if (room < 0 || (column->left && i + 1 == count)) room = 0;
    fprintf(table->out, "%*s%s%*s", column->gap + (column->left ? 0 : room), "",
            text, column->left ? room : 0, "");
  }
  fputc('\n', table->out);
}

void text_table_heads(struct text_table *table) {
  for (int i = 0; i < table->head_lines; i++)
    print_line(table, NULL, i, table->column_count);
  table->headed = true;
}

void text_table_print(struct text_table *table) {
  if (table->fits || !table->headed) text_table_heads(table);
  for (size_t i = 0, end; i < table->cell_count; i = end + 1) {
    for (end = i; table->cells[end];) end++;
    print_line(table, &table->cells[i], 0, end - i);
  }
}

static void clear(struct text_table *table) {
  while (table->cell_count) free(table->cells[--table->cell_count]);
  table->row_start = 0;
}

void text_row_end(struct text_table *table) {
  *ARRAY_ADD(table->cells, table->cell_count) = NULL;
  table->row_start = table->cell_count;
  if (table->fits) return;
  text_table_print(table);
  clear(table);
}

void text_table_end(struct text_table *table) {
  text_table_print(table);
  clear(table);
  for (size_t i = 0; i < table->column_count; i++)
    for (int j = 0; j < TEXT_HEAD_LINES; j++) free(table->columns[i].head[j]);
  free(table->columns);
  free(table->cells);
}
