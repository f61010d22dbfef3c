/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/stream/tsan_runtime.h -- what traced code accesses.
 *
 * Code compiled with -fsanitize=thread calls a function before each access.
 * These functions are ours: an access inside the workspace is recorded, any
 * other (stack, constants) is not.  One recording at a time, in one thread.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "experiments/stream/stream_sink.h"

extern const struct algo *const cpu_algos_traced[]; /* like cpu_algos */

/* Record accesses to memory[0..bytes), as if it began at address `base`; `sink`
 * gets each block that is full. */
void recording_begin(const unsigned char *memory, size_t bytes, uint64_t base,
                     const struct stream_sink *sink);
/* Hand over the rest.  What the sink returned. */
int recording_end(void);
/* After a jump out of what was recorded: keep the rest.  VAT_FAILED. */
int recording_abandon(void);
