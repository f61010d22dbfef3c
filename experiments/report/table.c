/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/table.h"

#include <math.h>
#include <string.h>

#include "experiments/cli/human.h"
#include "experiments/cli/text_table.h"
#include "experiments/device/device.h"
#include "experiments/report/survey.h"
#include "huge_pages/size_text.h"

#define CELL(name) \
  static void name(const struct summary *row, char text[TABLE_CELL_SIZE])

CELL(cell_program) { survey_label(row, text); }

CELL(cell_n) {
  snprintf(text, TABLE_CELL_SIZE, "%llu", (unsigned long long)row->n);
}

CELL(cell_memory) { hp_size_text(survey_bytes(row), text); }

/* A star leads to the note that says what was left out. */
CELL(cell_pages) {
  snprintf(text, TABLE_CELL_SIZE, "%s%s", row->pages,
           row->rejected || row->failed ? "*" : "");
}

CELL(cell_reps) { snprintf(text, TABLE_CELL_SIZE, "%zu", row->reps); }

CELL(cell_min) { human_number(row->ns_per_op_min, text); }

CELL(cell_median) { human_number(row->ns_per_op_median, text); }

CELL(cell_ratio) {
  strcpy(text, "-");
  if (!isnan(row->ratio_to_4k))
    snprintf(text, TABLE_CELL_SIZE, "%.2f", row->ratio_to_4k);
}

CELL(cell_interval) {
  strcpy(text, "-");
  if (!isnan(row->ratio_lo)) human_interval(row->ratio_lo, row->ratio_hi, text);
}

/* Per operation as counters are, but simulated. */
CELL(cell_simulated) { human_number(survey_simulated(row), text); }

static const struct table_column fixed[] = {
    {.head = "algorithm",
     .unit = "",
     .cell = cell_program,
     .left = true,
     .leads = true},
    {.head = "n", .unit = "", .cell = cell_n, .leads = true},
    {.head = "memory", .unit = "", .cell = cell_memory},
    {.head = "pages",
     .unit = "granted",
     .cell = cell_pages,
     .left = true,
     .leads = true},
    {.head = "reps", .unit = "", .cell = cell_reps},
    {.head = "min", .unit = "ns/op", .cell = cell_min},
    {.head = "median", .unit = "ns/op", .cell = cell_median},
    {.head = "time", .unit = "/ 4k", .cell = cell_ratio},
    {.head = "95 %", .unit = "interval", .cell = cell_interval},
};
enum { FIXED = sizeof fixed / sizeof *fixed };
_Static_assert(FIXED + COUNTERS_MAX + 1 == TABLE_COLUMNS_MAX, "columns");

/* The first row's record that has one; all of a file are of one TC. */
static const struct simulated *any_simulated(const struct summary *rows,
                                             size_t count) {
  for (size_t i = 0; i < count; i++)
    if (rows[i].simulated) return rows[i].simulated;
  return NULL;
}

/* Is it what the algorithm counts of itself: vertices, iterations?  That is no
 * cost of operations, and the same on all devices. */
static bool is_count(const struct summary *row, const char *name) {
  const struct algo *algo = NULL;
  for (size_t d = 0; d < DEVICES && !algo; d++)
    algo = device_algo(&devices[d], row->algo);
  for (size_t i = 0; algo && algo->counts && algo->counts[i]; i++)
    if (!strcmp(algo->counts[i], name)) return true;
  return false;
}

/* A counter may be called as a column that is always there is: pages that were
 * touched are not those that were granted. */
static bool is_fixed(const char *name) {
  for (size_t i = 0; i < FIXED; i++)
    if (!strcmp(fixed[i].head, name)) return true;
  return false;
}

static const char *unit_of(const char *counter, bool whole) {
  if (is_fixed(counter)) return whole ? "counted" : "counted/op";
  return whole ? "" : "per op";
}

static bool has_counter(const struct table_column *columns, size_t count,
                        const char *name) {
  for (size_t i = FIXED; i < count; i++)
    if (!strcmp(columns[i].counter, name)) return true;
  return false;
}

size_t table_columns(const struct summary *rows, size_t count,
                     struct table_column columns[TABLE_COLUMNS_MAX]) {
  size_t made = FIXED;
  memcpy(columns, fixed, sizeof fixed);
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < rows[i].counters; j++) {
      const struct sample_counter *counter = &rows[i].counter[j];
      if (!counter->present || made == FIXED + COUNTERS_MAX ||
          has_counter(columns, made, counter->name))
        continue;
      bool whole = is_count(&rows[i], counter->name);
      columns[made++] =
          (struct table_column){.head = counter->name,
                                .unit = unit_of(counter->name, whole),
                                .counter = counter->name,
                                .whole = whole};
    }
  }
  if (any_simulated(rows, count))
    columns[made++] = (struct table_column){
        .head = "sim misses", .unit = "per op", .cell = cell_simulated};
  return made;
}

