/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/pin.h -- keep the measuring thread on one processor.
 *
 * A thread that moves loses its caches and TLBs.  Pinning comes before memory
 * is faulted in, so that on a NUMA machine it is local.
 */
#pragma once

/* Pin the calling thread to processor `cpu` (OS index) of --pin, or to the last
 * one it may use if `cpu` is negative (the first takes most interrupts).  An
 * exit code, having printed why not. */
int pin_or_fail(int cpu);
