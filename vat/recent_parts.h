/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/recent_parts.h -- is an access to a part of memory that was not accessed
 * since W TC misses (Jurkiewicz, PhD thesis, Definition 2.35)?
 *
 * Only the parts of the last 2 W are kept.  Others are far: since W misses ago,
 * what was accessed was in the TC then, or has missed since; so these are less
 * than 2 W pages.  Internal to vat/.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "vat/node_set.h"

struct recent_parts {
  struct node_set set; /* by recency; a key is a part's number */
  uint64_t nodes;      /* W */
  uint64_t *misses;    /* [slot]: how many there were at its last access */
};

/* 0, or -1 with ENOMEM. */
int vat_recent_parts_init(struct recent_parts *parts, uint64_t nodes);
void vat_recent_parts_fini(struct recent_parts *parts);

/*
 * An access to `part`, with `before` misses in all before it and `after` with
 * its own: 1 if the part is far, 0 if not, -1 with ENOMEM.  A part never
 * accessed before is far.
 */
int vat_recent_parts_access(struct recent_parts *parts, uint64_t part,
                            uint64_t before, uint64_t after);
