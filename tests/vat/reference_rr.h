/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/vat/reference_rr.h -- RRMIN and LIS straight from sections 2.3.7 and
 * 2.3.8 of the source: cells, marks and a list of pairs for phi, searched
 * linearly.  Choices that the source leaves open are those of vat/rrmin.c and
 * vat/lis.c.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vat/tree.h"

struct reference_rr {
  uint64_t
      min[VAT_LAYERS_MAX]; /* misses by layer; lis is eager_lis made lazy */
  uint64_t rrmin[VAT_LAYERS_MAX];
  uint64_t eager_lis[VAT_LAYERS_MAX];
  uint64_t lis[VAT_LAYERS_MAX];
  unsigned settled;    /* nodes that moved from rr to a regular cell */
  unsigned empty_mark; /* times case 1 had only an empty marked cell to use */
  /* Of all moments between two translations: */
  bool bijection;  /* phi: nodes of MIN to ancestors in RRMIN's regular cells */
  bool segments;   /* RRMIN's regular cells, LIS eager and lazy */
  bool invariants; /* 1, 2, 3 and 5 of section 2.3.8 */
  bool path_there; /* LIS, eager and lazy, has the path just translated */
};

/* Beside a MIN of `nodes` cells; at most REFERENCE_NODES with d more. */
struct reference_rr reference_rr(const struct vat_tree *tree,
                                 const uint64_t *pages, size_t count,
                                 unsigned nodes);
