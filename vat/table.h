/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/table.h -- hashed page tables in the place of the translation tree
 * (Jurkiewicz, PhD thesis, section 2.6.4 argues against them).
 *
 * An entry translates a block of 2^b consecutive pages.  That of block x is
 * looked for from place `hash(x)` on, place by place, up to it or to a free
 * place (linear probing).  What a TC holds is lines of 64 bytes: a look-up
 * accesses the lines of the places that it looks at, in their order.
 *
 * A block is entered when it is first translated, at the free place that ended
 * its look-up.  The table has 8 places at first.  Before an entry would make
 * the part of places in use larger than `load`, it is replaced by one of twice
 * the places, at other addresses, into which the entries go in the order of
 * their places.  The accesses of that are the kernel's, and are not counted.
 *
 * hash(x) is the upper bits of the finalizer of MurmurHash3: neighbours lie
 * anywhere.  Not thread-safe.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "vat/tc.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vat_table_kind {
  VAT_TABLE_HASHED,      /* an entry a page, 8 entries a line */
  VAT_TABLE_CLUSTERED_8, /* an entry for 8 pages, which is a line */
  VAT_TABLE_CLUSTERED_16 /* for 16 pages */
};
extern const char *const vat_table_kind_names[]; /* ends with NULL */
/* Pages an entry, and entries a line, as powers of two. */
unsigned vat_table_block_bits(enum vat_table_kind kind);
unsigned vat_table_line_bits(enum vat_table_kind kind);

enum {
  VAT_TABLE_PLACES = 8,    /* of an empty table */
  VAT_TABLE_PAGE_BITS = 60 /* the most of a page number */
};

struct vat_table_options {
  const struct vat_policy *policy;
  enum vat_table_kind kind;
  unsigned page_bits; /* p, 0..48; 0: addresses are page numbers */
  uint64_t nodes;     /* W, in lines; > 0 */
  double load;        /* of places in use, at most: 0 < load < 1 */
  struct vat_tc_options tc;
};

struct vat_table_counts {
  uint64_t translations; /* pages looked up */
  uint64_t probes;       /* places looked at */
  uint64_t lines;        /* accessed */
  uint64_t misses;       /* of these */
  uint64_t entries;      /* blocks entered */
  uint64_t places;
  uint64_t growths; /* times that the table was replaced */
};

struct vat_table;

/*
 * Create an empty table and an empty TC.  The caller owns it; release with
 * vat_table_destroy().  NULL with errno: EINVAL (no policy, or a number out of
 * its range), ENOTSUP (a policy that is one for trees only: rrmin, lis; or a
 * layout of page sizes), ENOMEM.
 */
struct vat_table *vat_table_create(const struct vat_table_options *options);
void vat_table_destroy(struct vat_table *table); /* NULL is fine */

/* As vat_tc_addresses() and vat_tc_finish(); ERANGE: a page number of more than
 * VAT_TABLE_PAGE_BITS bits. */
int vat_table_addresses(struct vat_table *table, const uint64_t *addresses,
                        size_t count);
int vat_table_finish(struct vat_table *table);

/* So far; misses of policies that need the future: after the end. */
struct vat_table_counts vat_table_counts(const struct vat_table *table);

#ifdef __cplusplus
}
#endif
