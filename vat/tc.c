/* SPDX-License-Identifier: BSD-2-Clause */
/* What all policies have in common: pages are made of addresses and checked,
 * translations counted, and immediate repeats dropped where that is exact. */
#include "vat/tc.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "vat/policy.h"

/* Pages handed to the policy at a time: enough to look ahead in, and to pay
 * for a call; few enough to stay in the first-level cache. */
enum { BLOCK = 1024 };

struct vat_tc {
  const struct vat_policy *policy;
  void *state;
  struct vat_tree tree;
  unsigned repeats_kept; /* of a page in a row: 0, 1, or all */
  bool started;
  uint64_t last;    /* the page translated last */
  unsigned repeats; /* of it in a row so far */
  uint64_t translations;
  uint64_t misses[VAT_LAYERS_MAX];
  uint64_t block[BLOCK];
};

struct vat_tc *vat_tc_create(const struct vat_policy *policy,
                             const struct vat_tree *tree, uint64_t nodes,
                             const struct vat_tc_options *options) {
  static const struct vat_tc_options none;
  if (vat_tree_check(tree)) return NULL;
  if (nodes < vat_policy_least_nodes(policy, tree)) {
    errno = EINVAL;
    return NULL;
  }
  struct vat_tc *tc = calloc(1, sizeof *tc);
  if (!tc) return NULL;
  tc->policy = policy;
  tc->tree = *tree;
  tc->repeats_kept = UINT_MAX;
  if (policy->collapse_from && nodes >= policy->collapse_from(tree))
    tc->repeats_kept = 1;
  if (policy->repeats_free_from && nodes >= policy->repeats_free_from(tree))
    tc->repeats_kept = 0;
  tc->state =
      policy->create(tree, nodes, options ? options : &none, tc->misses);
  if (tc->state) return tc;
  free(tc);
  return NULL;
}

void vat_tc_destroy(struct vat_tc *tc) {
  if (!tc) return;
  tc->policy->destroy(tc->state);
  free(tc);
}

/*
 * Copy pages that are not repeats into the block until it is full.  Returns how
 * many were consumed; stops early at one outside the tree.  Whether a page is a
 * repeat is anybody's guess, so the copy has no branch on it.
 */
static inline size_t take(struct vat_tc *tc, const uint64_t *from, size_t count,
                          unsigned shift, size_t *filled) {
  uint64_t last = tc->last;
  unsigned bits = vat_tree_page_number_bits(&tc->tree);
  unsigned repeats = tc->repeats, kept = tc->repeats_kept;
  size_t i = 0, out = 0;
  if (!tc->started && count) last = ~(from[0] >> shift);
  for (; i < count && out < BLOCK; i++) {
    uint64_t page = from[i] >> shift;
    if (__builtin_expect(page >> bits != 0, 0)) break;
    tc->block[out] = page;
    repeats = page == last ? repeats + (repeats < UINT_MAX) : 0;
    out += repeats <= kept;
    last = page;
  }
  if (i) tc->started = true;
  tc->last = last;
  tc->repeats = repeats;
  *filled = out;
  return i;
}

static int translate(struct vat_tc *tc, const uint64_t *from, size_t count,
                     unsigned shift) {
  while (count) {
    size_t filled;
    size_t taken = take(tc, from, count, shift, &filled);
    if (filled && tc->policy->translate(tc->state, tc->block, filled))
      return -1;
    tc->translations += taken;
    from += taken;
    count -= taken;
    if (count && !filled) {
      errno = ERANGE;
      return -1;
    }
  }
  return 0;
}

int vat_tc_pages(struct vat_tc *tc, const uint64_t *pages, size_t count) {
  return translate(tc, pages, count, 0);
}

int vat_tc_addresses(struct vat_tc *tc, const uint64_t *addresses,
                     size_t count) {
  return translate(tc, addresses, count, tc->tree.page_bits);
}

int vat_tc_finish(struct vat_tc *tc) {
  return tc->policy->finish ? tc->policy->finish(tc->state) : 0;
}

struct vat_tc_counts vat_tc_counts(const struct vat_tc *tc) {
  struct vat_tc_counts counts = {.translations = tc->translations};
  for (unsigned layer = 0; layer <= tc->tree.levels; layer++) {
    counts.misses_by_layer[layer] = tc->misses[layer];
    counts.misses += tc->misses[layer];
  }
  return counts;
}
