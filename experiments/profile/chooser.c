/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/chooser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

static double per_byte(const struct chooser_entry *item) {
  return item->saving / (double)item->bytes;
}

static int compare_words(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* What saves as much per byte: the smaller one, which more likely fits. */
static int compare(const void *x, const void *y) {
  const struct chooser_entry *a = x, *b = y;
  double left = per_byte(a), right = per_byte(b);
  if (left != right) return left > right ? -1 : 1;
  int order = compare_words(a->bytes, b->bytes);
  return order ? order : compare_words(a->number, b->number);
}

static int compare_bytes(const void *x, const void *y, void *entry) {
  const struct chooser_entry *all = entry;
  const size_t *a = x, *b = y;
  int order = compare_words(all[*a].bytes, all[*b].bytes);
  return order ? order : compare_words(*a, *b);
}

static uint64_t least_of(const struct chooser_entry *item, bool part) {
  return part && item->step && item->step < item->bytes ? item->step
                                                        : item->bytes;
}

/* Sums before each, and the least of each block. */
static void sum_up(struct chooser_list *list) {
  struct chooser_entry *at = list->entry;
  for (size_t i = 0; i < list->count; i++) {
    at[i + 1].bytes_before = at[i].bytes_before + at[i].bytes;
    at[i + 1].saving_before = at[i].saving_before + at[i].saving;
    for (int part = 0; part < 2; part++) {
      uint64_t *least = &list->least[part][i / CHOOSER_BLOCK];
      uint64_t need = least_of(&at[i], part);
      if (i % CHOOSER_BLOCK == 0 || need < *least) *least = need;
    }
  }
}

static void find_best(struct chooser_list *list) {
  for (size_t i = 0; i < list->count; i++) list->by_bytes[i] = i;
  qsort_r(list->by_bytes, list->count, sizeof *list->by_bytes, compare_bytes,
          list->entry);
  for (size_t i = 0; i < list->count; i++) {
    size_t own = list->by_bytes[i], before = i ? list->best[i - 1] : own;
    bool more = list->entry[own].saving > list->entry[before].saving;
    list->best[i] = more ? own : before;
  }
}

/* By insertion, as they are few. */
static void find_first(struct chooser_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    double saving = list->entry[i].saving;
    size_t at = list->firsts;
    while (at && list->entry[list->first[at - 1]].saving < saving) at--;
    if (at == CHOOSER_FIRST) continue;
    if (list->firsts < CHOOSER_FIRST) list->firsts++;
    memmove(&list->first[at + 1], &list->first[at],
            (list->firsts - at - 1) * sizeof *list->first);
    list->first[at] = i;
  }
}

static void list_init(struct chooser_list *list,
                      const struct chooser_item *item, size_t items,
                      enum chooser_role without) {
  list->entry = memory_zeroed(items + 1, sizeof *list->entry);
  for (size_t i = 0; i < items; i++)
    if (item[i].saving > 0 && item[i].role != without)
      list->entry[list->count++] =
          (struct chooser_entry){.number = i,
                                 .bytes = item[i].bytes,
                                 .step = item[i].step,
                                 .saving = item[i].saving};
  qsort(list->entry, list->count, sizeof *list->entry, compare);
  for (int part = 0; part < 2; part++)
    list->least[part] =
        memory_zeroed(list->count / CHOOSER_BLOCK + 1, sizeof **list->least);
  list->by_bytes = memory_zeroed(list->count + 1, sizeof *list->by_bytes);
  list->best = memory_zeroed(list->count + 1, sizeof *list->best);
  sum_up(list);
  find_best(list);
  find_first(list);
}

void chooser_init(struct chooser *chooser, const struct chooser_item *item,
                  size_t items) {
  *chooser = (struct chooser){.items = items};
  list_init(&chooser->list[0], item, items, CHOOSER_WHOLE);
  list_init(&chooser->list[1], item, items, CHOOSER_PART);
}

void chooser_fini(struct chooser *chooser) {
  for (int i = 0; i < 2; i++) {
    struct chooser_list *list = &chooser->list[i];
    free(list->entry);
    free(list->least[0]);
    free(list->least[1]);
    free(list->by_bytes);
    free(list->best);
  }
  *chooser = (struct chooser){0};
}

/* One way to choose. */
struct way {
  const struct chooser_list *list;
  uint64_t budget;
  size_t first; /* is taken first; NONE */
  bool parts;   /* of one item a part can be chosen */
  bool alone;   /* nothing else is */
};
static const size_t NONE = SIZE_MAX;

