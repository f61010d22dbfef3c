/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/predict/bounds_fixture.h"

#include <config.h>
#include <stdlib.h>

const struct bounds_policy bounds_policies[BOUNDS_POLICIES] = {
    {"lru", VAT_BOUNDS_RECENT},
    {"islru", VAT_BOUNDS_RECENT},
    {"min", VAT_BOUNDS_MIN},
    {"ismin", VAT_BOUNDS_ISMIN}};

#ifdef HAVE_STREAMS
void bounds_check_curve(const struct predict_form *form,
                        const struct stream_case *stream,
                        enum vat_bounds_policy kind, bounds_check *check) {
  size_t count;
  struct vat_curve_point *curve = stream_case_curve(stream, &count);
  struct vat_bounds_case c = {.n = stream->n,
                              .base = stream->base,
                              .tree = stream_case_tree(stream),
                              .policy = kind};
  uint64_t end = curve[count - 1].nodes + 2;
  for (c.nodes = c.tree.levels + 1; c.nodes <= end; c.nodes += 1 + c.nodes / 3)
    check(form, &c, (double)stream_curve_at(curve, count, c.nodes));
  free(curve);
}
#endif
