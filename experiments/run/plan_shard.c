/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/plan_shard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"

static uint64_t points(const struct plan *plan) {
  uint64_t count = 0;
  for (size_t i = 0; i < plan->count; i++)
    count += plan_sweep(&plan->entries[i])->count;
  return count;
}

/* Move the sizes of an entry to its sweep, and leave room for as many. */
static void set_aside(struct plan_entry *entry) {
  uint64_t *room = memory_zeroed(entry->sizes.count + 1, sizeof *room);
  entry->sweep = entry->sizes;
  entry->sizes.at = room;
  entry->sizes.count = 0;
}

int plan_shard(struct plan *plan, struct shard shard,
               char reason[PLAN_REASON]) {
  const uint64_t count = points(plan);
  if (count < shard.count) {
    snprintf(reason, PLAN_REASON,
             "the sweep has %llu points (an algorithm at a size); as many "
             "shards are the most",
             (unsigned long long)count);
    errno = EINVAL;
    return -1;
  }
  for (size_t i = 0; i < plan->count; i++) set_aside(&plan->entries[i]);
  uint64_t point = 0;
  for (size_t j = 0; point < count; j++)
    for (size_t i = 0; i < plan->count; i++) {
      struct plan_entry *entry = &plan->entries[i];
      if (j >= entry->sweep.count || !shard_has(&shard, point++)) continue;
      entry->sizes.at[entry->sizes.count++] = entry->sweep.at[j];
    }
  plan->shard = shard;
  return 0;
}
