/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/counting.h -- what a host thread needs to count and to check.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "gpu_algos/simt/arena.h"
#include "gpu_algos/simt/block.h"
#include "gpu_algos/simt/counters.h"
#include "gpu_algos/simt/image.h"
#include "gpu_algos/simt/log.h"
#include "gpu_algos/simt/race.h"

struct simt_counting {
  struct simt_tally tally;
  struct simt_image image;
  struct simt_range dynamic; /* of the shared memory: what was launched with */
  struct simt_race *race;
  struct simt_allocation last; /* global memory that was used last */
  /* Logs of warps, some in use; the last put back is in the cache. */
  struct simt_logs *logs;
  struct simt_logs *unused[SIMT_WARPS_MAX];
  unsigned unused_count;
  uint32_t depth[SIMT_THREADS_MAX]; /* of calls, of each thread */
};

/* NULL with errno ENOMEM. */
struct simt_counting *simt_counting_create(void);
void simt_counting_destroy(struct simt_counting *counting); /* NULL is fine */

/* Before the first block of a launch; false: no memory. */
bool simt_counting_begin(struct simt_counting *counting,
                         const struct simt_launch *launch);

/* The thread that is current goes on: what it does is counted. */
void simt_counting_resume(struct simt_block *block);

/* Nothing more is to come from the warp before it meets: count what its lanes
 * did.  Then their logs are empty. */
void simt_counting_meet(struct simt_block *block, unsigned warp);

/* No lane of the warp can run but those whose logs are full: count until one of
 * these can go on. */
void simt_counting_relieve(struct simt_block *block, unsigned warp);

/* Lanes that do one thing together. */
struct simt_group {
  uint64_t key;
  unsigned warp;
  uint32_t lanes;            /* the set */
  unsigned count;            /* of it */
  unsigned lane[SIMT_LANES]; /* its members, ascending */
  uint64_t at[SIMT_LANES];   /* what each has in simt_log.at */
};

/* Put together what the lanes of the warp did, until the log of one of `open`
 * is empty, which will do more. */
void simt_merge(struct simt_block *block, unsigned warp, uint32_t open);

void simt_count_global(struct simt_block *block,
                       const struct simt_group *group);
void simt_count_shared(struct simt_block *block,
                       const struct simt_group *group);
void simt_count_constant(struct simt_block *block,
                         const struct simt_group *group);

/* End the block for the deed of member `i` of the group. */
_Noreturn void simt_group_fail(struct simt_block *block,
                               const struct simt_group *group, unsigned i,
                               enum simt_error error, const char *what, ...)
    __attribute__((format(printf, 5, 6)));
