/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/path.h -- a translation path in one word, as policies take it: the number
 * of its leaf's first page of the tree, and above it the leaf's layer.  Where
 * all pages have the tree's size, that is the page number.
 *
 * Of a layout (vat/layout.h), no leaf is above another, so leaves that differ
 * have different first pages, and the highest layer on which two paths differ
 * is that of the highest differing digit of these: it is not below either leaf.
 * Internal to vat/.
 */
#pragma once
#include <stdint.h>

enum {
  PATH_PAGE_BITS = 60,
  PATH_LEAF_MOST = 7 /* layer; the highest bit is left to vat/future.h */
};
#define PATH_PAGE ((UINT64_C(1) << PATH_PAGE_BITS) - 1)

static inline uint64_t path_page(uint64_t path) { return path & PATH_PAGE; }

static inline unsigned path_leaf(uint64_t path) {
  return path >> PATH_PAGE_BITS & PATH_LEAF_MOST;
}
