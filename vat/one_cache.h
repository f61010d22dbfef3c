/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/one_cache.h -- one cache for data and page tables, as real machines have
 * it (Jurkiewicz, PhD thesis, section 2.3, footnote 5; doc/one-cache.md).
 *
 * The cache holds W lines of 64 bytes.  An access touches the line of each node
 * of its path, root first, and then the line of its datum.  A line of a layer
 * is 8 consecutive nodes of it, since an entry of a page table has 8 bytes.  So
 * the lines of the tables are the nodes of a tree whose pages are 8 times as
 * large, and a TC with as many lines is that of vat/tc.h for that tree.
 *
 * The policy sees lines and knows no tree: islru is lru, ismin is min.  Not
 * thread-safe.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "vat/tc.h"

enum {
  VAT_LINE_BITS = 6,              /* of 64 bytes */
  VAT_LINE_ENTRY_BITS = 3,        /* which are 8 entries */
  VAT_ONE_CACHE_ADDRESS_BITS = 61 /* the most of an address */
};

struct vat_one_cache_options {
  const struct vat_policy *policy;
  struct vat_tree tree; /* pages of at least a line */
  uint64_t lines;       /* W > 0 */
  struct vat_tc_options tc;
};

struct vat_one_cache_counts {
  struct vat_tc_counts tables; /* misses of lines of the tables, by layer */
  uint64_t data_misses;
};

struct vat_one_cache;

/*
 * Create an empty cache.  The caller owns it; release with
 * vat_one_cache_destroy().  NULL with errno: EINVAL (no policy, or a number out
 * of its range), ENOTSUP (a policy that is one for trees only: rrmin, lis; or a
 * layout of page sizes), ENOMEM.
 */
struct vat_one_cache *vat_one_cache_create(
    const struct vat_one_cache_options *options);
void vat_one_cache_destroy(struct vat_one_cache *cache); /* NULL is fine */

/* As vat_tc_addresses() and vat_tc_finish(); ERANGE: an address outside the
 * tree, or of more than VAT_ONE_CACHE_ADDRESS_BITS bits. */
int vat_one_cache_addresses(struct vat_one_cache *cache,
                            const uint64_t *addresses, size_t count);
int vat_one_cache_finish(struct vat_one_cache *cache);

/* So far; misses of policies that need the future: after the end. */
struct vat_one_cache_counts vat_one_cache_counts(
    const struct vat_one_cache *cache);
