/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/text_table.h -- tables of text in columns.
 *
 *   struct text_table table = {.out = stdout, .gap = 2};
 *   text_columns(&table, "-8 pages\t10 time\nns\t10 misses");
 *   for (...) {
 *     text_cell(&table, "%s", name);
 *     text_cell_if(&table, isfinite(ns), "%.2f", ns);
 *     text_row(&table, "%.0f", misses);
 *   }
 *   text_table_end(&table);
 *
 * Widths are in characters.  Rows are printed as they end; where a table fits
 * its content, all of it is printed at its end.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TEXT_HEAD_LINES = 3 };

struct text_table {
  FILE *out;
  int gap, indent; /* spaces before a column, before the first */
  bool fits;       /* columns are as wide as their widest cell */

  struct text_column {
    char *head[TEXT_HEAD_LINES];
    int gap, width;
    bool left, hidden;
  } * columns;
  size_t column_count;
  char **cells; /* of rows that are not printed; NULL ends a row */
  size_t cell_count, row_start;
  int head_lines;
  bool headed;
};

/* Add columns, "WIDTH HEAD" each, '\t' between two: at least as wide as the
 * head and as WIDTH; below 0: its text is on the left.  In a head '\n' begins
 * the next line.  Columns that are added later may have another `gap`. */
#define text_columns(table, ...) text_add((table), TEXT_COLUMNS, __VA_ARGS__)

/* The next cell of a row.  What is wider than its column is printed whole. */
#define text_cell(table, ...) text_add((table), TEXT_CELL, __VA_ARGS__)
/* "-" where there is nothing to print. */
#define text_cell_if(table, present, ...) \
  ((present) ? text_cell((table), __VA_ARGS__) : text_cell((table), "-"))
/* Cells with '\t' between two, so that none may have one in its text. */
#define text_cells(table, ...) text_add((table), TEXT_CELLS, __VA_ARGS__)

/* A row may have fewer cells than there are columns.  The last is not padded on
 * its right. */
void text_row_end(struct text_table *table);
/* The same with its last cells before. */
#define text_row(table, ...) \
  (text_cells((table), __VA_ARGS__), text_row_end(table))

enum text_part { TEXT_COLUMNS, TEXT_CELL, TEXT_CELLS };
void text_add(struct text_table *table, enum text_part part, const char *format,
              ...) __attribute__((format(printf, 3, 4)));

/* Print the heads, now and not with the first row; again, if they were. */
void text_table_heads(struct text_table *table);

/* Print the heads and the rows there are, without columns that are hidden: a
 * table that fits its content can so be printed in parts. */
void text_table_print(struct text_table *table);

/* Print what is not yet printed, or the last part; then release all. */
void text_table_end(struct text_table *table);
