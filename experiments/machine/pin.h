/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/pin.h -- keep the measuring thread on one processor.
 *
 * A thread that moves loses its caches and TLBs.  Pinning comes before memory
 * is faulted in, so that on a NUMA machine it is local.
 */
#pragma once

/*
 * Pin the calling thread to processor `cpu` (OS index), or to the last one it
 * may use if `cpu` is negative (the first takes most interrupts).  Returns the
 * processor, or -1 with errno: EINVAL (no such processor, or not allowed), or
 * of what could not be asked or set.
 */
int pin_to_cpu(int cpu);
/* The same for --pin: an exit code, and told why. */
int pin_or_fail(int cpu);
