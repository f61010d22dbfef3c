/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/chooser.h -- what to choose within a budget of bytes, so
 * that it saves much: a knapsack.
 *
 * Items are taken by saving per byte, the most first, and those that do not fit
 * any more are left out.  Where the one item that saves most does better
 * together with what then still fits, that is taken.  This is at least half of
 * what any choice can save (Kellerer, Pferschy, Pisinger: Knapsack Problems,
 * section 2.5), and usually all but the last item of it.
 *
 * Of an item that is larger than the whole budget, and can be divided, the
 * first part is taken, as many steps as fit, while at least half of the budget
 * is left: less is no reason for a choice of its own.  The above still holds:
 * what is then not used is worth less than what is chosen.
 *
 * No choice saves more than the items in that order, of the last one only the
 * part that fits (Dantzig 1957): this bound says how far from the best a choice
 * may be at most.
 *
 * An item may stand for several others, its parts.  There is either one or the
 * others, so both are tried, each without the other.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum chooser_role { CHOOSER_APART, CHOOSER_PART, CHOOSER_WHOLE };

struct chooser_item {
  uint64_t bytes; /* more than 0 */
  double saving;  /* what does not save is never chosen */
  enum chooser_role role;
  uint64_t step; /* in which it can be divided; 0: all of it or nothing */
};

struct chooser {
  const struct chooser_item *item;
  size_t items;
  const struct chooser_item **order; /* those that save */
  size_t ordered;
  uint64_t looks; /* at items, so far: what choosing costs */
};

/* What is chosen within a budget. */
struct chooser_choice {
  uint64_t budget; /* that it was chosen for, which gives it again */
  uint64_t bytes;
  double saving;
  size_t part;         /* the item of which a part is chosen, and */
  uint64_t part_bytes; /* its bytes; 0: all are chosen as a whole */
  double most;         /* that any choice within the budget can save */
};

/* `item` must outlive it. */
void chooser_init(struct chooser *chooser, const struct chooser_item *item,
                  size_t items);
void chooser_fini(struct chooser *chooser);

/* `chosen`: of each item; or NULL. */
struct chooser_choice chooser_choose(struct chooser *chooser, uint64_t budget,
                                     bool *chosen);

/* A choice for each budget; these rise.  What was chosen for less is kept where
 * nothing better is found, so that savings never fall. */
void chooser_curve(struct chooser *chooser, const uint64_t *budget,
                   size_t budgets, struct chooser_choice *choice);
