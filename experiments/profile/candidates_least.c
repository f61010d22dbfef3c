/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/candidates.h"

static int compare_savings(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return a < b ? -1 : a > b;
}

/* Each choice is a rule to be matched, and a line to be read: so the least,
 * which together save next to nothing, are left out.  Not the heap as a whole,
 * which is one. */
void candidates_leave_out(struct candidates *all) {
  static const double nothing = 0.005;
  double *saving = memory_zeroed(all->count + 1, sizeof *saving);
  double sum = 0, left_out = 0, least = 0;
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++)
    if (all->item[i].role != CHOOSER_WHOLE)
      sum += saving[count++] = all->item[i].saving;
  qsort(saving, count, sizeof *saving, compare_savings);
  for (size_t i = 0; i < count && left_out + saving[i] < nothing * sum; i++)
    left_out += least = saving[i];
  for (size_t i = 0; i < all->count; i++) {
    struct chooser_item *item = &all->item[i];
    if (item->role == CHOOSER_WHOLE || item->saving > least) continue;
    item->left_out = true;
    all->left_out += item->saving;
  }
  free(saving);
}
