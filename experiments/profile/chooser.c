/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/chooser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

static double per_byte(const struct chooser_item *item) {
  return item->saving / (double)item->bytes;
}

/* What saves as much per byte: the smaller one, which more likely fits. */
static int compare(const void *x, const void *y) {
  const struct chooser_item *a = *(const struct chooser_item *const *)x;
  const struct chooser_item *b = *(const struct chooser_item *const *)y;
  double left = per_byte(a), right = per_byte(b);
  if (left != right) return left > right ? -1 : 1;
  if (a->bytes != b->bytes) return a->bytes < b->bytes ? -1 : 1;
  return a < b ? -1 : a > b;
}

void chooser_init(struct chooser *chooser, const struct chooser_item *item,
                  size_t items) {
  *chooser = (struct chooser){.item = item, .items = items};
  chooser->order = memory_zeroed(items + 1, sizeof *chooser->order);
  for (size_t i = 0; i < items; i++)
    if (item[i].saving > 0) chooser->order[chooser->ordered++] = &item[i];
  qsort(chooser->order, chooser->ordered, sizeof *chooser->order, compare);
}

void chooser_fini(struct chooser *chooser) {
  free(chooser->order);
  *chooser = (struct chooser){0};
}

/* One way to choose: what is out of question, and what is taken first. */
struct way {
  uint64_t budget;
  enum chooser_role without;
  const struct chooser_item *first; /* NULL: none */
};

/* What of an item is taken where so many bytes are left. */
static uint64_t fitting(const struct chooser_item *item, uint64_t budget,
                        uint64_t left) {
  if (item->bytes <= left) return item->bytes;
  bool divided = item->step && item->bytes > budget && left >= budget - left;
  return divided ? left / item->step * item->step : 0;
}

/* Greedily; returns what is chosen, without its bound. */
static struct chooser_choice fill(struct chooser *chooser,
                                  const struct way *way, bool *chosen) {
  struct chooser_choice choice = {.budget = way->budget};
  if (chosen) memset(chosen, 0, chooser->items * sizeof *chosen);
  for (size_t i = 0; i <= chooser->ordered; i++) {
    const struct chooser_item *item = i ? chooser->order[i - 1] : way->first;
    if (!item || (i && item == way->first) || item->role == way->without)
      continue;
    uint64_t bytes = fitting(item, way->budget, way->budget - choice.bytes);
    bool whole = bytes == item->bytes;
    if (!bytes || (!whole && choice.part_bytes)) continue;
    choice.bytes += bytes;
    choice.saving += whole ? item->saving : per_byte(item) * (double)bytes;
    if (!whole) {
      choice.part = (size_t)(item - chooser->item);
      choice.part_bytes = bytes;
    }
    if (chosen) chosen[item - chooser->item] = true;
  }
  chooser->looks += chooser->ordered;
  return choice;
}

/* The bound; and the item that alone saves most, as far as it fits. */
static double bound(struct chooser *chooser, const struct way *way,
                    const struct chooser_item **best) {
  uint64_t left = way->budget;
  double most = 0, most_alone = 0;
  bool full = false;
  *best = NULL;
  for (size_t i = 0; i < chooser->ordered; i++) {
    const struct chooser_item *item = chooser->order[i];
    uint64_t fits = fitting(item, way->budget, way->budget);
    double alone = per_byte(item) * (double)fits;
    if (item->role == way->without || !fits) continue;
    if (alone > most_alone) {
      most_alone = alone;
      *best = item;
    }
    if (full) continue;
    full = item->bytes > left;
    most += full ? per_byte(item) * (double)left : item->saving;
    left -= full ? left : item->bytes;
  }
  chooser->looks += chooser->ordered;
  return most;
}

struct chooser_choice chooser_choose(struct chooser *chooser, uint64_t budget,
                                     bool *chosen) {
  static const enum chooser_role without[] = {CHOOSER_WHOLE, CHOOSER_PART};
  struct chooser_choice found = {.budget = budget};
  struct way best = {.budget = budget, .without = CHOOSER_WHOLE};
  double most = 0;
  for (int i = 0; i < 2; i++) {
    struct way way = {.budget = budget, .without = without[i]};
    const struct chooser_item *alone;
    most = fmax(most, bound(chooser, &way, &alone));
    for (int first = 0; first < 2; first++) {
      way.first = first ? alone : NULL;
      struct chooser_choice choice = fill(chooser, &way, NULL);
      if (choice.saving <= found.saving) continue;
      found = choice;
      best = way;
    }
  }
  if (chosen) fill(chooser, &best, chosen);
  found.most = fmax(most, found.saving); /* but for rounding */
  return found;
}

void chooser_curve(struct chooser *chooser, const uint64_t *budget,
                   size_t budgets, struct chooser_choice *choice) {
  for (size_t i = 0; i < budgets; i++) {
    choice[i] = chooser_choose(chooser, budget[i], NULL);
    if (!i || choice[i].saving >= choice[i - 1].saving) continue;
    double most = choice[i].most;
    choice[i] = choice[i - 1];
    choice[i].most = most;
  }
}
