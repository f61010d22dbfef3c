/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/counters.h"

#include <config.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_algos/simt/arena.h"

#define COUNTER(name, summary) \
  { #name, summary, offsetof(struct simt_counters, name) }

const struct simt_counter simt_counter_table[] = {
    COUNTER(accesses, "loads and stores of single lanes"),
    COUNTER(loads, "warp instructions that load"),
    COUNTER(stores, "warp instructions that store"),
    COUNTER(sectors_read, "sectors of 32 bytes, over warp instructions"),
    COUNTER(sectors_written, "sectors of 32 bytes, over warp instructions"),
    COUNTER(lines_read, "lines of 128 bytes, over warp instructions"),
    COUNTER(lines_written, "lines of 128 bytes, over warp instructions"),
    COUNTER(page_requests, "pages, over warp instructions, with atomics"),
    COUNTER(pages, "different pages of the GPU's memory touched"),
    COUNTER(shared_accesses, "of single lanes, to shared memory, with atomics"),
    COUNTER(shared_instructions, "warp instructions on shared memory"),
    COUNTER(bank_waves, "turns of the 32 banks that these take"),
    COUNTER(constant_instructions, "warp instructions on constant memory"),
    COUNTER(constant_waves, "different words, over these"),
    COUNTER(atomics, "atomic operations of single lanes"),
    COUNTER(atomic_instructions, "warp instructions that are atomic"),
    COUNTER(atomic_conflicts, "atomics whose word a lane before had, too"),
    COUNTER(atomic_sectors, "sectors of global memory, over these"),
    COUNTER(barriers, "barriers that a block passed"),
    COUNTER(warp_operations, "shuffles, votes, __syncwarp, of a warp"),
    COUNTER(warp_instructions, "on memory, barriers and warp operations"),
#ifdef HAVE_EMU_ARITHMETIC
    COUNTER(arithmetic, "the host's instructions that compute, over these"),
#endif
    COUNTER(blocks_issued, "basic blocks that warps ran through"),
    COUNTER(lanes_issued, "lanes that took part, over these"),
    COUNTER(threads, "threads that ended"),
    COUNTER(thread_blocks, "blocks of threads that ended"),
    COUNTER(launches, "grids launched"),
    {NULL, NULL, 0},
};

enum { LG_PAGE_LEAST = 12, LG_PAGE_MOST = 40 };

static struct simt_tally total = {.lg_page = 21};

int simt_set_page_bytes(uint64_t bytes) {
  unsigned lg_page = LG_PAGE_LEAST;
  while (lg_page < LG_PAGE_MOST && UINT64_C(1) << lg_page != bytes) lg_page++;
  if (lg_page == LG_PAGE_MOST) {
    errno = EINVAL;
    return -1;
  }
  simt_reset_counters();
  total.lg_page = lg_page;
  return 0;
}

void simt_reset_counters(void) {
  free(total.pages);
  total = (struct simt_tally){.lg_page = total.lg_page};
}

static bool make_room(struct simt_tally *tally) {
  uint64_t count = simt_arena_end() >> total.lg_page;
  if (tally->lg_page == total.lg_page && tally->page_count > count) return true;
  unsigned char *pages = realloc(tally->pages, ++count);
  if (!pages) return false;
  uint64_t known = tally->lg_page == total.lg_page ? tally->page_count : 0;
  memset(pages + known, 0, count - known);
  tally->pages = pages;
  tally->page_count = count;
  tally->lg_page = total.lg_page;
  return true;
}

bool simt_tally_begin(struct simt_tally *tally) {
  return make_room(tally) && make_room(&total);
}

void simt_tally_hand_in(struct simt_tally *tally) {
  const uint64_t *from = (const uint64_t *)&tally->counters;
  uint64_t *to = (uint64_t *)&total.counters;
  for (size_t i = 0; i < sizeof total.counters / sizeof *to; i++)
    to[i] += from[i];
  memset(&tally->counters, 0, sizeof tally->counters);
  for (uint64_t i = 0; i < tally->page_count; i++) {
    total.counters.pages += !total.pages[i] && tally->pages[i];
    total.pages[i] |= tally->pages[i];
  }
  memset(tally->pages, 0, tally->page_count);
}

void simt_tally_fini(struct simt_tally *tally) { free(tally->pages); }

void simt_count_launch(void) { total.counters.launches++; }

void simt_read_counters(struct simt_counters *counters) {
  *counters = total.counters;
}
