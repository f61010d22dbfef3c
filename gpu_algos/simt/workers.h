/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/workers.h -- the host threads that run blocks.
 *
 * The caller of simt_workers_run() is one of them.  The others wait between
 * launches, since making a thread takes longer than a small grid.
 */
#pragma once

enum { SIMT_WORKERS_MAX = 256 };

/* How many there are, the caller included; 0, or -1 with errno set and as many
 * as before. */
int simt_workers_set(unsigned count);
unsigned simt_workers_count(void);

/* Call `work` on each of them, with its number from 0; back when all are. */
void simt_workers_run(void (*work)(unsigned worker));
