/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Global memory: which sectors, lines and pages a warp asks for at once. */
#include "gpu_algos/simt/counting.h"

enum { LG_SECTOR = 5, LG_LINE = 7 };

/* In ascending order: mostly it is already. */
static void sort(uint64_t *values, unsigned count) {
  for (unsigned i = 1; i < count; i++) {
    uint64_t value = values[i];
    unsigned to = i;
    for (; to && values[to - 1] > value; to--) values[to] = values[to - 1];
    values[to] = value;
  }
}

/* Different values of ascending ones, shifted. */
static unsigned different(const uint64_t *sorted, unsigned count,
                          unsigned shift) {
  unsigned found = 1;
  for (unsigned i = 1; i < count; i++)
    found += sorted[i] >> shift != sorted[i - 1] >> shift;
  return found;
}

static void fail_outside(struct simt_block *block,
                         const struct simt_group *group, unsigned i) {
  unsigned bytes = 1u << (group->key & SIMT_LG_BYTES);
  struct simt_nearest near = simt_arena_nearest(group->at[i]);
  if (!near.bytes)
    simt_group_fail(block, group, i, SIMT_ILLEGAL_ADDRESS,
                    "global memory out of bounds: %u bytes, and nothing is "
                    "allocated",
                    bytes);
  simt_group_fail(block, group, i, SIMT_ILLEGAL_ADDRESS,
                  "global memory out of bounds: %u bytes at offset %lld of an "
                  "allocation of %llu",
                  bytes, (long long)near.offset,
                  (unsigned long long)near.bytes);
}

static bool holds(const struct simt_allocation *allocation, uint64_t at,
                  unsigned bytes) {
  uint64_t offset = at - allocation->offset;
  return offset < allocation->bytes && bytes <= allocation->bytes - offset;
}

static void check(struct simt_block *block, const struct simt_group *group) {
  struct simt_allocation *last = &block->counting->last;
  unsigned bytes = 1u << (group->key & SIMT_LG_BYTES);
  for (unsigned i = 0; i < group->count; i++) {
    uint64_t at = group->at[i];
    if (!holds(last, at, bytes)) {
      const struct simt_allocation *found = simt_arena_find(at);
      if (found && holds(found, at, bytes))
        *last = *found;
      else
        fail_outside(block, group, i);
    }
    if (at % bytes)
      simt_group_fail(block, group, i, SIMT_MISALIGNED_ADDRESS,
                      "misaligned address: %u bytes at a multiple of %u", bytes,
                      (unsigned)(at & -at));
  }
}

static void note_pages(struct simt_tally *tally, const uint64_t *sorted,
                       unsigned count) {
  uint64_t before = UINT64_MAX;
  for (unsigned i = 0; i < count; i++) {
    uint64_t page = sorted[i] >> tally->lg_page;
    if (page == before) continue;
    tally->pages[page] = 1;
    tally->counters.page_requests++;
    before = page;
  }
}

static unsigned repeated(const uint64_t *sorted, unsigned count) {
  return count - different(sorted, count, 0);
}

void simt_count_global(struct simt_block *block,
                       const struct simt_group *group) {
  struct simt_tally *tally = &block->counting->tally;
  struct simt_counters *counters = &tally->counters;
  uint64_t sorted[SIMT_LANES];
  unsigned n = group->count;
  check(block, group);
  for (unsigned i = 0; i < n; i++) sorted[i] = group->at[i];
  sort(sorted, n);
  note_pages(tally, sorted, n);
  if (group->key & SIMT_ATOMIC) {
    counters->atomics += n;
    counters->atomic_instructions++;
    counters->atomic_conflicts += repeated(sorted, n);
    counters->atomic_sectors += different(sorted, n, LG_SECTOR);
    return;
  }
  counters->accesses += n;
  bool writes = group->key & SIMT_WRITES;
  *(writes ? &counters->stores : &counters->loads) += 1;
  *(writes ? &counters->sectors_written : &counters->sectors_read) +=
      different(sorted, n, LG_SECTOR);
  *(writes ? &counters->lines_written : &counters->lines_read) +=
      different(sorted, n, LG_LINE);
}
