/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/tc_curve_cache.h -- curves that were simulated before, on
 * disk beside the reuse profiles (experiments/reuse/reuse_cache.h). */
#pragma once
#include <stdbool.h>

#include "cpu_algos/algo.h"
#include "experiments/stream/stream.h"
#include "vat/curve.h"
#include "vat/tree.h"

struct tc_curve {
  const struct algo *algo;
  const char *generator; /* one of algo's; NULL: its first */
  uint64_t n;
  size_t page_bytes;
  double ops; /* RAM complexity of n */
  struct vat_curve_point *points;
  size_t count;
};

/* Sets the points of `curve`, which are then its owner's to free(); false:
 * there are none of this stream and tree. */
bool tc_curve_cache_read(struct tc_curve *curve, const struct stream *stream,
                         const struct vat_tree *tree);
void tc_curve_cache_write(const struct tc_curve *curve,
                          const struct stream *stream,
                          const struct vat_tree *tree);