void table_cell(const struct table_column *column, const struct summary *row,
                char text[TABLE_CELL_SIZE]) {
  if (column->cell) {
    column->cell(row, text);
    return;
  }
  double value = NAN;
  for (size_t i = 0; i < row->counters; i++)
    if (row->counter[i].present &&
        !strcmp(row->counter[i].name, column->counter))
      value = (double)row->counter[i].value;
  if (column->whole && !isnan(value))
    snprintf(text, TABLE_CELL_SIZE, "%.0f", value);
  else
    human_number(value / row->ram_ops, text);
}

static const char *granted_text(const struct summary *row, char *text,
                                size_t size) {
  size_t at = 0;
  for (size_t i = 0; i < row->granted->sizes && at < size; i++) {
    char bytes[HUMAN_SIZE], name[HP_NAME_SIZE];
    int put = snprintf(text + at, size - at, "%s%s on %s", i ? ", " : "",
                       hp_size_text(row->granted->by[i].bytes, bytes),
                       hp_page_name(row->granted->by[i].page_bytes, name));
    at += put > 0 ? (size_t)put : 0;
  }
  if (!at)
    snprintf(text, size, "no memory");
  else if (row->granted->missing && at < size)
    snprintf(text + at, size - at, ", the rest not backed");
  return text;
}

bool table_note(const struct summary *row, char note[TABLE_NOTE_SIZE]) {
  char granted[120];
  int used =
      snprintf(note, TABLE_NOTE_SIZE, "%s, n %llu on %s: ", SURVEY_LABEL(row),
               (unsigned long long)row->n, row->pages);
  size_t room = TABLE_NOTE_SIZE - (size_t)used;
  if (row->reps || row->failed)
    snprintf(note + used, room, "%zu of %zu repetitions left out: %s",
             row->failed ? row->failed : row->rejected,
             row->reps + row->rejected + row->failed,
             row->failed ? "wrong answer" : "backed by other pages");
  else
    snprintf(note + used, room, "left out: %s was granted instead",
             granted_text(row, granted, sizeof granted));
  return row->rejected || row->failed;
}

bool table_simulated_note(const struct summary *rows, size_t count,
                          char note[TABLE_NOTE_SIZE]) {
  const struct simulated *s = any_simulated(rows, count);
  if (!s) return false;
  snprintf(note, TABLE_NOTE_SIZE,
           "sim misses: nodes of the page table that a translation cache of "
           "%llu nodes misses (%s); simulated, not measured",
           (unsigned long long)s->tc_nodes, s->policy);
  return true;
}

/* The rows of each program stand together. */
static void add_rows(struct text_table *table,
                     const struct table_column *columns,
                     const struct summary *rows, size_t count) {
  char text[TABLE_CELL_SIZE];
  for (size_t i = 0; i < count; i++) {
    if (i && !survey_same_program(&rows[i], &rows[i - 1])) text_row_end(table);
    for (size_t j = 0; j < table->column_count; j++) {
      table_cell(&columns[j], &rows[i], text);
      text_cell(table, "%s", text);
    }
    text_row_end(table);
  }
}

/* Show the next columns from `from` on, behind those that lead, as many as
 * there is room for: one at least, and first all but counters.  Where the next
 * part begins. */
static size_t fill_part(struct text_table *table,
                        const struct table_column *columns, size_t from) {
  size_t used = 0, at = from;
  for (size_t i = 0; i < table->column_count; i++) {
    table->columns[i].hidden = i >= from || !columns[i].leads;
    if (!table->columns[i].hidden) used += (size_t)table->columns[i].width + 2;
  }
  for (; at < table->column_count; at++) {
    bool stays = !from && !columns[at].counter;
    used += (size_t)table->columns[at].width + 2;
    if (used > TABLE_WIDTH_MOST + 2 && at > from && !stays) break;
    table->columns[at].hidden = false;
  }
  return at;
}

/* As text: counters that find no room in a line follow below, in parts of as
 * many as do. */
void table_print(FILE *out, const struct summary *rows, size_t count) {
  struct table_column columns[TABLE_COLUMNS_MAX];
  struct text_table table = {.out = out, .gap = 2, .fits = true};
  size_t made = table_columns(rows, count, columns), at;
  for (size_t i = 0; i < made; i++)
    text_columns(&table, "%d %s\n%s", columns[i].left ? -1 : 1, columns[i].head,
                 columns[i].unit);
  add_rows(&table, columns, rows, count);
  for (at = fill_part(&table, columns, 0); at < made;
       at = fill_part(&table, columns, at)) {
    text_table_print(&table);
    fputc('\n', out);
  }
  text_table_end(&table);
  char note[TABLE_NOTE_SIZE];
  if (table_simulated_note(rows, count, note)) fprintf(out, "%s\n", note);
  for (size_t i = 0; i < count; i++)
    if (table_note(&rows[i], note)) fprintf(out, "* %s\n", note);
}
