/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/chooser.h -- what to choose within a budget of bytes, so
 * that it saves much: a knapsack.
 *
 * A part of an item is one of those that it names; which of them saves most
 * need not be in proportion to its bytes.  The best of these is chosen:
 *  - items by saving per byte, the most first, without those that do not fit
 *    any more;
 *  - those that fit one after the other, and of the next one the largest part
 *    that fits, if it saves at least a sixteenth of what they do: less is no
 *    reason for a choice of its own;
 *  - one of the few items that save most, and then as the first;
 *  - of one of the few that have parts and save most, what fits into a half,
 *    three quarters or seven eighths of the budget, and then as the first;
 *  - the item that saves most alone, or a part of it.
 * The first and the last are at least half of what any choice of whole items
 * that are not left out can save (Kellerer, Pferschy, Pisinger: Knapsack
 * Problems, section 2.5), and
 * so a third of what these and a part of one more can: the part alone is among
 * the last.  Usually it is all but the last item.
 *
 * A larger budget never saves less.  Proof, for the first: where a larger
 * budget first chooses otherwise, it takes an item that does not fit into what
 * the smaller one has left; that item alone saves more than what is left can,
 * as all that follows saves no more per byte.  The second: as many fit one
 * after the other, and a larger part of the next, for which no less is left and
 * which is no less of what they save; or more fit, the next with them, which
 * saves more than its part.  The others:
 * for each item, neither what fits into its share nor what is left for the
 * first way is less; and those that fit, or the few that save most, do not
 * become fewer.
 *
 * How far from the best a choice may be at most: chooser_bound.h.
 *
 * An item may stand for several others, its parts.  There is either one or the
 * others, so both are tried, each without the other.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiments/profile/chooser_bound.h"

/* Of one item: where it is, and what those before it are in all. */
struct chooser_entry {
  size_t number;
  uint64_t bytes, bytes_before;
  double saving, saving_before;
  const struct chooser_part *part;
  size_t parts;
};

enum { CHOOSER_FIRST = 4, CHOOSER_DIVIDED = 2, CHOOSER_BLOCK = 64 };
enum { CHOOSER_LITTLE = 16 }; /* the part of what others save that is little */

/* Items without one role that save, by saving per byte; and the end of them. */
struct chooser_list {
  struct chooser_entry *entry;
  size_t count;
  uint64_t *least;         /* bytes that each CHOOSER_BLOCK items need */
  size_t *by_bytes, *best; /* and the one that saves most, up to there */
  size_t first[CHOOSER_FIRST], firsts;       /* that save most */
  size_t divided[CHOOSER_DIVIDED], divideds; /* of those with parts */
  struct chooser_bound bound;
};

struct chooser {
  struct chooser_list list[2]; /* without the whole; without its parts */
  size_t items;
  /* At items or blocks of them: what choosing costs.  At few items where most
   * fit into the budget; at each a few times where most are larger. */
  uint64_t looks;
};

/* What is chosen within a budget. */
struct chooser_choice {
  uint64_t bytes;
  double saving;
  size_t part;         /* the item of which a part is chosen, */
  size_t part_number;  /* which one, and */
  uint64_t part_bytes; /* its bytes; 0: all are chosen as a whole */
  double most;         /* that any choice within the budget can save */
};

void chooser_init(struct chooser *chooser, const struct chooser_item *item,
                  size_t items);
void chooser_fini(struct chooser *chooser);

/* `chosen`: of each item; or NULL. */
struct chooser_choice chooser_choose(struct chooser *chooser, uint64_t budget,
                                     bool *chosen);
