/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/race.h -- two threads, one word of shared memory, no order.
 *
 * Accesses of two threads of a block are in order where a barrier of the block
 * lies between them, or, of one warp, a __syncwarp().  Shuffles and votes order
 * no memory, says CUDA.  Two accesses of one word without order, one of which
 * writes, are a race, unless both are atomic or volatile, touch other bytes of
 * the word, or write the same value.  A thread that fences orders by flags: its
 * accesses of that stretch between barriers are not judged.
 *
 * What is found depends on what the kernel does, not on how it was scheduled.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "gpu_algos/simt/image.h"

struct simt_block;
struct simt_group;
struct simt_race;

/* For the shared memory of a host thread.  NULL with errno ENOMEM. */
struct simt_race *simt_race_create(const struct simt_image *image);
void simt_race_destroy(struct simt_race *race); /* NULL is fine */

void simt_race_begin_block(struct simt_race *race);
void simt_race_barrier(struct simt_race *race);
void simt_race_fence(struct simt_race *race, unsigned thread);

/* __syncwarp() of the lanes of `mask`; `all`: of all that live. */
void simt_race_sync(struct simt_race *race, unsigned warp, uint32_t mask,
                    bool all);

/* An access of shared memory by lanes of a warp, to one address, or to a row of
 * words, or otherwise; fails the block on a race. */
void simt_race_access(struct simt_block *block, const struct simt_group *group,
                      bool one, bool row);
