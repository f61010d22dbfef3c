/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/leave_out.h"

#include <math.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"

static int compare_savings(const void *x, const void *y) {
  return order_reals(*(const double *)x, *(const double *)y);
}

double leave_out_nothing(double all, double noise) {
  return fmax(0.005 * all, fmin(noise, 0.1 * all));
}

double leave_out(struct chooser_item *item, size_t items, double noise) {
  double *saving = memory_zeroed(items + 1, sizeof *saving);
  double sum = 0, left_out = 0, least = 0, all = 0;
  size_t count = 0, at = 0;
  for (size_t i = 0; i < items; i++)
    if (item[i].role != CHOOSER_WHOLE) sum += saving[count++] = item[i].saving;
  qsort(saving, count, sizeof *saving, compare_savings);
  const double nothing = leave_out_nothing(sum, noise);
  for (; at < count && left_out + saving[at] < nothing; at++)
    left_out += saving[at];
  if (at < count) least = saving[at]; /* stays, as do all that save as much */
  for (size_t i = 0; i < items; i++) {
    if (item[i].role == CHOOSER_WHOLE || item[i].saving >= least) continue;
    item[i].left_out = true;
    all += item[i].saving;
  }
  free(saving);
  return all;
}
