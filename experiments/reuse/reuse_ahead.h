/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/reuse/reuse_ahead.h -- many reuse profiles, on two processors.
 *
 * A second process simulates from the last stream on backwards, and leaves what
 * it has in the cache on disk, while the caller goes through them from the
 * first.  Where they meet, the caller waits.  It can only save time: whatever
 * the second process does not have or fails at is left to the caller.
 */
#pragma once
#include <sys/types.h>

#include "experiments/reuse/reuse.h"

struct reuse_ahead {
  pid_t process; /* 0: none */
  int done;      /* has a byte for each that it has simulated */
  struct reuse_ahead_shared *shared;
};

/* None begins for fewer than two streams, with one processor, or where two of
 * the largest workspaces are more than is free.  The streams must outlive it.
 * Signals may be armed (interrupt.h). */
void reuse_ahead_begin(struct reuse_ahead *ahead, const struct stream *streams,
                       size_t count, const struct reuse_params *params);

/* The caller needs streams[i] and will need none before: wait where it is being
 * simulated, but for no longer than until a signal comes. */
void reuse_ahead_wait(struct reuse_ahead *ahead, size_t i);

void reuse_ahead_end(struct reuse_ahead *ahead);
