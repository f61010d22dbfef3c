/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/bounds_stretch.h -- runs that are cut into stretches.  Internal to vat/.
 *
 * Under LRU, a stretch of a run that touches at most W nodes misses each of
 * them once at most.  So a run costs no more than what its stretches touch,
 * each counted by itself (doc/cache-oblivious.md).
 */
#pragma once
#include "vat/bounds_parts.h"

/* What a stretch touches: nodes of all layers, which have to fit W; and of
 * layers of several nodes, which are missed anew in each stretch. */
struct stretch {
  double cells, misses;
};

/* `nodes` more of a layer of a workspace of so many words, but no more than it
 * has. */
void vat_bounds_touch(const struct vat_bounds_case *c, unsigned layer,
                      double nodes, double words, struct stretch *stretch);

/* What `count` parts of this size touch, one after the other. */
typedef struct stretch vat_bounds_together(const struct vat_bounds_case *c,
                                           double size, double count);

/*
 * Misses of `count` parts, a power of two, at most: as many at a time as fit W,
 * or where not even one does each what `alone` says.
 */
double vat_bounds_parts_most(const struct vat_bounds_case *c, double size,
                             double count, vat_bounds_together *together,
                             double (*alone)(const struct vat_bounds_case *c,
                                             double size));
