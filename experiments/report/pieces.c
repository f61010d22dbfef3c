/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/pieces.h"

#include <gsl/gsl_interp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/probe/calibration.h"
#include "experiments/report/em_scan.h"

static bool is_point(const struct survey *survey, size_t program,
                     const char *kind, const struct summary *row) {
  return survey_has_time(row) && row->ns_per_op_min > 0 && row->n > 1 &&
         !strcmp(row->pages, kind) &&
         survey_same_program(survey->programs[program], row);
}

/* False: too few sizes. */
static bool fit_line(const struct survey *survey, struct pieces_line *line) {
  double ns[SEGMENTED_SIZES];
  line->count = 0;
  for (const struct summary *row = survey->rows; row < survey->end; row++) {
    if (!is_point(survey, line->program, line->kind, row)) continue;
    if (line->count == SEGMENTED_SIZES) return false;
    line->x[line->count] = log2((double)row->n);
    ns[line->count++] = row->ns_per_op_min;
  }
  segmented_fit(line->x, ns, line->count, &line->fit);
  return line->fit.count > 0;
}

void pieces_make(struct pieces *pieces, struct survey *survey) {
  *pieces = (struct pieces){
      .lines = memory_zeroed(survey->program_count * survey->kind_count + 1,
                             sizeof *pieces->lines)};
  for (size_t i = 0; i < survey->program_count; i++)
    for (size_t k = 0; k < survey->kind_count; k++) {
      struct pieces_line *line = &pieces->lines[pieces->count];
      line->program = i;
      line->kind = survey->kinds[k];
      pieces->count += fit_line(survey, line);
    }
  survey->pieces = pieces;
}

void pieces_fini(struct pieces *pieces) {
  free(pieces->lines);
  *pieces = (struct pieces){0};
}

const struct pieces_line *pieces_find(const struct survey *survey,
                                      size_t program, const char *kind) {
  for (size_t i = 0; survey->pieces && i < survey->pieces->count; i++) {
    const struct pieces_line *line = &survey->pieces->lines[i];
    if (line->program == program && !strcmp(line->kind, kind)) return line;
  }
  return NULL;
}

double pieces_from(const struct pieces_line *line, size_t piece) {
  const struct segmented_piece *p = &line->fit.piece[piece];
  return piece && !p->step ? p->from.value : line->x[p->first];
}

double pieces_to(const struct pieces_line *line, size_t piece) {
  const struct segmented_piece *p = &line->fit.piece[piece];
  if (piece + 1 < line->fit.count && !p[1].step) return p[1].from.value;
  return line->x[p->first + p->count - 1];
}

static void add_reach(struct reach reaches[REACHES_MOST], size_t *count,
                      const char *name, double bytes) {
  if (*count == REACHES_MOST || !isfinite(bytes) || !(bytes > 0)) return;
  struct reach *reach = &reaches[(*count)++];
  snprintf(reach->name, sizeof reach->name, "%s", name);
  reach->bytes = bytes;
}

size_t reaches_of(const struct survey *survey, const char *kind,
                  struct reach reaches[REACHES_MOST]) {
  const struct calibration *cal = survey->calibration;
  size_t count = 0;
  if (!cal || !calibration_is_of(cal, survey->record)) {
    struct em_levels levels;
    em_levels_of(survey->record, &levels);
    for (size_t i = 0; i < levels.count; i++)
      add_reach(reaches, &count, levels.level[i].name,
                levels.level[i].elements * EM_ELEMENT_BYTES);
    return count;
  }
  for (size_t i = 0; i + 1 < cal->level_count; i++)
    add_reach(reaches, &count, cal->levels[i].name,
              cal->levels[i].bytes_usable.value);
  const struct cal_pages *pages = calibration_page_for(cal, kind);
  for (size_t i = 0; pages && i < pages->tlbs; i++) {
    char name[sizeof reaches->name];
    snprintf(name, sizeof name, "TLB %zu", i + 1);
    add_reach(reaches, &count, name,
              pages->tlb[i].entries.value * pages->granularity_bytes);
  }
  return count;
}

