/* SPDX-License-Identifier: BSD-2-Clause */
#include "huge_pages/frame_runs.h"

#include <config.h>
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "huge_pages/guarded_map.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/pagemap.h"

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4 /* Linux 5.7 */
#endif

/*
 * Of `blocks` in a huge page, a power of two, the one whose frames block
 * `index` gets.  Multiples of an odd number are a permutation; by the golden
 * ratio, of any few successive ones no two come close (Knuth, TAOCP 6.4), so
 * nothing that joins near frames in any order finds some.
 */
static size_t source_of(size_t index, size_t blocks, unsigned turn) {
  size_t step = (size_t)((double)blocks * 0.6180339887) | 1;
  return (index * step + turn) & (blocks - 1);
}

int hp_frame_runs_take(struct hp_frame_runs *runs, unsigned char *from,
                       size_t bytes, size_t run, unsigned turn) {
  size_t page = hp_base_page_bytes(), huge = hp_thp_page_bytes();
  size_t block = run * page, blocks = huge / block;
  *runs = (struct hp_frame_runs){hp_guarded_map(bytes, huge), bytes, page, run};
  if (!runs->base) return -1;
  for (size_t i = 0; i < bytes / block; i++) {
    size_t source = i / blocks * blocks + source_of(i % blocks, blocks, turn);
    if (mremap(from + source * block, block, block,
               MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP,
               runs->base + i * block) != MAP_FAILED)
      continue;
    int error = errno;
    hp_frame_runs_unmap(runs);
    errno = error;
    return -1;
  }
  return 0;
}

void hp_frame_runs_unmap(struct hp_frame_runs *runs) {
  if (runs->base) hp_guarded_unmap(runs->base, runs->bytes);
  *runs = (struct hp_frame_runs){0};
}

/* Add the blocks among `count` pages; `before` is the frame before them. */
static void add_blocks(const struct hp_page *page, size_t count, size_t run,
                       uint64_t before, struct hp_frame_proof *proof) {
  for (size_t i = 0; i < count; i += run) {
    bool whole = page[i].frame && page[i].frame % run == 0;
    for (size_t k = 1; k < run; k++)
      whole &= page[i + k].frame == page[i].frame + k;
    proof->whole += whole;
    proof->joined += before && page[i].frame == before + 1;
    proof->blocks++;
    before = page[i + run - 1].frame;
  }
}

int hp_frame_runs_prove(const struct hp_frame_runs *runs,
                        struct hp_frame_proof *proof) {
  struct hp_pagemap map;
  uintptr_t start = (uintptr_t)runs->base;
  size_t huge = hp_thp_page_bytes();
  uint64_t before = 0;
  int failed = 0;
  *proof = (struct hp_frame_proof){0};
  if (hp_pagemap_open(&map, getpid())) return -1;
  for (size_t at = 0; at < runs->bytes; at += huge) {
    failed = hp_pagemap_read(&map, start + at, start + at + huge);
    if (failed) break;
    add_blocks(map.page, map.most, runs->run, before, proof);
    before = map.page[map.most - 1].frame;
  }
  proof->told = hp_pagemap_tells_frames(&map);
  int error = errno;
  hp_pagemap_close(&map);
  errno = error;
  return failed;
}
