/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/gpu_algo.h -- what an algorithm has on a GPU beside its struct
 * algo: a choice of blocks, and parts of a workspace that need not all be
 * there. */
#pragma once
#include "cpu_algos/algo.h"
#include "cpu_algos/parts.h"

struct gpu_algo {
  /* Why blocks cannot have so many threads, or so much less shared memory, a
   * sentence, or NULL: they can.  NULL: its blocks are always the same. */
  const char *(*refuse_block)(unsigned block_threads, unsigned dummy_shared);
  /* True: run->gpu.grid_blocks may be any number. */
  bool any_grid;
  /* Of algorithms that need not have all there at a time: items of a
   * part, as parameters ask for, or else as many as fit in `room` bytes where
   * the whole workspace does not; 0: no parts.  NULL: it has none. */
  uint64_t (*chunk)(const struct algo_run *run, size_t room);
  /* The bytes of a workspace for parts of run->chunk items. */
  size_t (*part_bytes)(const struct algo_run *run);
  /* What is copied for run->part, in how many spans; 0: there is no such part.
   * What parts share goes there before the first, and back behind the last.
   * They begin in order, and bring what the whole workspace would. */
  size_t (*part_spans)(const struct algo_run *run,
                       struct algo_span spans[ALGO_SPANS]);
};
