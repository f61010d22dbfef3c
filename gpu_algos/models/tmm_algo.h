/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/tmm_algo.h -- what algorithms take in the TMM model: table
 * 4.4, the four ways to all shortest paths of section 4.1, and what else
 * chapter 4 says of them.
 *
 * A formula is written once, as C; its text is what is printed of it.  In all
 * of them lg x is max(1, log2 x): a pass over less than what fits is one pass.
 */
#pragma once
#include "gpu_algos/models/tmm.h"

/* What formulas depend on. */
struct tmm_at {
  double n, m, k; /* as table 4.4 has them */
  double T;       /* threads per core */
  const struct tmm_machine *machine;
};

struct tmm_formula {
  const char *text; /* "n * lg(n) / C" */
  double (*value)(const struct tmm_at *at);
};

/* "S = O(1)" (4.1) for all of them: also where threads share sub-blocks. */
#define TMM_LOCAL_WORDS 1.

struct tmm_algo {
  const char *name, *title, *source;
  const char *sizes; /* what it depends on: "n", "nm", "nk", "nmk" */
  struct tmm_formula T1, Tinf, M;
};
extern const struct tmm_algo tmm_algos[]; /* the last has no name */

/* The same of problems that local memory takes. */
struct tmm_small {
  const char *algo;
  struct tmm_formula when; /* not 0: it holds */
  struct tmm_formula T1, Tinf, M;
};
extern const struct tmm_small tmm_smalls[]; /* the last has no algorithm */

/* T_P with the term of memory in two: of small n, where each thread has one
 * element, so that T P = n, and of large n, where T = X. */
struct tmm_refined {
  const char *algo, *equation;
  struct tmm_formula span, small, large;
};
extern const struct tmm_refined tmm_refineds[]; /* as above */

/* Table 4.1: time, and L at most for a linear speed-up. */
struct tmm_limits {
  const char *algo;
  struct tmm_formula when;
  struct tmm_formula pram, tmm, hardware, local;
};
extern const struct tmm_limits tmm_table_4_1[]; /* as above */

/* Tables 4.2 and 4.3: from which number of queries on the time depends on it,
 * and how. */
struct tmm_transition {
  const char *algo;
  struct tmm_formula when;
  struct tmm_formula n;     /* table 4.2 */
  struct tmm_formula bound; /* table 4.3 */
  enum tmm_term term;       /* TMM_WORK: "Compute"; TMM_MEMORY: "Memory" */
};
extern const struct tmm_transition tmm_table_4_2[]; /* as above */

/* The one called `name`, or NULL. */
const struct tmm_algo *tmm_algo_find(const char *name);

/* What holds there of that algorithm, or NULL. */
const struct tmm_small *tmm_small_of(const struct tmm_algo *algo,
                                     const struct tmm_at *at);
const struct tmm_refined *tmm_refined_of(const struct tmm_algo *algo);
const struct tmm_limits *tmm_limits_of(const struct tmm_algo *algo,
                                       const struct tmm_at *at);
const struct tmm_transition *tmm_transition_of(const struct tmm_algo *algo,
                                               const struct tmm_at *at);

/* Its T1, Tinf, M there, by the form that holds; S = TMM_LOCAL_WORDS. */
struct tmm_program tmm_algo_program(const struct tmm_algo *algo,
                                    const struct tmm_at *at);

/* T_P by the four terms of `refined`, the first of which is T1 / P. */
double tmm_refined_time(const struct tmm_refined *refined,
                        const struct tmm_at *at);
