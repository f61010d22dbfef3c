/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/policy.h -- what replaces nodes in a translation cache.
 *
 * A policy is one file and one line of vat_policies[].  What all have in
 * common is vat/intake.c: it checks pages, counts translations, and drops
 * immediate repeats of a page wherever that cannot change a count.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vat/tc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What may be told of a policy that needs nothing but past accesses. */
enum vat_recency {
  VAT_RECENCY_NONE,
  VAT_RECENCY_LRU,  /* evicts the least recently used node */
  VAT_RECENCY_ISLRU /* evicts the lowest node that is that one or below it */
};

/* And of one that evicts the node whose next access is furthest ahead. */
enum vat_furthest {
  VAT_FURTHEST_NONE,
  VAT_FURTHEST_MIN,  /* of all nodes */
  VAT_FURTHEST_ISMIN /* of those whose ancestors then all stay in the TC */
};

/* Somebody who watches a policy replay its stream. */
struct vat_observer {
  /* A page has been translated and its misses counted; `repeated`: that is for
   * all its translations in a row.  0, or -1 with errno, which ends all. */
  int (*translated)(void *context, bool repeated);
  void *context;
};

struct vat_curve_ops;

struct vat_policy {
  const char *name;
  const char *summary;      /* one line for listings */
  bool offline;             /* needs the whole stream before its first answer */
  bool draws;               /* at random, see `seed` of vat_tc_options */
  enum vat_recency recency; /* so that one TC may hold two trees ... */
  enum vat_furthest furthest; /* ... as if it is this */
  /* The least W it is defined for; NULL: 1. */
  uint64_t (*least_nodes)(const struct vat_tree *tree);
  /* Nodes that its TC holds at most; NULL: W. */
  uint64_t (*cells)(const struct vat_tree *tree, uint64_t nodes);
  /* Least W from which a page translated twice in a row counts as once, and
   * three times as twice (the others are dropped); NULL: none. */
  uint64_t (*repeats_free_from)(const struct vat_tree *tree);
  uint64_t (*collapse_from)(const struct vat_tree *tree);
  /* Least W from which of two pages in turns, as often as one likes, only the
   * first of each and the very last count (x y x y x as x y x); NULL: none. */
  uint64_t (*pairs_free_from)(const struct vat_tree *tree);
  /*
   * State for (tree, W); NULL with errno.  `misses` (one counter a layer) is
   * where it counts, and outlives it.
   */
  void *(*create)(const struct vat_tree *tree, uint64_t nodes,
                  const struct vat_tc_options *options, uint64_t *misses);
  void (*destroy)(void *state);
  /* Translate pages, all inside the tree, as paths: vat/path.h.  0, or -1 with
   * errno. */
  int (*translate)(void *state, const uint64_t *pages, size_t count);
  int (*finish)(void *state); /* NULL: nothing to do */
  /* Have finish() watched.  NULL: cannot, or is not offline. */
  void (*observe)(void *state, const struct vat_observer *observer);
  const struct vat_curve_ops *curve; /* all W at once (vat/curve_ops.h), NULL */
};

extern const struct vat_policy *const vat_policies[]; /* NULL-ended */

/* The policy called `name`, or NULL with errno EINVAL. */
const struct vat_policy *vat_policy_find(const char *name);

/* The least number of nodes it is defined for. */
uint64_t vat_policy_least_nodes(const struct vat_policy *policy,
                                const struct vat_tree *tree);

/* How many nodes its TC holds at most: W for most. */
uint64_t vat_policy_cells(const struct vat_policy *policy,
                          const struct vat_tree *tree, uint64_t nodes);

#ifdef __cplusplus
}
#endif
