/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/chooser.h -- what to choose within a budget of bytes, so
 * that it saves much: a knapsack.
 *
 * The best of these is chosen:
 *  - items by saving per byte, the most first, without those that do not fit
 *    any more;
 *  - the same, but of the first one that does not fit and can be divided as
 *    many steps as fit, if at least half of the budget is left for it: less is
 *    no reason for a choice of its own;
 *  - one of the few items that save most, and then as the first;
 *  - the item that saves most alone, or a part of it.
 * That is at least half of what any choice can save (Kellerer, Pferschy,
 * Pisinger: Knapsack Problems, section 2.5), and usually all but the last item
 * of it.
 *
 * A larger budget never saves less.  Proof, for the first: where a larger
 * budget first chooses otherwise, it takes an item that does not fit into what
 * the smaller one has left; that item alone saves more than what is left can,
 * as all that follows saves no more per byte.  The second: so do more steps of
 * the item that is divided; as many leave more for what follows.  Where the
 * smaller budget divides, the larger one has half of itself left, too, as both
 * spent the same.  The others are such for each item, and those that fit, or
 * the few that save most, do not become fewer.
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

/* Of one item: where it is, and what those before it are in all. */
struct chooser_entry {
  size_t number;
  uint64_t bytes, step, bytes_before;
  double saving, saving_before;
};

enum { CHOOSER_FIRST = 4, CHOOSER_BLOCK = 64 };

/* Items without one role that save, by saving per byte; and the end of them. */
struct chooser_list {
  struct chooser_entry *entry;
  size_t count;
  uint64_t *least[2]; /* bytes that each CHOOSER_BLOCK items need; [1]: in part
                       */
  size_t *by_bytes, *best; /* and the one that saves most, up to there */
  size_t first[CHOOSER_FIRST], firsts; /* that save most */
};

struct chooser {
  struct chooser_list list[2]; /* without the whole; without its parts */
  size_t items;
  uint64_t looks; /* at items or blocks of them: what choosing costs */
};

/* What is chosen within a budget. */
struct chooser_choice {
  uint64_t bytes;
  double saving;
  size_t part;         /* the item of which a part is chosen, and */
  uint64_t part_bytes; /* its bytes; 0: all are chosen as a whole */
  double most;         /* that any choice within the budget can save */
};

void chooser_init(struct chooser *chooser, const struct chooser_item *item,
                  size_t items);
void chooser_fini(struct chooser *chooser);

/* `chosen`: of each item; or NULL. */
struct chooser_choice chooser_choose(struct chooser *chooser, uint64_t budget,
                                     bool *chosen);
