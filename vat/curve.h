/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/curve.h -- misses of a stream for every W, in one pass.
 *
 * For lru, islru, min and ismin the TC of W nodes is at all times a subset of
 * that of W + 1 nodes, so that the nodes stand in one list whose first W are
 * the TC (Mattson et al., IBM Systems Journal 9(2), 1970).  An access misses
 * for exactly those W that are less than its node's position; the curve is the
 * histogram of these positions, summed.  It holds what vat_tc_counts() says
 * for each W from d + 1 on.
 *
 * Used as a TC is (vat/tc.h).  Memory grows with the distinct nodes; policies
 * that know the future also keep the stream.  Not thread-safe.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "vat/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vat_curve;

struct vat_curve_point {
  uint64_t nodes;  /* W */
  uint64_t misses; /* over all layers */
};

/*
 * The curve of an empty stream so far.  `options` may be NULL.  The caller owns
 * it; release with vat_curve_destroy().  NULL with errno: EINVAL (no policy,
 * bad tree), ENOTSUP (the policy has no curve, or a layout of page sizes),
 * ENOMEM.
 */
struct vat_curve *vat_curve_create(const struct vat_policy *policy,
                                   const struct vat_tree *tree,
                                   const struct vat_tc_options *options);
void vat_curve_destroy(struct vat_curve *curve); /* NULL is fine */

/* As vat_tc_pages(), vat_tc_addresses() and vat_tc_finish(). */
int vat_curve_pages(struct vat_curve *curve, const uint64_t *pages,
                    size_t count);
int vat_curve_addresses(struct vat_curve *curve, const uint64_t *addresses,
                        size_t count);
int vat_curve_finish(struct vat_curve *curve);

/* Pages looked up so far. */
uint64_t vat_curve_translations(const struct vat_curve *curve);

/*
 * The curve: first W = levels + 1, then each W that misses less than W - 1
 * does, ascending; so the last has the compulsory misses, one a distinct node.
 * Complete after vat_curve_finish().  `*points` is the caller's to free().  0,
 * or -1 with ENOMEM.
 */
int vat_curve_points(const struct vat_curve *curve,
                     struct vat_curve_point **points, size_t *count);

#ifdef __cplusplus
}
#endif
