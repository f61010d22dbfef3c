/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/survey.h -- summary rows found by program, size and pages.
 *
 * A program is an algorithm on a device, on one kind of input.  Programs come
 * in the order of the rows, tuned ones right behind those that they are tuned
 * versions of; page kinds base pages first, then by size.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiments/cli/human.h"
#include "experiments/results/summary.h"

struct survey {
  const struct summary *rows, *end; /* of the rows, as summaries_make() sorts */
  size_t count;
  const struct summary **programs; /* first row of each program */
  size_t program_count;
  const char **kinds;
  size_t kind_count;
  const json_t *record; /* of the machine; NULL: unknown */
  /* What was simulated of the programs; NULL: nothing. */
  const struct tc_curves *curves;
  /* Their times as straight pieces; NULL: not found. */
  const struct pieces *pieces;
  /* Of the machine, and what the models say of the rows; NULL: not there. */
  const struct calibration *calibration;
  const struct validation *validation;
  /* All that are given; NULL-ended, or NULL. */
  const struct calibration *const *calibrations;
  /* That of another results file, which has what was counted where this one has
   * what was measured on a GPU, or the reverse; NULL: none. */
  const struct survey *beside;
  /* NULL-ended: those of all results files; NULL: it is the only one. */
  const struct survey *const *all;
};

/* `rows` must outlive the survey. */
void survey_init(struct survey *survey, const struct summary *rows,
                 size_t count);
void survey_fini(struct survey *survey);

/* The index-th of all results files, NULL past the end. */
const struct survey *survey_at(const struct survey *survey, size_t index);

/* Are its times those of a machine?  What an emulator takes tells nothing of
 * one: its rows are for their counts. */
bool survey_is_timed(const struct summary *row);

/* Is it of the CPU's program on its usual input?  Has it a time to be drawn, or
 * a ratio, being on larger pages?  False for NULL. */
bool survey_is_usual(const struct summary *row, const char *algo);
bool survey_has_time(const struct summary *row);
bool survey_has_ratio(const struct summary *row);

/* The least of the repetitions: nanoseconds an operation, milliseconds a run.
 */
double survey_ns(const struct summary *row);
double survey_ms(const struct summary *row);
/* Misses an operation of what was simulated; NAN: nothing was. */
double survey_simulated(const struct summary *row);

/* Has it any program on the device?  False for NULL. */
bool survey_has_device(const struct survey *survey, const char *device);

bool survey_same_program(const struct summary *a, const struct summary *b);

/* The program of the thesis that it is a tuned version of (struct algo.tunes),
 * on the same input; NULL: it is none, or that was not measured. */
const struct summary *survey_tuned_of(const struct survey *survey,
                                      const struct summary *program);

/* The program's place in the table of algorithms, by which it is coloured in
 * every report; that of the tuned version, where there is one.  The others
 * follow, in the order of the rows. */
size_t survey_place(const struct survey *survey, size_t program);

/* What follows is of the program of a row, which may be another survey's. */

/* The next larger size after `n` (0: its smallest); 0 at the end, or where it
 * was not measured. */
uint64_t survey_next_size(const struct survey *survey,
                          const struct summary *program, uint64_t n);

/* The size conclusions are drawn from: the largest with a ratio, or else the
 * largest with a sample that counts, or else the largest. */
uint64_t survey_telling_size(const struct survey *survey,
                             const struct summary *program);

/* On base pages where `kind` is NULL.  NULL where it was not measured. */
const struct summary *survey_row(const struct survey *survey,
                                 const struct summary *program, uint64_t n,
                                 const char *kind);

/* The row's program, for labels: "heapsort", "heapsort on cuda", "heapsort,
 * sorted", "heapsort of keys.txt", "list_ranking_nodes, arena". */
enum { SURVEY_LABEL_SIZE = 192 };
const char *survey_label(const struct summary *row,
                         char label[SURVEY_LABEL_SIZE]);
/* The same as long as the block around it. */
#define SURVEY_LABEL(row) survey_label((row), (char[SURVEY_LABEL_SIZE]){""})

/* Bytes the program works on: what the algorithm says, where this vat knows
 * it, or else what was granted. */
size_t survey_bytes(const struct summary *row);
