/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/standing.h -- what a row shows, and the size that decides.
 *
 * A row differs if its interval excludes 1, by more than the noise floor, and
 * its neighbours agree: the next smaller and the next larger size on the same
 * page kind, within a factor of STANDING_NEAR.  They agree if one of them has
 * its ratio on the same side of 1, and none is on the other side by more than
 * the noise floor.  A size without neighbours stands by itself.
 *
 * A row that does not differ shows "no difference" only if its interval is
 * narrow: its half width is at most STANDING_WIDE.  Otherwise nothing is known.
 *
 * The deciding size of a program is the largest one with a row that differs; or
 * else the largest one with a row that shows no difference; both among the
 * larger half of the sizes that have intervals.  Where there is neither, it is
 * survey_telling_size().
 */
#pragma once
#include "experiments/report/survey.h"

#define STANDING_WIDE 0.10
#define STANDING_NEAR 4

enum standing {
  STANDING_DIFFERS,
  STANDING_SAME,
  STANDING_WIDE_OPEN,   /* the interval is too wide to tell */
  STANDING_UNCONFIRMED, /* it would differ, but its neighbours disagree */
  STANDING_TOO_FEW,     /* repetitions for an interval */
  STANDING_ALONE,       /* no base pages to compare with */
  STANDING_LEFT_OUT,
  STANDING_NOT_MEASURED,
};

enum standing standing_of(const struct survey *survey,
                          const struct summary *row);

uint64_t standing_size(const struct survey *survey,
                       const struct summary *program);

/* No telling which is faster: they differ by less than the noise floor, or each
 * interval holds the other's ratio. */
bool standing_tie(const struct summary *a, const struct summary *b);

/* The fastest of the program's rows that differ; of the kinds that tie with it
 * at its size the first, which asks least of a machine: transparent pages need
 * no pool, smaller ones a smaller one.  NULL: none is faster. */
const struct summary *standing_gain(const struct survey *survey,
                                    const struct summary *program);
