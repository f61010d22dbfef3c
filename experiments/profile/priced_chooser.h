/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/priced_chooser.h -- what to choose of candidates, where
 * some choices have a price of their own.
 *
 * What is in the arena needs its first bytes, which are a part of the budget;
 * and with small blocks there, each call of malloc() is looked up, which takes
 * time.  So there are several ways to choose: without the arena, without small
 * blocks in it, and of all.  The one that saves most, less its price, is
 * chosen.  A part of a block is never in the arena: so of what is there as a
 * whole, the first way has the largest part.
 *
 * A larger budget never saves less, as it does not in any of these ways.
 */
#pragma once
#include "experiments/profile/candidates.h"
#include "experiments/profile/chooser.h"

struct priced_way {
  struct chooser chooser;
  uint64_t arena;    /* bytes that it takes before anything is chosen, */
  double arena_s;    /* and time; */
  double look_ups_s; /* those of all blocks */
  bool whole;        /* no block is in parts because of the arena */
};

struct priced_chooser {
  struct priced_way way[3];
  size_t ways; /* the last is of all */
};

struct priced_choice {
  struct chooser_choice choice; /* `bytes`, `saving`, `most` are with prices */
  double look_ups_s;            /* of the way */
  bool whole;                   /* of the way, too */
};

/* Look-ups take `look_ups_s`, and the first bytes of the arena `arena_s`, in
 * the unit of what is saved. */
void priced_chooser_init(struct priced_chooser *chooser,
                         const struct candidates *candidates, double look_ups_s,
                         double arena_s);
void priced_chooser_fini(struct priced_chooser *chooser);

/* As if nothing had a price. */
const struct chooser *priced_chooser_of_all(
    const struct priced_chooser *chooser);

/* `chosen`: of each candidate; or NULL. */
struct priced_choice priced_choose(struct priced_chooser *chooser,
                                   uint64_t budget, bool *chosen);

/* Leave of chosen candidates the parts that are chosen. */
void priced_cut(struct candidates *candidates,
                const struct priced_choice *choice, const bool *chosen);
