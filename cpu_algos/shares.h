/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/shares.h -- work that is shared out to threads in equal parts. */
#pragma once
#include <stdint.h>

enum { CPU_SHARES_MAX = 256 };

/* Can so many threads run at a time, this one among them?  0, or -1 with errno.
 */
int cpu_shares_probe(unsigned threads);

/* Call `work` with each of `threads` parts [first, end) of [0, count), each in
 * a thread of its own where there is one to be had.  threads: 1 to
 * CPU_SHARES_MAX. */
void cpu_shares_run(unsigned threads, uint32_t count,
                    void (*work)(void *context, uint32_t first, uint32_t end),
                    void *context);
