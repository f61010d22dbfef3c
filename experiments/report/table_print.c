/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table as text: counters that find no room in a line follow below, in
 * parts of as many as do. */
#include <string.h>

#include "experiments/report/survey.h"
#include "experiments/report/table.h"

static void print_cell(FILE *out, const struct table_column *column,
                       const char *text, size_t width, bool last) {
  if (!column->left)
    fprintf(out, "%*s", (int)width, text);
  else
    fprintf(out, "%-*s", last ? 0 : (int)width, text);
  fputs(last ? "\n" : "  ", out);
}

static size_t column_width(const struct table_column *column,
                           const struct summary *rows, size_t count) {
  char text[TABLE_CELL_SIZE];
  size_t width = strlen(column->head);
  if (strlen(column->unit) > width) width = strlen(column->unit);
  for (size_t i = 0; i < count; i++) {
    table_cell(column, &rows[i], text);
    if (strlen(text) > width) width = strlen(text);
  }
  return width;
}

/* The columns of a table, and which of them stand side by side. */
struct layout {
  struct table_column columns[TABLE_COLUMNS_MAX];
  size_t width[TABLE_COLUMNS_MAX], made;
  size_t shown[TABLE_COLUMNS_MAX], count;
};

static void print_heads(FILE *out, const struct layout *table, bool units) {
  for (size_t i = 0; i < table->count; i++) {
    const struct table_column *column = &table->columns[table->shown[i]];
    print_cell(out, column, units ? column->unit : column->head,
               table->width[table->shown[i]], i + 1 == table->count);
  }
}

static void print_shown(FILE *out, const struct layout *table,
                        const struct summary *rows, size_t count) {
  print_heads(out, table, false);
  print_heads(out, table, true);
  for (size_t i = 0; i < count; i++) {
    char text[TABLE_CELL_SIZE];
    if (i && !survey_same_program(&rows[i], &rows[i - 1])) fputc('\n', out);
    for (size_t j = 0; j < table->count; j++) {
      size_t at = table->shown[j];
      table_cell(&table->columns[at], &rows[i], text);
      print_cell(out, &table->columns[at], text, table->width[at],
                 j + 1 == table->count);
    }
  }
}

/* The next columns from `from` on, behind those that lead, as many as there is
 * room for: one at least, and first all but counters.  Where the next part
 * begins. */
static size_t fill_part(struct layout *table, size_t from) {
  size_t used = 0, at = from;
  table->count = 0;
  for (size_t i = 0; i < from; i++)
    if (table->columns[i].leads) {
      table->shown[table->count++] = i;
      used += table->width[i] + 2;
    }
  for (; at < table->made; at++) {
    bool stays = !from && !table->columns[at].counter;
    used += table->width[at] + 2;
    if (used > TABLE_WIDTH_MOST + 2 && at > from && !stays) break;
    table->shown[table->count++] = at;
  }
  return at;
}

void table_print(FILE *out, const struct summary *rows, size_t count) {
  struct layout table;
  table.made = table_columns(rows, count, table.columns);
  for (size_t i = 0; i < table.made; i++)
    table.width[i] = column_width(&table.columns[i], rows, count);
  for (size_t at = 0; at < table.made;) {
    if (at) fputc('\n', out);
    at = fill_part(&table, at);
    print_shown(out, &table, rows, count);
  }
  char note[TABLE_NOTE_SIZE];
  if (table_simulated_note(rows, count, note)) fprintf(out, "%s\n", note);
  for (size_t i = 0; i < count; i++) {
    if (table_note(&rows[i], note)) fprintf(out, "* %s\n", note);
  }
}