/* How many fit one after the other. */
static size_t fitting(struct chooser *chooser, const struct chooser_list *list,
                      uint64_t bytes) {
  size_t from = 0, to = list->count;
  for (; from < to; chooser->looks++) {
    size_t middle = from + (to - from) / 2;
    if (list->entry[middle + 1].bytes_before <= bytes)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

/* The next that fits, or a part of which does. */
static size_t next(struct chooser *chooser, const struct chooser_list *list,
                   size_t at, uint64_t left, bool part) {
  for (; at < list->count; chooser->looks++) {
    if (at % CHOOSER_BLOCK == 0 && list->least[part][at / CHOOSER_BLOCK] > left)
      at += CHOOSER_BLOCK;
    else if (least_of(&list->entry[at], part) <= left)
      return at;
    else
      at++;
  }
  return list->count;
}

static void take(struct chooser_choice *choice,
                 const struct chooser_entry *item, uint64_t bytes) {
  choice->bytes += bytes;
  if (bytes < item->bytes) {
    choice->part = item->number;
    choice->part_bytes = bytes;
  }
  choice->saving +=
      bytes < item->bytes ? per_byte(item) * (double)bytes : item->saving;
}

static uint64_t steps_of(const struct chooser_entry *item, uint64_t bytes) {
  if (item->bytes <= bytes) return item->bytes;
  return item->step ? bytes / item->step * item->step : 0;
}

/* What is first would be beside those that fit one after the other before it:
 * chooser_choose() asks for no other. */
static struct chooser_choice fill(struct chooser *chooser,
                                  const struct way *way, bool *chosen) {
  const struct chooser_list *list = way->list;
  const struct chooser_entry *entry = list->entry;
  struct chooser_choice choice = {0};
  bool parts = way->parts;
  if (way->first != NONE)
    take(&choice, &entry[way->first],
         steps_of(&entry[way->first], way->budget));
  if (chosen && way->first != NONE) chosen[entry[way->first].number] = true;
  if (way->alone) return choice;
  size_t i = fitting(chooser, list, way->budget - choice.bytes);
  choice.bytes += entry[i].bytes_before;
  choice.saving += entry[i].saving_before;
  for (size_t k = 0; chosen && k < i; k++) chosen[entry[k].number] = true;
  for (; i < list->count; i++) {
    uint64_t left = way->budget - choice.bytes;
    i = next(chooser, list, i, left, parts);
    if (i == list->count) break;
    bool whole = entry[i].bytes <= left;
    if (i == way->first) continue;
    if (!whole) parts = false;
    if (!whole && left < choice.bytes) continue;
    take(&choice, &entry[i], steps_of(&entry[i], left));
    if (chosen) chosen[entry[i].number] = true;
  }
  return choice;
}

/* Of those that fit, or a part of which does. */
static double bound(struct chooser *chooser, const struct chooser_list *list,
                    uint64_t budget) {
  size_t i = fitting(chooser, list, budget);
  double most = list->entry[i].saving_before;
  uint64_t left = budget - list->entry[i].bytes_before;
  for (; i < list->count && left; i++) {
    const struct chooser_entry *item = &list->entry[i];
    chooser->looks++;
    if (!steps_of(item, budget)) continue;
    uint64_t bytes = item->bytes < left ? item->bytes : left;
    most += per_byte(item) * (double)bytes;
    left -= bytes;
  }
  return most;
}

/* The one that saves most alone; larger ones in part. */
static size_t best_alone(struct chooser *chooser,
                         const struct chooser_list *list, uint64_t budget) {
  size_t best = NONE, i = list->count;
  double most = 0;
  for (; i && list->entry[list->by_bytes[i - 1]].bytes > budget; i--) {
    const struct chooser_entry *item = &list->entry[list->by_bytes[i - 1]];
    double saving = per_byte(item) * (double)steps_of(item, budget);
    chooser->looks++;
    if (saving <= most) continue;
    most = saving;
    best = list->by_bytes[i - 1];
  }
  return i && list->entry[list->best[i - 1]].saving > most ? list->best[i - 1]
                                                           : best;
}

struct best {
  struct chooser_choice choice;
  struct way way;
};

static void try(struct chooser *chooser, const struct way *way,
                struct best *best) {
  struct chooser_choice choice = fill(chooser, way, NULL);
  if (choice.saving > best->choice.saving) *best = (struct best){choice, *way};
}

static void try_list(struct chooser *chooser, const struct chooser_list *list,
                     uint64_t budget, struct best *best) {
  struct way way = {.list = list, .budget = budget, .first = NONE};
  const struct chooser_entry *entry = list->entry;
  try(chooser, &way, best);
  way.parts = true;
  try(chooser, &way, best);
  way.parts = false;
  for (size_t i = 0; i < list->firsts; i++) {
    way.first = list->first[i];
    if (entry[way.first].bytes <= budget &&
        entry[way.first + 1].bytes_before > budget)
      try(chooser, &way, best);
  }
  way.alone = true;
  way.first = best_alone(chooser, list, budget);
  if (way.first != NONE) try(chooser, &way, best);
}

struct chooser_choice chooser_choose(struct chooser *chooser, uint64_t budget,
                                     bool *chosen) {
  struct best best = {.way = {.list = &chooser->list[0], .first = NONE}};
  double most = 0;
  for (int i = 0; i < 2; i++) {
    most = fmax(most, bound(chooser, &chooser->list[i], budget));
    try_list(chooser, &chooser->list[i], budget, &best);
  }
  if (chosen) memset(chosen, 0, chooser->items * sizeof *chosen);
  if (chosen && best.choice.saving > 0) fill(chooser, &best.way, chosen);
  best.choice.most = fmax(most, best.choice.saving); /* but for rounding */
  return best.choice;
}