/* Sizes of a program and its memory, both as logarithms. */
struct sizes {
  double n[SEGMENTED_SIZES], bytes[SEGMENTED_SIZES];
  size_t count;
};

static void sizes_of(const struct survey *survey, size_t program,
                     struct sizes *sizes) {
  const struct summary *of = survey->programs[program];
  sizes->count = 0;
  for (const struct summary *row = survey->rows;
       row < survey->end && sizes->count < SEGMENTED_SIZES; row++) {
    double n = log2((double)row->n), bytes = log2((double)survey_bytes(row));
    size_t at = sizes->count;
    if (!survey_same_program(of, row) || !isfinite(n) || !isfinite(bytes))
      continue;
    if (at && (n <= sizes->n[at - 1] || bytes <= sizes->bytes[at - 1]))
      continue;
    sizes->n[at] = n;
    sizes->bytes[at] = bytes;
    sizes->count++;
  }
}

/* Straight between the two neighbours of x, or through the last two. */
static double between(const double *xs, const double *ys, size_t count,
                      double x) {
  if (count < 2) return NAN;
  size_t i = gsl_interp_bsearch(xs, x, 0, count - 1);
  return ys[i] + (x - xs[i]) * (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]);
}

double pieces_bytes(const struct survey *survey, size_t program, double x) {
  struct sizes sizes;
  sizes_of(survey, program, &sizes);
  return exp2(between(sizes.n, sizes.bytes, sizes.count, x));
}

double pieces_place(const struct survey *survey, size_t program, double bytes) {
  struct sizes sizes;
  sizes_of(survey, program, &sizes);
  return between(sizes.bytes, sizes.n, sizes.count, log2(bytes));
}

bool pieces_nearest(const struct survey *survey, const struct pieces_line *line,
                    size_t piece, struct reach *nearest, double *doublings) {
  struct reach reaches[REACHES_MOST];
  size_t count = reaches_of(survey, line->kind, reaches);
  double bytes =
      pieces_bytes(survey, line->program, line->fit.piece[piece].from.value);
  *doublings = INFINITY;
  for (size_t i = 0; i < count; i++) {
    double away = log2(bytes / reaches[i].bytes);
    if (!(fabs(away) < fabs(*doublings))) continue;
    *doublings = away;
    *nearest = reaches[i];
  }
  return isfinite(*doublings);
}

static bool is_near(const struct reach *reaches, size_t count,
                    double lg_bytes) {
  for (size_t i = 0; i < count; i++)
    if (fabs(lg_bytes - log2(reaches[i].bytes)) <= PIECES_NEAR) return true;
  return false;
}

/* A break leaves SEGMENTED_POINTS points on both sides: of the memory where it
 * can be, the share that is near a reach. */
static double near_share(const struct survey *survey,
                         const struct pieces_line *line,
                         const struct reach *reaches, size_t count) {
  enum { STEPS = 1000 };
  const double *first = &line->x[SEGMENTED_POINTS - 1];
  const double *last = &line->x[line->count - SEGMENTED_POINTS];
  double from = log2(pieces_bytes(survey, line->program, *first));
  double to = log2(pieces_bytes(survey, line->program, *last));
  size_t near = 0;
  for (size_t i = 0; i < STEPS; i++)
    near +=
        is_near(reaches, count, from + (to - from) * ((double)i + 0.5) / STEPS);
  return (double)near / STEPS;
}

struct pieces_breaks pieces_breaks_of(const struct survey *survey) {
  struct pieces_breaks breaks = {0};
  for (size_t i = 0; survey->pieces && i < survey->pieces->count; i++) {
    const struct pieces_line *line = &survey->pieces->lines[i];
    struct reach reaches[REACHES_MOST];
    size_t reach_count = reaches_of(survey, line->kind, reaches);
    size_t count = line->fit.count - 1;
    if (!count || !reach_count) continue;
    breaks.count += count;
    breaks.by_chance +=
        (double)count * near_share(survey, line, reaches, reach_count);
    for (size_t k = 1; k <= count; k++)
      breaks.near += is_near(reaches, reach_count,
                             log2(pieces_bytes(survey, line->program,
                                               line->fit.piece[k].from.value)));
  }
  return breaks;
}
