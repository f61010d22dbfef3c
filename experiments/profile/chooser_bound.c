/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/chooser_bound.h"

#include <stdlib.h>

#include "experiments/cli/memory.h"

static double per_byte(const struct chooser_step *step) {
  return step->saving / (double)step->bytes;
}

static int compare(const void *x, const void *y) {
  const struct chooser_step *a = x, *b = y;
  double left = per_byte(a), right = per_byte(b);
  if (left != right) return left > right ? -1 : 1;
  return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

/* A corner of the hull, after those so far: steps that would save less per
 * byte than what comes behind them are joined with it. */
static void add_corner(struct chooser_bound *bound, size_t first,
                       struct chooser_step step) {
  while (bound->count > first &&
         per_byte(&bound->step[bound->count - 1]) <= per_byte(&step)) {
    const struct chooser_step *last = &bound->step[--bound->count];
    step.bytes += last->bytes;
    step.saving += last->saving;
  }
  *ARRAY_ADD(bound->step, bound->count) = step;
}

static void add_item(struct chooser_bound *bound,
                     const struct chooser_item *item) {
  size_t first = bound->count;
  uint64_t bytes = 0, need = item->parts ? item->part->least : item->bytes;
  double saving = 0;
  for (size_t i = 0; i <= item->parts; i++) {
    bool all = i == item->parts;
    uint64_t to = all ? item->bytes : item->part[i].least;
    double saves = all ? item->saving : item->part[i].saving;
    if (saves <= saving) continue;
    add_corner(bound, first,
               (struct chooser_step){to - bytes, need, 0, saves - saving, 0});
    bytes = to;
    saving = saves;
  }
}

void chooser_bound_init(struct chooser_bound *bound,
                        const struct chooser_item *item, size_t items,
                        enum chooser_role without) {
  *bound = (struct chooser_bound){0};
  for (size_t i = 0; i < items; i++)
    if (item[i].saving > 0 && item[i].role != without)
      add_item(bound, &item[i]);
  size_t count = bound->count;
  ARRAY_ADD(bound->step, count); /* the end */
  bound->step[bound->count] = (struct chooser_step){0};
  qsort(bound->step, bound->count, sizeof *bound->step, compare);
  for (size_t i = 0; i < bound->count; i++) {
    struct chooser_step *step = &bound->step[i];
    step[1].bytes_before = step->bytes_before + step->bytes;
    step[1].saving_before = step->saving_before + step->saving;
  }
}

void chooser_bound_fini(struct chooser_bound *bound) {
  free(bound->step);
  *bound = (struct chooser_bound){0};
}

double chooser_bound(const struct chooser_bound *bound, uint64_t budget,
                     uint64_t *looks) {
  size_t i = 0, to = bound->count;
  for (; i < to; ++*looks) {
    size_t middle = i + (to - i) / 2;
    if (bound->step[middle + 1].bytes_before <= budget)
      i = middle + 1;
    else
      to = middle;
  }
  double most = bound->step[i].saving_before;
  uint64_t left = budget - bound->step[i].bytes_before;
  for (; i < bound->count && left; i++, ++*looks) {
    const struct chooser_step *step = &bound->step[i];
    if (step->need > budget) continue;
    uint64_t bytes = step->bytes < left ? step->bytes : left;
    most += per_byte(step) * (double)bytes;
    left -= bytes;
  }
  return most;
}
