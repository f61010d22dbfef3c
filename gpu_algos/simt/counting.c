/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/counting.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void put_all(struct simt_counting *counting) {
  counting->unused_count = 0;
  for (unsigned w = SIMT_WARPS_MAX; w--;)
    counting->unused[counting->unused_count++] = &counting->logs[w];
}

struct simt_counting *simt_counting_create(void) {
  struct simt_counting *counting = calloc(1, sizeof *counting);
  if (!counting) return NULL;
  counting->image = simt_image_find();
  counting->race = simt_race_create(&counting->image);
  /* From the system: only pages that are used are made. */
  counting->logs = mmap(NULL, SIMT_WARPS_MAX * sizeof *counting->logs,
                        PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (counting->logs == MAP_FAILED) counting->logs = NULL;
  if (counting->race && counting->logs) return counting;
  simt_counting_destroy(counting);
  return NULL;
}

void simt_counting_destroy(struct simt_counting *counting) {
  if (!counting) return;
  if (counting->logs)
    munmap(counting->logs, SIMT_WARPS_MAX * sizeof *counting->logs);
  simt_race_destroy(counting->race);
  simt_tally_fini(&counting->tally);
  free(counting);
}

bool simt_counting_begin(struct simt_counting *counting,
                         const struct simt_launch *launch) {
  counting->dynamic =
      (struct simt_range){(uintptr_t)smem, launch->shared_bytes};
  counting->last = (struct simt_allocation){0};
  put_all(counting);
  simt_noting =
      (struct simt_noting){.key = &simt_no_key,
                           .global = (uintptr_t)simt_arena.base,
                           .global_bytes = simt_arena.bytes,
                           .shared = counting->image.shared.start,
                           .shared_bytes = counting->image.shared.bytes};
  return simt_tally_begin(&counting->tally);
}

static struct simt_logs *take_logs(struct simt_counting *counting) {
  struct simt_logs *logs = counting->unused[--counting->unused_count];
  memset(logs->keys, 0, logs->known * sizeof *logs->keys);
  logs->known = 0;
  for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
    logs->lanes[lane].count = 0;
    logs->lanes[lane].keys = logs->keys;
  }
  return logs;
}

void simt_counting_resume(struct simt_block *block) {
  struct simt_counting *counting = block->counting;
  struct simt_warp *warp = &block->warps[block->current / SIMT_LANES];
  if (!warp->logs) warp->logs = take_logs(counting);
  simt_log_resume(&warp->logs->lanes[block->current % SIMT_LANES],
                  &counting->depth[block->current]);
}

void simt_counting_meet(struct simt_block *block, unsigned warp) {
  struct simt_counting *counting = block->counting;
  struct simt_warp *of = &block->warps[warp];
  if (!of->logs) return;
  simt_merge(block, warp, 0);
  counting->unused[counting->unused_count++] = of->logs;
  of->logs = NULL;
}

void simt_counting_relieve(struct simt_block *block, unsigned warp) {
  struct simt_warp *of = &block->warps[warp];
  simt_merge(block, warp, of->full);
  for (uint32_t lanes = of->full; lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    if (of->logs->lanes[lane].count < SIMT_LOG_RECORDS / 2)
      of->ready |= 1u << lane;
  }
  of->full &= ~of->ready;
}

void simt_group_fail(struct simt_block *block, const struct simt_group *group,
                     unsigned i, enum simt_error error, const char *what, ...) {
  unsigned lane = group->warp * SIMT_LANES + group->lane[i];
  struct simt_place place = {.thread = block->index[lane],
                             .pc = simt_key_pc(group->key)};
  char text[sizeof block->diagnosis.what];
  va_list arguments;
  va_start(arguments, what);
  vsnprintf(text, sizeof text, what, arguments);
  va_end(arguments);
  simt_block_fail(block, error, &place, 1, "%s", text);
}
