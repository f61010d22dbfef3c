/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/chooser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"
#include "experiments/profile/chooser_bound.h"

static double per_byte(const struct chooser_entry *item) {
  return item->saving / (double)item->bytes;
}

/* What saves as much per byte: the smaller one, which more likely fits. */
static int compare(const void *x, const void *y) {
  const struct chooser_entry *a = x, *b = y;
  double left = per_byte(a), right = per_byte(b);
  if (left != right) return left > right ? -1 : 1;
  int order = order_words(a->bytes, b->bytes);
  return order ? order : order_words(a->number, b->number);
}

static int compare_bytes(const void *x, const void *y, void *entry) {
  const struct chooser_entry *all = entry;
  const size_t *a = x, *b = y;
  int order = order_words(all[*a].bytes, all[*b].bytes);
  return order ? order : order_words(*a, *b);
}

/* Sums before each, and the least of each block. */
static void sum_up(struct chooser_list *list) {
  struct chooser_entry *at = list->entry;
  for (size_t i = 0; i < list->count; i++) {
    at[i + 1].bytes_before = at[i].bytes_before + at[i].bytes;
    at[i + 1].saving_before = at[i].saving_before + at[i].saving;
    uint64_t *least = &list->least[i / CHOOSER_BLOCK];
    if (i % CHOOSER_BLOCK == 0 || at[i].bytes < *least) *least = at[i].bytes;
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
static void insert(const struct chooser_list *list, size_t number, size_t *to,
                   size_t *count, size_t most) {
  size_t at = *count;
  while (at && list->entry[to[at - 1]].saving < list->entry[number].saving)
    at--;
  if (at == most) return;
  if (*count < most) ++*count;
  memmove(&to[at + 1], &to[at], (*count - at - 1) * sizeof *to);
  to[at] = number;
}

static void find_first(struct chooser_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    insert(list, i, list->first, &list->firsts, CHOOSER_FIRST);
    if (list->entry[i].parts)
      insert(list, i, list->divided, &list->divideds, CHOOSER_DIVIDED);
  }
}

static void list_init(struct chooser_list *list,
                      const struct chooser_item *item, size_t items,
                      enum chooser_role without) {
  list->entry = memory_zeroed(items + 1, sizeof *list->entry);
  for (size_t i = 0; i < items; i++)
    if (item[i].saving > 0 && item[i].role != without && !item[i].left_out)
      list->entry[list->count++] =
          (struct chooser_entry){.number = i,
                                 .bytes = item[i].bytes,
                                 .saving = item[i].saving,
                                 .part = item[i].part,
                                 .parts = item[i].parts};
  qsort(list->entry, list->count, sizeof *list->entry, compare);
  list->least =
      memory_zeroed(list->count / CHOOSER_BLOCK + 1, sizeof *list->least);
  list->by_bytes = memory_zeroed(list->count + 1, sizeof *list->by_bytes);
  list->best = memory_zeroed(list->count + 1, sizeof *list->best);
  sum_up(list);
  find_best(list);
  find_first(list);
  chooser_bound_init(&list->bound, item, items, without);
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
    free(list->least);
    chooser_bound_fini(&list->bound);
    free(list->by_bytes);
    free(list->best);
  }
  *chooser = (struct chooser){0};
}

/* One way to choose. */
struct way {
  const struct chooser_list *list;
  uint64_t budget;
  size_t first;   /* is taken first; NONE */
  uint64_t share; /* of the budget, for it */
  bool next;      /* the next that does not fit is the last: a part of it */
  bool alone;     /* nothing else is */
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

/* The next that fits. */
static size_t next(struct chooser *chooser, const struct chooser_list *list,
                   size_t at, uint64_t left) {
  for (; at < list->count; chooser->looks++) {
    if (at % CHOOSER_BLOCK == 0 && list->least[at / CHOOSER_BLOCK] > left)
      at += CHOOSER_BLOCK;
    else if (list->entry[at].bytes <= left)
      return at;
    else
      at++;
  }
  return list->count;
}

/* The largest part that fits; NULL: none. */
static const struct chooser_part *part_of(const struct chooser_entry *item,
                                          uint64_t bytes) {
  size_t from = 0, to = item->parts;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (item->part[middle].bytes <= bytes)
      from = middle + 1;
    else
      to = middle;
  }
  return from ? &item->part[from - 1] : NULL;
}

/* All of it, or the largest part that fits; is anything? */
static bool take(struct chooser_choice *choice,
                 const struct chooser_entry *item, uint64_t bytes,
                 bool *chosen) {
  const struct chooser_part *part =
      item->bytes <= bytes ? NULL : part_of(item, bytes);
  if (item->bytes > bytes && !part) return false;
  if (part) {
    choice->part = item->number;
    choice->part_number = (size_t)(part - item->part);
    choice->part_bytes = part->bytes;
  }
  choice->bytes += part ? part->bytes : item->bytes;
  choice->saving += part ? part->saving : item->saving;
  if (chosen) chosen[item->number] = true;
  return true;
}

