/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/process.h -- where this process runs, and its rights. */
#pragma once
#include <stdbool.h>

/*
 * Keep the calling thread on processor `cpu` (OS index) of --pin, or on the
 * last one it may use if `cpu` is negative (the first takes most interrupts):
 * one that moves loses its caches and TLBs.  Comes before memory is faulted in,
 * so that on a NUMA machine it is local.  An exit code, having printed why not.
 */
int pin_or_fail(int cpu);
int pin_refuse(int cpu); /* VAT_USAGE, with the processors that it may use */

/* Numbers of capability.h; the first came with Linux 5.8. */
enum { RIGHTS_CAP_SYS_ADMIN = 21, RIGHTS_CAP_PERFMON = 38 };

/* True if the effective set of /proc/self/status holds `capability`. */
bool rights_have(int capability);
