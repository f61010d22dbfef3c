/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/profile_costs.h -- what an operation of a program asks
 * of a machine, in time.
 *
 * The program's reuse profile says which accesses go how far, the calibration
 * how long that takes.  Both know nothing of the program's measured time.
 */
#pragma once
#include "experiments/probe/calibration.h"
#include "experiments/reuse/reuse.h"

/* How the last TLB makes room: for what was used least recently, or at random.
 */
enum costs_tlb { COSTS_LRU, COSTS_RANDOM, COSTS_TLBS };

/* Translations at one granularity of the TLB's entries.  `best`: as many walks
 * at once as can be. */
struct costs_translation {
  double tlb;               /* misses of TLBs that another one answers */
  double walk, walk_best;   /* walks with their table lines at hand */
  double table, table_best; /* table lines that are further away */
  double streamed;          /* of walk: what streams' measured time has in it */
};

#define COSTS_LINE (1u << REUSE_LINE_BITS)

/* What is told of lines: uses, stays in a cache in which they are loaded, and
 * in which they are stored to, so that they are written back (reuse.h). */
enum costs_told { COSTS_LINES, COSTS_LOADS, COSTS_WRITEBACKS, COSTS_TOLD };

/* How many an operation, by the first level that still has the line: uses and
 * loads are served by it, and write-backs come to it from the one before. */
struct costs_counts {
  double at[COSTS_TOLD][CALIBRATION_LEVELS];
};

/* What accesses cost that wait for each other, given how much the last cache
 * has room for.  All are doubles, in nanoseconds an operation. */
struct costs_waits {
  double stepped[REUSE_CLASSES]; /* lines; each level full, then the next */
  double spread[REUSE_CLASSES];  /* lines; over sets, at random */
  struct costs_translation asked[COSTS_TLBS]; /* entries map pages as asked */
  struct costs_translation
      measured[COSTS_TLBS]; /* what they were seen to map */
};

/* A share of the last cache: how many bytes of other lines may come between two
 * accesses to a line that stays, and how many operations that takes. */
struct costs_share {
  double bytes, ops;
};

/* All of the last cache's usable bytes, and less and less of them. */
enum { COSTS_SHARES = 9, COSTS_SHARES_AN_OCTAVE = 2 };

/* All but counts and numbers, and what follows `shares`, in nanoseconds an
 * operation. */
struct costs {
  struct costs_waits waits[COSTS_SHARES];
  double best; /* others than streams, if none waits; NAN: not calibrated */
  struct costs_counts stepped_counts[REUSE_CLASSES];
  struct costs_counts spread_counts[REUSE_CLASSES];
  double streams;  /* lines of streams, by the measured bandwidth */
  double vat;      /* tau a miss of the translation cache */
  double accesses; /* of an operation */
  struct costs_share shares[COSTS_SHARES];
  double elements;   /* elements an operation: 1 / log n in a sort; no time */
  double last_bytes; /* of the last cache, usable */
  double neighbours; /* bytes a ns that others bring into it */
};

/* What a profile must hold for `cal`: pages and translation caches. */
void costs_params(const struct calibration *cal, struct reuse_params *params);

/* Why points on pages of `kind` cannot be predicted, or NULL: they can. */
const char *costs_missing(const struct calibration *cal, const char *kind);

/* `profile` was made with costs_params(). */
void costs_of(struct costs *costs, const struct calibration *cal,
              const char *kind, const struct reuse_profile *profile);

/*
 * Operations from an access to a line until `bytes` of other lines were
 * accessed.  With x lines accessed since, the next one is new as often as a
 * cache of x lines misses, m(x) times an operation; so it is the integral of
 * 1 / m(x) up to there (Xiang et al., HOTL, ASPLOS 2013).
 */
double costs_ops_between(const struct reuse_profile *profile, double bytes);

/*
 * Which of `costs->waits` are those of an operation that takes `ns`, as a
 * number from 0 to COSTS_SHARES - 1: others bring in so much in the time from
 * one access to a line to the next that it stays only if no more than that
 * share is accessed meanwhile.
 */
double costs_share_left(const struct costs *costs, double ns);

/* The waits at a share between two of them. */
struct costs_waits costs_waits_at(const struct costs *costs, double share);

/* --- costs_parts.c: which cache still has a line, and what translations cost.
 * --- */

/* How many accesses come back at which distance, of those that do at `least` or
 * beyond; what is cold is at `all`. */
struct costs_uses {
  double distances[REUSE_BUCKETS + 1], counts[REUSE_BUCKETS + 1];
  size_t count;
};
void costs_uses_of(struct costs_uses *uses,
                   const struct reuse_histogram *histogram, double all,
                   double least);

/* The first level whose size is beyond `bytes`, the lines accessed since, all
 * together; memory where none is. */
size_t costs_level_at(const struct calibration *cal, double bytes);

/* The shares of such lines that each level is the first to still have, as lines
 * fall into sets at random. */
void costs_level_shares(const struct calibration *cal, double bytes,
                        double shares[CALIBRATION_LEVELS]);

/* In ns of the whole run, where an entry of the TLB maps `entry_bytes` of the
 * pages `pages`. */
void costs_translations(struct costs_translation *translation,
                        const struct calibration *cal,
                        const struct cal_pages *pages, double entry_bytes,
                        enum costs_tlb tlb,
                        const struct reuse_profile *profile);

/*
 * Accesses to base pages that were not in use, of as many others as the nearest
 * TLB keeps.  What prefetches goes by the lines it saw of a page; of these it
 * saw none of late.
 */
double costs_strange(const struct cal_pages *pages,
                     const struct reuse_profile *profile);

/*
 * The share of these accesses that an array of `entries` misses which makes
 * room at random.  An entry survives one replacement with probability 1 - 1 /
 * entries; between two accesses to a page, at a distance of d others, some
 * share * d replacements happen.  So an access misses with probability
 * 1 - exp(-share d / entries), whose mean over all accesses is the share again:
 * its largest root.
 */
double costs_random_misses(const double *distances, const double *counts,
                           size_t count, double entries);
