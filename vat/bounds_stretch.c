/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/bounds_stretch.h"

#include <math.h>

void vat_bounds_touch(const struct vat_bounds_case *c, unsigned layer,
                      double nodes, double words, struct stretch *stretch) {
  double all = vat_bounds_above(c, layer, words);
  stretch->cells += fmin(all, nodes);
  if (all > 1) stretch->misses += fmin(all, nodes);
}

double vat_bounds_parts_most(const struct vat_bounds_case *c, double size,
                             double count, vat_bounds_together *together,
                             double (*alone)(const struct vat_bounds_case *c,
                                             double size)) {
  for (double parts = count; parts >= 1; parts /= 2) {
    struct stretch stretch = together(c, size, parts);
    if (stretch.cells <= (double)c->nodes)
      return count / parts * stretch.misses;
  }
  return count * alone(c, size);
}
