/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/curve_ops.h -- what a policy does to have a curve: find the position of
 * each accessed node in the list whose first W nodes are the TC of W nodes.
 * Internal to vat/.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "vat/policy.h"

/* Counts on their way: a cache miss of a large histogram takes as long. */
enum { CURVE_PENDING = 16 };

/* Accesses by the position of their node, the first being 1. */
struct curve_counts {
  uint64_t *at;                    /* [0] is nothing */
  uint64_t room;                   /* positions below it have a counter */
  uint64_t compulsory;             /* accesses of nodes never seen before */
  uint64_t pending[CURVE_PENDING]; /* positions still to be counted, or 0 */
  unsigned next;                   /* the one pending longest */
};

static inline void curve_counts_add(struct curve_counts *counts,
                                    uint64_t position) {
  uint64_t *pending = &counts->pending[counts->next++ % CURVE_PENDING];
  __builtin_prefetch(&counts->at[position], 1);
  counts->at[*pending]++;
  *pending = position;
}

/* Make room for positions up to `last`.  0, or -1 with ENOMEM. */
int vat_curve_counts_reserve(struct curve_counts *counts, uint64_t last);

struct vat_curve_ops {
  unsigned repeats_kept; /* repeats of a page in a row that matter if W > d */
  /* State for a tree; NULL with errno.  `counts` outlives it. */
  void *(*create)(const struct vat_tree *tree,
                  const struct vat_tc_options *options,
                  struct curve_counts *counts);
  void (*destroy)(void *state);
  /* As those of vat_policy. */
  int (*translate)(void *state, const uint64_t *pages, size_t count);
  int (*finish)(void *state); /* NULL: nothing to do */
};

extern const struct vat_curve_ops vat_curve_islru, vat_curve_lru, vat_curve_min,
    vat_curve_ismin;
