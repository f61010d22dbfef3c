/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A launch: its blocks over the host threads. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "gpu_algos/simt/counting.h"
#include "gpu_algos/simt/cuda_error.h"
#include "gpu_algos/simt/fault.h"
#include "gpu_algos/simt/launch_limits.h"
#include "gpu_algos/simt/simt.h"
#include "gpu_algos/simt/workers.h"

/* What the host threads share while a grid runs. */
static struct {
  const struct simt_launch *launch;
  uint64_t blocks;
  atomic_uint_least64_t next; /* in the order in which they begin */
  atomic_bool failed;
  struct timespec asked; /* by the thread that launched, whether to stop */
  pthread_mutex_t lock;  /* of what follows */
  uint64_t first_failed;
  struct simt_diagnosis diagnosis; /* of that block */
} grid = {.lock = PTHREAD_MUTEX_INITIALIZER};

static enum simt_order order = SIMT_FORWARD;

void simt_set_order(enum simt_order wanted) { order = wanted; }

static bool (*stop_wanted)(void);

void simt_set_stop(bool (*wanted)(void)) { stop_wanted = wanted; }

int simt_set_threads(unsigned threads) { return simt_workers_set(threads); }

static struct simt_index index_of(uint64_t number) {
  struct simt_index size = grid.launch->grid;
  if (order == SIMT_REVERSE) number = grid.blocks - 1 - number;
  return (struct simt_index){.x = (unsigned)(number % size.x),
                             .y = (unsigned)(number / size.x % size.y),
                             .z = (unsigned)(number / size.x / size.y)};
}

/* Blocks begin in order, so every block before a failed one has begun and ends:
 * which failure is told does not depend on how many host threads there are. */
static void note_failure(uint64_t number, const struct simt_diagnosis *seen) {
  pthread_mutex_lock(&grid.lock);
  if (number < grid.first_failed) {
    grid.first_failed = number;
    grid.diagnosis = *seen;
  }
  pthread_mutex_unlock(&grid.lock);
  atomic_store(&grid.failed, true);
}

static const struct simt_diagnosis no_memory = {
    .error = SIMT_MEMORY_ALLOCATION,
    .what = "no memory for the threads of a block"};

/* Since it was asked last, or the launch began: of blocks that take less than
 * a system call, not each is to cost one. */
static bool has_ticked(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  bool ticked =
      now.tv_sec != grid.asked.tv_sec || now.tv_nsec != grid.asked.tv_nsec;
  grid.asked = now;
  return ticked;
}

/* The first of many host threads is the one that launched. */
static bool is_stopped(unsigned worker) {
  static const struct simt_diagnosis stopped = {
      .error = SIMT_LAUNCH_TIMEOUT, .what = "stopped before its last block"};
  if (worker || !stop_wanted || !has_ticked() || !stop_wanted()) return false;
  note_failure(UINT64_MAX - 1, &stopped); /* a block's own is told instead */
  return true;
}

static void hand_in(struct simt_block *block, uint64_t done) {
  struct simt_counting *counting = block->counting;
  counting->tally.counters.thread_blocks += done;
  counting->tally.counters.threads += done * block->threads;
  pthread_mutex_lock(&grid.lock);
  simt_tally_hand_in(&counting->tally);
  pthread_mutex_unlock(&grid.lock);
}

static void run_blocks(unsigned worker) {
  if (!simt_block) simt_block = simt_block_create();
  if (!simt_block) {
    note_failure(0, &no_memory);
    return;
  }
  uint64_t done = 0;
  bool reverse = order == SIMT_REVERSE;
  if (!simt_block_begin(simt_block, grid.launch, reverse)) {
    note_failure(0, &no_memory);
    return;
  }
  while (!atomic_load_explicit(&grid.failed, memory_order_relaxed) &&
         !is_stopped(worker)) {
    uint64_t number =
        atomic_fetch_add_explicit(&grid.next, 1, memory_order_relaxed);
    if (number >= grid.blocks) break;
    if (!simt_block_run(simt_block, index_of(number)))
      note_failure(number, &simt_block->diagnosis);
    done++;
  }
  if (simt_block->counting) hand_in(simt_block, done);
}

static void run_grid(const struct simt_launch *launch) {
  grid.launch = launch;
  grid.blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
  grid.first_failed = UINT64_MAX;
  grid.asked = (struct timespec){0};
  if (launch->counted) simt_count_launch();
  atomic_store(&grid.next, 0);
  atomic_store(&grid.failed, false);
  simt_faults_watch();
  if (grid.blocks == 1)
    run_blocks(0);
  else
    simt_workers_run(run_blocks);
  simt_faults_unwatch();
}

void simt_run(const struct simt_launch *launch) {
  const char *wrong = simt_launch_wrong(launch);
  if (wrong) {
    struct simt_diagnosis seen = {.error = SIMT_INVALID_CONFIGURATION};
    strncpy(seen.what, wrong, sizeof seen.what - 1);
    simt_note_error(seen.error);
    simt_diagnosis_tell(&seen, launch->kernel);
    return;
  }
  run_grid(launch);
  bool failed = atomic_load(&grid.failed);
  if (failed) simt_note_kernel_error(grid.diagnosis.error);
  simt_diagnosis_tell(failed ? &grid.diagnosis : NULL, launch->kernel);
}
