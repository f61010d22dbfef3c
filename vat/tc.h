/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/tc.h -- a translation cache (TC) of the VAT model, simulated exactly.
 *
 * A TC holds W nodes of a translation tree (vat/tree.h) and starts empty.
 * Translating a page accesses the d + 1 nodes of its path, root first; a node
 * that is not in the TC is a miss and is inserted, for which a policy chooses
 * what to evict (Jurkiewicz, PhD thesis, section 2.3).  The cost of a program
 * is its misses.
 *
 * Addresses go in one by one or in blocks of any length.  Policies that need
 * to know the future (min, ismin, ...) keep what they are given and do their
 * work in vat_tc_finish().  Not thread-safe: one TC per simulated processor.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "vat/layout.h"
#include "vat/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vat_policy;

struct vat_tc_counts {
  uint64_t translations;                    /* pages looked up */
  uint64_t misses;                          /* over all layers */
  uint64_t misses_by_layer[VAT_LAYERS_MAX]; /* [0]: leaves, [levels]: root */
};

struct vat_tc_options {
  uint64_t memory_bytes; /* spill to a temporary file beyond; 0: no limit */
  uint64_t seed;         /* of policies that draw: the same, the same counts */
  /* Told about the work of policies that know the future, with `arg`; NULL:
   * nobody. */
  void (*on_spill)(void *arg); /* before the temporary file is first used */
  void (*on_progress)(void *arg, double done); /* 0..1 of vat_tc_finish() */
  void *arg;
  /* Sizes of pages, of the same tree, as long as the TC lives; NULL: the
   * tree's. */
  const struct vat_layout *layout;
};

struct vat_tc;

/*
 * Create an empty TC of `nodes` (W) for `tree`; rrmin and lis take the W of the
 * MIN they run beside, and have some cells more.  `options` may be NULL.  The
 * caller owns it; release with vat_tc_destroy().  NULL with errno: EINVAL (no
 * policy, bad tree, or fewer nodes than the policy needs, see
 * vat_policy_least_nodes(), or the layout of another tree), ENOMEM.
 */
struct vat_tc *vat_tc_create(const struct vat_policy *policy,
                             const struct vat_tree *tree, uint64_t nodes,
                             const struct vat_tc_options *options);
void vat_tc_destroy(struct vat_tc *tc); /* NULL is fine */

/*
 * Translate `count` page numbers, or addresses, in order.  Returns 0, or -1
 * with errno ERANGE when one lies outside the tree (those before it are
 * translated, vat_tc_counts() tells how many, and others may follow), EINVAL
 * after vat_tc_finish(), ENOMEM, or the errno of the temporary file.  After the
 * last two, which may have come amid the pages, all that can be done is to
 * destroy the TC: the calls that follow fail likewise.
 */
int vat_tc_pages(struct vat_tc *tc, const uint64_t *pages, size_t count);
int vat_tc_addresses(struct vat_tc *tc, const uint64_t *addresses,
                     size_t count);

/*
 * What may be left out of the pages that go in, since it changes no count but
 * that of translations; more is free than the names say, but not less.
 */
enum vat_tc_free {
  VAT_TC_NOTHING_FREE,
  VAT_TC_REPEATS_FREE, /* a page right after itself: x x x is x */
  VAT_TC_PAIRS_FREE    /* two pages in turns, too: x y y x y x is x y x */
};
enum vat_tc_free vat_tc_free(const struct vat_tc *tc);
/* Count translations that were left out for that. */
void vat_tc_left_out(struct vat_tc *tc, uint64_t translations);

/*
 * The stream ends here, under any policy; to call it again changes nothing and
 * returns the same.  Returns 0, or -1 with errno ENOMEM or that of the
 * temporary file.  Online policies have their counts without it.
 */
int vat_tc_finish(struct vat_tc *tc);

/* Counts so far; for policies that need the future, after vat_tc_finish(). */
struct vat_tc_counts vat_tc_counts(const struct vat_tc *tc);

#ifdef __cplusplus
}
#endif
