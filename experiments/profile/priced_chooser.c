/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/priced_chooser.h"

#include <math.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/small_blocks.h"

enum way { WITHOUT_ARENA, WITHOUT_SMALL, OF_ALL };

/* Is its largest part chosen instead of all of it, where there is no arena? */
static bool largest_part(const struct candidate *c) {
  return c->arena && c->what == PLAN_SITE_LARGE && c->parts.count;
}

static bool is_small(const struct candidate *c) {
  return c->arena && c->what == PLAN_SITE_SMALL;
}

static struct chooser_item without_arena(const struct candidate *c,
                                         const struct chooser_item *item) {
  struct chooser_item apart = *item;
  if (!largest_part(c)) {
    apart.saving = 0;
    return apart;
  }
  const struct chooser_part *largest = &item->part[--apart.parts];
  apart.bytes = largest->bytes;
  apart.saving = largest->saving;
  return apart;
}

static void add_way(struct priced_chooser *chooser,
                    const struct candidates *all, enum way which,
                    struct priced_way price) {
  struct priced_way *way = &chooser->way[chooser->ways++];
  struct chooser_item *item = memory_zeroed(all->count + 1, sizeof *item);
  for (size_t i = 0; i < all->count; i++) {
    item[i] = all->item[i];
    if (!all->at[i].arena || !(item[i].saving > 0)) continue;
    if (which == WITHOUT_ARENA)
      item[i] = without_arena(&all->at[i], &all->item[i]);
    else if (which == WITHOUT_SMALL && is_small(&all->at[i]))
      item[i].saving = 0;
  }
  *way = price;
  way->whole = which != WITHOUT_ARENA;
  chooser_init(&way->chooser, item, all->count);
  free(item);
}

void priced_chooser_init(struct priced_chooser *chooser,
                         const struct candidates *all, double look_ups_s,
                         double arena_s) {
  const struct priced_way none = {.arena = 0},
                          arena = {.arena = SMALL_BLOCKS_BEGIN,
                                   .arena_s = arena_s};
  bool small = false, large = false, large_left_out = false;
  *chooser = (struct priced_chooser){.ways = 0};
  for (size_t i = 0; i < all->count; i++) {
    const struct chooser_item *item = &all->item[i];
    if (!all->at[i].arena || !(item->saving > 0)) continue;
    if (!is_small(&all->at[i]))
      *(item->left_out ? &large_left_out : &large) = true;
    else if (!item->left_out)
      small = true;
  }
  struct priced_way of_all = small || large ? arena : none;
  if (small) of_all.look_ups_s = look_ups_s;
  if (small || large) add_way(chooser, all, WITHOUT_ARENA, none);
  if (small && (large || large_left_out)) /* the latter for the bound */
    add_way(chooser, all, WITHOUT_SMALL, arena);
  add_way(chooser, all, OF_ALL, of_all);
}

void priced_chooser_fini(struct priced_chooser *chooser) {
  for (size_t i = 0; i < chooser->ways; i++)
    chooser_fini(&chooser->way[i].chooser);
}

const struct chooser *priced_chooser_of_all(
    const struct priced_chooser *chooser) {
  return &chooser->way[chooser->ways - 1].chooser;
}

static struct priced_choice choose_by(struct priced_way *way, uint64_t budget,
                                      bool *chosen) {
  uint64_t rest = budget > way->arena ? budget - way->arena : 0;
  struct chooser_choice choice = chooser_choose(&way->chooser, rest, chosen);
  if (choice.bytes) choice.bytes += way->arena;
  choice.saving -= way->look_ups_s + way->arena_s;
  choice.most -= way->look_ups_s + way->arena_s;
  return (struct priced_choice){choice, way->look_ups_s, way->whole};
}

struct priced_choice priced_choose(struct priced_chooser *chooser,
                                   uint64_t budget, bool *chosen) {
  struct priced_way *way = chooser->way;
  struct priced_choice best = choose_by(way, budget, NULL);
  double most = best.choice.most;
  size_t by = 0;
  for (size_t i = 1; i < chooser->ways; i++) {
    struct priced_choice choice = choose_by(&way[i], budget, NULL);
    most = fmax(most, choice.choice.most);
    if (!(choice.choice.saving > best.choice.saving)) continue;
    best = choice;
    by = i;
  }
  if (chosen) choose_by(&way[by], budget, chosen);
  best.choice.most = most;
  return best;
}

void priced_cut(struct candidates *all, const struct priced_choice *plan,
                const bool *chosen) {
  const struct chooser_choice *choice = &plan->choice;
  for (size_t i = 0; i < all->count; i++) {
    struct candidate *c = &all->at[i];
    if (!chosen[i]) continue;
    if (choice->part_bytes && choice->part == i)
      candidate_cut(c, choice->part_number);
    else if (!plan->whole && largest_part(c))
      candidate_cut(c, c->parts.count - 1);
  }
}
