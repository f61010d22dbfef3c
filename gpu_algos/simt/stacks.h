/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/stacks.h -- the stacks of a block's fibers, made when first
 * taken and then kept. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct simt_stacks {
  char *memory;
  unsigned *unused;     /* numbers of stacks */
  unsigned count, free; /* all, and those in `unused` */
  unsigned guarded;     /* the first so many have been taken before */
};

/* `count` stacks; 0, or -1 with errno ENOMEM. */
int simt_stacks_init(struct simt_stacks *stacks, unsigned count);
void simt_stacks_fini(struct simt_stacks *stacks);

/* What to switch to so that `entry` runs on a stack of its own.  NULL with
 * errno ENOMEM: no guard can be put below it; never if all are unused. */
void *simt_stacks_take(struct simt_stacks *stacks, void (*entry)(void));

/* The running stack is done with as soon as it is left. */
void simt_stacks_put(struct simt_stacks *stacks);
void simt_stacks_put_all(struct simt_stacks *stacks); /* after a failure */

/* Is it in the running stack; in the guard below some stack? */
bool simt_stacks_running(const struct simt_stacks *stacks, const void *at);
bool simt_stacks_guard(const struct simt_stacks *stacks, const void *at);
