/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

/* The next size with a ratio on the same pages, below or above; NULL: none is
 * near. */
static const struct summary *neighbour(const struct survey *survey,
                                       const struct summary *row, bool above) {
  const struct summary *found = NULL;
  for (const struct summary *other = survey->rows;
       other < survey->end && !(above && found); other++)
    if ((above ? other->n > row->n : other->n < row->n) &&
        !isnan(other->ratio_to_4k) && !strcmp(other->pages, row->pages) &&
        survey_same_program(row, other))
      found = other;
  if (!found) return NULL;
  double apart = (double)found->n / (double)row->n;
  return fmax(apart, 1 / apart) <= STANDING_NEAR ? found : NULL;
}

static bool neighbours_agree(const struct survey *survey,
                             const struct summary *row) {
  const double side = row->ratio_to_4k < 1 ? 1 : -1;
  bool any = false, same = false;
  for (int above = 0; above < 2; above++) {
    const struct summary *near = neighbour(survey, row, above);
    if (!near) continue;
    double gain = side * (1 - near->ratio_to_4k);
    if (gain < -SUMMARY_NOISE_FLOOR) return false;
    any = true;
    same |= gain > 0;
  }
  return same || !any;
}

enum standing standing_of(const struct survey *survey,
                          const struct summary *row) {
  if (row->reps + row->rejected + row->failed == 0)
    return STANDING_NOT_MEASURED;
  if (!row->reps) return STANDING_LEFT_OUT;
  if (isnan(row->ratio_to_4k)) return STANDING_ALONE;
  if (isnan(row->ratio_lo)) return STANDING_TOO_FEW;
  if (summary_is_significant(row))
    return neighbours_agree(survey, row) ? STANDING_DIFFERS
                                         : STANDING_UNCONFIRMED;
  return (row->ratio_hi - row->ratio_lo) / 2 > STANDING_WIDE
             ? STANDING_WIDE_OPEN
             : STANDING_SAME;
}

static bool has(const struct survey *survey, const struct summary *program,
                uint64_t n, enum standing most) {
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (row->n == n && !row->base && survey_same_program(program, row) &&
        standing_of(survey, row) <= most)
      return true;
  return false;
}

uint64_t standing_size(const struct survey *survey,
                       const struct summary *program) {
  uint64_t *sizes = memory_zeroed(survey->count + 1, sizeof *sizes);
  size_t count = 0;
  for (uint64_t n = 0; (n = survey_next_size(survey, program, n));)
    if (has(survey, program, n, STANDING_UNCONFIRMED)) sizes[count++] = n;
  uint64_t found = 0;
  for (int most = STANDING_DIFFERS; !found && most <= STANDING_SAME; most++)
    for (size_t i = count; !found && i-- > count / 2;)
      if (has(survey, program, sizes[i], (enum standing)most)) found = sizes[i];
  free(sizes);
  return found ? found : survey_telling_size(survey, program);
}

static bool holds(const struct summary *row, double ratio) {
  return row->ratio_lo <= ratio && ratio <= row->ratio_hi;
}

bool standing_tie(const struct summary *a, const struct summary *b) {
  double apart = fabs(a->ratio_to_4k - b->ratio_to_4k);
  return apart <= SUMMARY_NOISE_FLOOR * fmin(a->ratio_to_4k, b->ratio_to_4k) ||
         (holds(a, b->ratio_to_4k) && holds(b, a->ratio_to_4k));
}

const struct summary *standing_gain(const struct survey *survey,
                                    const struct summary *program) {
  const struct summary *most = NULL;
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (!row->base && row->ratio_to_4k < (most ? most->ratio_to_4k : 1) &&
        survey_same_program(program, row) &&
        standing_of(survey, row) == STANDING_DIFFERS)
      most = row;
  for (size_t i = 0; most && i < survey->kind_count; i++) {
    const struct summary *row =
        survey_row(survey, most, most->n, survey->kinds[i]);
    if (row && !row->base && standing_of(survey, row) == STANDING_DIFFERS &&
        row->ratio_to_4k < 1 && standing_tie(row, most))
      return row;
  }
  return most;
}
