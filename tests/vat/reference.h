/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/vat/reference.h -- every policy straight from its definition.
 *
 * Slow on purpose: linear scans over small arrays, no idea shared with vat/.
 * At most REFERENCE_NODES distinct nodes in a TC.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vat/tree.h"

enum { REFERENCE_NODES = (1 << 14) + 256 };

/* The layer of the leaf of each translation, whose page is then its leaf's
 * first; NULL: all are on layer 0.  Of the policies below, not of
 * reference_contents(). */
extern const unsigned *reference_leaves;
/* Has the path of a translation a node on that layer? */
bool reference_reaches(size_t translation, unsigned layer);

typedef void reference_policy(const struct vat_tree *tree,
                              const uint64_t *pages, size_t count,
                              unsigned nodes, uint64_t *misses_by_layer);

reference_policy reference_lru, reference_islru, reference_min, reference_ismin,
    reference_rrmin, reference_lis, /* in reference_rr.c */
    reference_fifo, reference_clock, reference_random,
    reference_plru; /* in reference_cells.c */

/* Of what reference_random() draws. */
#define REFERENCE_SEED 0u

/* The reference of a policy by its name; NULL: none. */
reference_policy *reference_of(const char *policy);

/* A set of nodes of a tree of at most 64: the bit of the `index`-th
 * node of a layer. */
uint64_t reference_bit(const struct vat_tree *tree, uint64_t index,
                       unsigned layer);

/* What is in the TC of lru, islru, min or ismin after each of the count * (d +
 * 1) accesses. */
void reference_contents(const char *policy, const struct vat_tree *tree,
                        const uint64_t *pages, size_t count, unsigned nodes,
                        uint64_t *after);
