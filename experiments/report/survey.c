/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/survey.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/algo.h"
#include "experiments/cli/memory.h"
#include "experiments/results/sample.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/size_text.h"

static bool same_algo(const struct summary *a, const struct summary *b) {
  return !strcmp(a->algo, b->algo) && !strcmp(a->device, b->device);
}

const struct survey *survey_at(const struct survey *survey, size_t index) {
  if (survey->all) return survey->all[index];
  return index ? NULL : survey;
}

bool survey_is_timed(const struct summary *row) {
  return strcmp(row->device, "emu") != 0;
}

bool survey_is_usual(const struct summary *row, const char *algo) {
  return row && !strcmp(row->algo, algo) && !strcmp(row->device, "cpu") &&
         !*row->variant->generator && !*row->variant->file;
}

bool survey_has_time(const struct summary *row) {
  return row && row->n && row->reps && isfinite(row->ns_per_op_min) &&
         survey_is_timed(row);
}

bool survey_has_ratio(const struct summary *row) {
  return row && row->n && !row->base && isfinite(row->ratio_to_4k) &&
         survey_is_timed(row);
}

double survey_ns(const struct summary *row) { return row->ns_per_op_min; }

double survey_ms(const struct summary *row) {
  return row->ns_per_op_min * row->ram_ops / 1e6;
}

double survey_simulated(const struct summary *row) {
  return row->simulated ? (double)row->simulated->misses / row->ram_ops : NAN;
}

bool survey_has_device(const struct survey *survey, const char *device) {
  for (size_t i = 0; survey && i < survey->program_count; i++)
    if (!strcmp(survey->programs[i]->device, device)) return true;
  return false;
}

bool survey_same_program(const struct summary *a, const struct summary *b) {
  return same_algo(a, b) && !sample_variant_compare(a->variant, b->variant);
}

static void add_program(struct survey *survey, const struct summary *row) {
  for (size_t i = 0; i < survey->program_count; i++)
    if (survey_same_program(survey->programs[i], row)) return;
  survey->programs[survey->program_count++] = row;
}

/* Kinds with a name right before the one that is named by their usual size. */
static size_t kind_order(const char *kind) {
  return hp_kind_usual_bytes(kind) - !hp_page_bytes(kind);
}

static void add_kind(struct survey *survey, const char *kind) {
  for (size_t i = 0; i < survey->kind_count; i++)
    if (!strcmp(survey->kinds[i], kind)) return;
  size_t at = survey->kind_count++;
  for (; at && kind_order(survey->kinds[at - 1]) > kind_order(kind); at--)
    survey->kinds[at] = survey->kinds[at - 1];
  survey->kinds[at] = kind;
}

static const char *tuned_name(const struct summary *program) {
  const struct algo *algo = cpu_algo_find(program->algo);
  return algo && !strcmp(algo->device, program->device) ? algo->tunes : NULL;
}

const struct summary *survey_tuned_of(const struct survey *survey,
                                      const struct summary *program) {
  struct summary plain = *program;
  plain.algo = tuned_name(program);
  for (size_t i = 0; plain.algo && i < survey->program_count; i++)
    if (survey_same_program(survey->programs[i], &plain))
      return survey->programs[i];
  return NULL;
}

/* Each program of the thesis, and behind it what is tuned of it. */
static void put_beside(struct survey *survey) {
  size_t count = survey->program_count, put = 0;
  const struct summary **ordered = memory_zeroed(count + 1, sizeof *ordered);
  for (size_t i = 0; i < count; i++) {
    const struct summary *program = survey->programs[i];
    if (survey_tuned_of(survey, program)) continue;
    ordered[put++] = program;
    for (size_t k = 0; k < count; k++)
      if (survey_tuned_of(survey, survey->programs[k]) == program)
        ordered[put++] = survey->programs[k];
  }
  free(survey->programs);
  survey->programs = ordered;
}

void survey_init(struct survey *survey, const struct summary *rows,
                 size_t count) {
  *survey = (struct survey){.rows = rows, .end = rows + count, .count = count};
  survey->programs = memory_zeroed(count + 1, sizeof *survey->programs);
  survey->kinds = memory_zeroed(count + 1, sizeof *survey->kinds);
  for (const struct summary *row = rows; row < survey->end; row++) {
    add_program(survey, row);
    add_kind(survey, row->pages);
  }
  put_beside(survey);
}

void survey_fini(struct survey *survey) {
  free(survey->programs);
  free(survey->kinds);
  *survey = (struct survey){0};
}

/* Also of its tuned version, which comes first in the table. */
static bool has_place(const struct algo *algo, const struct summary *row) {
  return !strcmp(algo->device, row->device) &&
         (!strcmp(algo->name, row->algo) ||
          (algo->tunes && !strcmp(algo->tunes, row->algo)));
}

/* The count of algorithms where it is none of them, or where that place is
 * taken by the same algorithm on another kind of input. */
static size_t table_place(const struct survey *survey, size_t program) {
  const struct summary *row = survey->programs[program];
  size_t place = 0;
  bool taken = false;
  for (size_t i = 0; i < program; i++)
    taken |= same_algo(survey->programs[i], row);
  while (cpu_algos[place] && (taken || !has_place(cpu_algos[place], row)))
    place++;
  return place;
}

size_t survey_place(const struct survey *survey, size_t program) {
  size_t place = table_place(survey, program), strangers = 0;
  for (size_t i = 0; !cpu_algos[place] && i < program; i++)
    strangers += !cpu_algos[table_place(survey, i)];
  return place + strangers;
}

uint64_t survey_next_size(const struct survey *survey,
                          const struct summary *program, uint64_t n) {
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (row->n > n && survey_same_program(program, row)) return row->n;
  return 0;
}

/* How much a row can tell: 2 a ratio, 1 a time, 0 nothing. */
static int telling(const struct summary *row) {
  return !isnan(row->ratio_to_4k) ? 2 : row->reps > 0;
}

uint64_t survey_telling_size(const struct survey *survey,
                             const struct summary *program) {
  uint64_t n = 0;
  int best = -1;
  for (const struct summary *row = survey->rows; row < survey->end; row++) {
    if (!survey_same_program(program, row) || telling(row) < best) continue;
    best = telling(row);
    n = row->n;
  }
  return n;
}

const struct summary *survey_row(const struct survey *survey,
                                 const struct summary *program, uint64_t n,
                                 const char *kind) {
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (row->n == n && (kind ? !strcmp(row->pages, kind) : row->base) &&
        survey_same_program(program, row))
      return row;
  return NULL;
}

const char *survey_label(const struct summary *row,
                         char label[SURVEY_LABEL_SIZE]) {
  bool cpu = !strcmp(row->device, "cpu");
  char variant[VARIANT_LABEL];
  snprintf(label, SURVEY_LABEL_SIZE, "%s%s%s%s", row->algo, cpu ? "" : " on ",
           cpu ? "" : row->device, sample_variant_label(row->variant, variant));
  return label;
}

size_t survey_bytes(const struct summary *row) {
  /* What data from outside take is not told by n. */
  const struct algo *algo =
      *row->variant->file ? NULL : cpu_algo_find(row->algo);
  size_t bytes = algo ? algo->bytes(row->n) : 0;
  for (size_t i = 0; !algo && row->granted && i < row->granted->sizes; i++)
    bytes += row->granted->by[i].bytes;
  return bytes;
}
