/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/stacks.h -- the stacks of a block's fibers, made when first
 * taken and then kept. */
#ifndef GPU_ALGOS_SIMT_STACKS_H
#define GPU_ALGOS_SIMT_STACKS_H
#include <stdbool.h>
#include <stddef.h>

#include "gpu_algos/simt/fiber.h"

struct simt_stacks {
  char *memory;
  struct fiber *fibers;
  struct fiber **unused;
  unsigned count, free; /* all, and those in `unused` */
  unsigned guarded;     /* the first so many have been taken before */
};

/* `count` stacks; 0, or -1 with errno ENOMEM. */
int simt_stacks_init(struct simt_stacks *stacks, unsigned count);
void simt_stacks_fini(struct simt_stacks *stacks);

/* A fiber that will start in `entry`. */
struct fiber *simt_stacks_take(struct simt_stacks *stacks, void (*entry)(void));
void simt_stacks_put(struct simt_stacks *stacks, struct fiber *fiber);
void simt_stacks_put_all(struct simt_stacks *stacks); /* after a failure */

/* Is it in one of the stacks, or in the guard below one? */
bool simt_stacks_hold(const struct simt_stacks *stacks, const void *at);
bool simt_stacks_guard(const struct simt_stacks *stacks, const void *at);
#endif