/* The largest part that fits, unless it saves little beside the others. */
static void take_next(struct chooser_choice *choice,
                      const struct chooser_entry *item, uint64_t bytes,
                      bool *chosen) {
  const struct chooser_part *part = part_of(item, bytes);
  if (part && part->saving * CHOOSER_LITTLE >= choice->saving)
    take(choice, item, bytes, chosen);
}

/* Those that fit one after the other into `left`; where the next one is. */
static size_t take_fitting(struct chooser *chooser, const struct way *way,
                           uint64_t left, struct chooser_choice *choice,
                           bool *chosen) {
  const struct chooser_entry *entry = way->list->entry;
  size_t i = fitting(chooser, way->list, left);
  const struct chooser_entry *first =
      way->first < i || way->first == i ? &entry[way->first] : NULL;
  if (first) i = fitting(chooser, way->list, left + first->bytes);
  choice->bytes += entry[i].bytes_before - (first ? first->bytes : 0);
  choice->saving += entry[i].saving_before - (first ? first->saving : 0);
  for (size_t k = 0; chosen && k < i; k++)
    if (k != way->first) chosen[entry[k].number] = true;
  return i;
}

/* What a share of the budget is kept for leaves the rest of it, although a part
 * takes less: so more of the budget never leaves less. */
static struct chooser_choice fill(struct chooser *chooser,
                                  const struct way *way, bool *chosen) {
  const struct chooser_entry *entry = way->list->entry;
  struct chooser_choice choice = {0};
  uint64_t left = way->budget;
  if (way->first != NONE) {
    const struct chooser_entry *first = &entry[way->first];
    take(&choice, first, way->share, chosen);
    left -= first->bytes <= way->share ? first->bytes : way->share;
  }
  if (way->alone) return choice;
  uint64_t before = choice.bytes;
  size_t i = take_fitting(chooser, way, left, &choice, chosen);
  left -= choice.bytes - before;
  if (way->next) {
    if (i < way->list->count) take_next(&choice, &entry[i], left, chosen);
    return choice;
  }
  for (; (i = next(chooser, way->list, i, left)) < way->list->count; i++) {
    if (i == way->first) continue;
    take(&choice, &entry[i], left, chosen);
    left -= entry[i].bytes;
  }
  return choice;
}

/* The one that saves most alone; larger ones in part. */
static size_t best_alone(struct chooser *chooser,
                         const struct chooser_list *list, uint64_t budget) {
  size_t best = NONE, i = list->count;
  double most = 0;
  for (; i && list->entry[list->by_bytes[i - 1]].bytes > budget; i--) {
    const struct chooser_part *part =
        part_of(&list->entry[list->by_bytes[i - 1]], budget);
    chooser->looks++;
    if (!part || part->saving <= most) continue;
    most = part->saving;
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

static void try_divided(struct chooser *chooser, struct way way,
                        struct best *best) {
  for (size_t i = 0; i < way.list->divideds; i++)
    for (uint64_t part = 2; part <= 8; part *= 2) {
      way.first = way.list->divided[i];
      way.share = way.budget - way.budget / part;
      try(chooser, &way, best);
    }
}

static void try_list(struct chooser *chooser, const struct chooser_list *list,
                     uint64_t budget, struct best *best) {
  struct way way = {
      .list = list, .budget = budget, .share = budget, .first = NONE};
  const struct chooser_entry *entry = list->entry;
  try(chooser, &way, best);
  way.next = true;
  try(chooser, &way, best);
  way.next = false;
  for (size_t i = 0; i < list->firsts; i++) {
    way.first = list->first[i];
    if (entry[way.first].bytes <= budget &&
        entry[way.first + 1].bytes_before > budget)
      try(chooser, &way, best);
  }
  try_divided(chooser, way, best);
  way.alone = true;
  way.first = best_alone(chooser, list, budget);
  if (way.first != NONE) try(chooser, &way, best);
}

struct chooser_choice chooser_choose(struct chooser *chooser, uint64_t budget,
                                     bool *chosen) {
  struct best best = {.way = {.list = &chooser->list[0], .first = NONE}};
  double most = 0;
  for (int i = 0; i < 2; i++) {
    const struct chooser_bound *bound = &chooser->list[i].bound;
    most = fmax(most, chooser_bound(bound, budget, &chooser->looks));
    try_list(chooser, &chooser->list[i], budget, &best);
  }
  if (chosen) memset(chosen, 0, chooser->items * sizeof *chosen);
  if (chosen && best.choice.saving > 0) fill(chooser, &best.way, chosen);
  best.choice.most = fmax(most, best.choice.saving); /* but for rounding */
  return best.choice;
}
