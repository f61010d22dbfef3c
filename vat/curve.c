/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/curve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vat/curve_ops.h"
#include "vat/intake.h"

struct vat_curve {
  const struct vat_curve_ops *ops;
  void *state;
  struct curve_counts counts;
  struct intake intake;
};

int vat_curve_counts_reserve(struct curve_counts *counts, uint64_t last) {
  if (last < counts->room) return 0;
  uint64_t room = last < 512 ? 1024 : 2 * (last + 1);
  uint64_t *at = reallocarray(counts->at, room, sizeof *at);
  if (!at) return -1;
  memset(at + counts->room, 0, (room - counts->room) * sizeof *at);
  counts->at = at;
  counts->room = room;
  return 0;
}

struct vat_curve *vat_curve_create(const struct vat_policy *policy,
                                   const struct vat_tree *tree,
                                   const struct vat_tc_options *options) {
  static const struct vat_tc_options none;
  if (vat_tree_check(tree)) return NULL;
  if (!policy || !policy->curve || (options && options->layout)) {
    errno = policy ? ENOTSUP : EINVAL;
    return NULL;
  }
  struct vat_curve *curve = calloc(1, sizeof *curve);
  if (!curve) return NULL;
  curve->ops = policy->curve;
  curve->intake.tree = *tree;
  curve->intake.repeats_kept = curve->ops->repeats_kept;
  if (!vat_curve_counts_reserve(&curve->counts, tree->levels + 1))
    curve->state =
        curve->ops->create(tree, options ? options : &none, &curve->counts);
  if (curve->state) return curve;
  free(curve->counts.at);
  free(curve);
  return NULL;
}

void vat_curve_destroy(struct vat_curve *curve) {
  if (!curve) return;
  curve->ops->destroy(curve->state);
  free(curve->counts.at);
  free(curve);
}

/* Count what is pending. */
static void settle(struct curve_counts *counts) {
  for (unsigned i = 0; i < CURVE_PENDING; i++) curve_counts_add(counts, 0);
}

static int feed(struct vat_curve *curve, const uint64_t *from, size_t count,
                unsigned shift) {
  int failed = vat_intake_feed(&curve->intake, from, count, shift,
                               curve->ops->translate, curve->state);
  settle(&curve->counts);
  return failed;
}

int vat_curve_pages(struct vat_curve *curve, const uint64_t *pages,
                    size_t count) {
  return feed(curve, pages, count, 0);
}

int vat_curve_addresses(struct vat_curve *curve, const uint64_t *addresses,
                        size_t count) {
  return feed(curve, addresses, count, curve->intake.tree.page_bits);
}

int vat_curve_finish(struct vat_curve *curve) {
  int failed = vat_stream_end_finish(&curve->intake.end, curve->ops->finish,
                                     curve->state);
  settle(&curve->counts);
  return failed;
}

uint64_t vat_curve_translations(const struct vat_curve *curve) {
  return curve->intake.translations;
}

int vat_curve_points(const struct vat_curve *curve,
                     struct vat_curve_point **points, size_t *count) {
  const struct curve_counts *counts = &curve->counts;
  uint64_t nodes = curve->intake.tree.levels + 1, misses = counts->compulsory;
  size_t changes = 0, at = 0;
  for (uint64_t i = nodes + 1; i < counts->room; i++) {
    changes += counts->at[i] != 0;
    misses += counts->at[i];
  }
  struct vat_curve_point *point = calloc(changes + 1, sizeof *point);
  if (!point) return -1;
  point[at++] = (struct vat_curve_point){nodes, misses};
  while (at <= changes) {
    uint64_t less = counts->at[++nodes];
    if (!less) continue;
    misses -= less;
    point[at++] = (struct vat_curve_point){nodes, misses};
  }
  *points = point;
  *count = at;
  return 0;
}
