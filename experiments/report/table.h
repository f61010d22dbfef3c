/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/table.h -- summary rows as a table of text cells.
 *
 * The columns are one list for the terminal and for the report: a header of
 * two lines (what, unit) and a cell per row.  Counters follow the fixed
 * columns, one each where any row has it, per RAM operation but for what an
 * algorithm counts of itself; last the misses that were simulated, where any
 * were.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "experiments/results/summary.h"

enum { TABLE_CELL_SIZE = 192, TABLE_COLUMNS_MAX = 10 + COUNTERS_MAX };

struct table_column {
  const char *head, *unit; /* header lines; unit may be "" */
  /* Fills the cell; NULL for counters. */
  void (*cell)(const struct summary *row, char text[TABLE_CELL_SIZE]);
  bool left;           /* aligned left: text */
  bool leads;          /* says which row it is, in each part of a table */
  const char *counter; /* name of the counter it shows, or NULL */
  bool whole;          /* not per operation */
};

/* The columns that `rows` need; returns how many. */
size_t table_columns(const struct summary *rows, size_t count,
                     struct table_column columns[TABLE_COLUMNS_MAX]);
void table_cell(const struct table_column *column, const struct summary *row,
                char text[TABLE_CELL_SIZE]);

/* Why samples of the row were left out, as a sentence; false: none were. */
enum { TABLE_NOTE_SIZE = 400 };
bool table_note(const struct summary *row, char note[TABLE_NOTE_SIZE]);

/* What the simulated column is, as a sentence; false: there is none. */
bool table_simulated_note(const struct summary *rows, size_t count,
                          char note[TABLE_NOTE_SIZE]);

/* The whole table, notes below it; counters that would make it wider stand in
 * further tables below. */
enum { TABLE_WIDTH_MOST = 120 };
void table_print(FILE *out, const struct summary *rows, size_t count);
