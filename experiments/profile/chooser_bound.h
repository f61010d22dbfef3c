/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/chooser_bound.h -- how much any choice of items within a
 * budget can save at most.
 *
 * Of each item, what b bytes of it save is at most its hull at b: the least
 * concave function that is 0 at 0 and not below any of its choices (all of it;
 * each of its parts from `least` on).  The steps between the corners of a hull
 * save ever less per byte.  So the sum of all hulls, of bytes that add up to
 * the budget, is most where the steps of all items are taken by saving per
 * byte, and of the last one the part that fits.  A choice is such a sum of
 * choices of single items, and saves no more.  Without parts, that is Dantzig
 * (1957); with them, the relaxation of a knapsack with multiple choice
 * (Kellerer, Pferschy, Pisinger: Knapsack Problems, section 11.2).  An item of
 * which nothing fits into the budget is left out.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "experiments/profile/chooser_item.h"

/* More of an item, and what those before it are in all. */
struct chooser_step {
  uint64_t bytes, need; /* the least of the item that can be chosen */
  uint64_t bytes_before;
  double saving, saving_before;
};

struct chooser_bound {
  struct chooser_step *step;
  size_t count;
};

void chooser_bound_init(struct chooser_bound *bound,
                        const struct chooser_item *item, size_t items,
                        enum chooser_role without);
void chooser_bound_fini(struct chooser_bound *bound);

/* `looks`: at steps; is added to. */
double chooser_bound(const struct chooser_bound *bound, uint64_t budget,
                     uint64_t *looks);
