/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/probe/kernels.h -- what is timed: loops of accesses.
 *
 * Each access goes to one of `count` spots, drawn at random as if anew, so that
 * its distance is evenly distributed (calibration.h) and no prefetcher follows.
 * The spots need no table: a multiplication gives the next one, beside the
 * access and no slower than the nearest cache answers.  What makes an access
 * wait for the one before is that its word within the line, of eight, is told
 * by the word that one found.  So all memory holds offsets of words, and every
 * kernel keeps it that way.  Any of them may be abandoned (interrupt.h).
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { LINE_BYTES = 64, KERNEL_CHAINS_MAX = 32 };

/* Where a kernel may go: spot i lies in the step from base + i * step_bytes on,
 * at a line that a hash of i tells. */
struct spots {
  unsigned char *base; /* at a multiple of LINE_BYTES */
  uint64_t count;
  uint64_t step_bytes; /* a power of two, LINE_BYTES or more */
  uint64_t seed;       /* another one gives other draws */
};

/* Fill memory with random offsets of words. */
void kernel_fill(unsigned char *base, size_t bytes, uint64_t seed);

/* Time is told per step.  Where `chains` is not used, any will do. */
typedef void kernel(const struct spots *spots, unsigned chains, uint64_t steps);

/* One access after the other in each of `chains` chains, which do not wait for
 * each other.  `chains` is one of kernel_chains[], else the largest. */
kernel kernel_chase;
extern const unsigned kernel_chains[]; /* ascending, ends with 0 */

/* Accesses that wait for nothing, to lines, steps of LINE_BYTES: read; read,
 * change and write. */
kernel kernel_read, kernel_update;

/* Each of the last `steps` spots once, in order, at its first word. */
kernel kernel_sweep;

/* Line after line, from a random one on, round and round; a step of a copy
 * reads a line of the upper half and writes one of the lower. */
kernel kernel_stream_read, kernel_stream_write, kernel_stream_copy;

/* No memory: so many dependent multiplications. */
kernel kernel_compute;
