/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/intake.h -- how pages come into a simulation: made of addresses, checked,
 * counted, and without those immediate repeats that cannot change a count.
 * Internal to vat/.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vat/layout_find.h"
#include "vat/stream_end.h"
#include "vat/tc.h"

/* Pages handed on at a time: enough to look ahead in, and to pay for a call;
 * few enough to stay in the first-level cache. */
enum { INTAKE_BLOCK = 1024 };

struct intake {
  struct stream_end end;
  struct vat_tree tree;
  struct layout_find *layout; /* NULL: all pages have the tree's size */
  unsigned repeats_kept;      /* of a page in a row: 0, 1, or all (UINT_MAX) */
  bool started;
  uint64_t last;    /* the page translated last, as a path */
  unsigned repeats; /* of it in a row so far */
  uint64_t translations;
  uint64_t block[INTAKE_BLOCK];
};

/* A zeroed intake for a tree and its layout.  0, or -1 with errno of
 * vat_layout_find_create().  One that
 * has no layout need not be released. */
int vat_intake_init(struct intake *intake, const struct vat_tree *tree,
                    const struct vat_tc_options *options);
void vat_intake_fini(struct intake *intake);

/* Hand `count` pages, each shifted right by `shift`, on to `translate`, as
 * paths.  0, or -1 with its errno, which ends the stream, or that of
 * stream_end_check(), or ERANGE when one is outside the tree: those before it
 * are translated. */
int vat_intake_feed(struct intake *intake, const uint64_t *from, size_t count,
                    unsigned shift,
                    int (*translate)(void *state, const uint64_t *pages,
                                     size_t count),
                    void *state);
