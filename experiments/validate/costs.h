/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/costs.h -- what an operation of a program asks of a
 * machine, in time.
 *
 * The program's reuse profile says which accesses go how far, the calibration
 * how long that takes.  Both know nothing of the program's measured time.
 */
#ifndef EXPERIMENTS_VALIDATE_COSTS_H
#define EXPERIMENTS_VALIDATE_COSTS_H
#include "experiments/calibrate/calibration.h"
#include "experiments/reuse/reuse.h"

/* Of lines of one class: each access as long as if the next waited for it, and
 * as long as if as many were under way as can be. */
struct costs_lines {
  double wait, flight;
};

/* Translations at one granularity of the TLB's entries. */
struct costs_translation {
  double tlb;         /* misses of TLBs that another one answers */
  double walk;        /* walks with their table lines at hand */
  double walk_flight; /* the same, as many at once as can be */
  double table;       /* table lines that are further away */
};

/* What is told of lines: uses, stays in a cache in which they are loaded, and
 * in which they are stored to, so that they are written back (reuse.h). */
enum costs_told { COSTS_LINES, COSTS_LOADS, COSTS_WRITEBACKS, COSTS_TOLD };

/* How many an operation, by the first level that still has the line: uses and
 * loads are served by it, and write-backs come to it from the one before. */
struct costs_counts {
  double at[COSTS_TOLD][CALIBRATION_LEVELS];
};

/* Lines of streams by what streams were measured to take; NAN: they were not.
 * A line of a copy is one that is read and one that is written. */
struct costs_streams {
  double read, write, copy;
};

/* All but counts in nanoseconds an operation. */
struct costs {
  struct costs_lines
      stepped[REUSE_CLASSES];               /* each level full, then the next */
  struct costs_lines spread[REUSE_CLASSES]; /* over sets, at random */
  struct costs_counts stepped_counts[REUSE_CLASSES];
  struct costs_counts spread_counts[REUSE_CLASSES];
  double streams; /* lines of streams, by the measured bandwidth */
  struct costs_streams streams_told[COSTS_TOLD];
  double vat;                        /* tau a miss of the translation cache */
  struct costs_translation asked;    /* an entry maps a page as asked for */
  struct costs_translation measured; /* what an entry was seen to map */
};

/* What a profile must hold for `cal`: pages and translation caches. */
void costs_params(const struct calibration *cal, struct reuse_params *params);

/* Why points on pages of `kind` cannot be predicted, or NULL: they can. */
const char *costs_lack(const struct calibration *cal, const char *kind);

/* `profile` was made with costs_params(). */
void costs_of(struct costs *costs, const struct calibration *cal,
              const char *kind, const struct reuse_profile *profile);
#endif
