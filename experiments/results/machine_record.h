/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/machine_record.h -- the machine a measurement was made
 * on.
 *
 * What a reader of a results file needs to judge it, and nothing that tells
 * whose machine it is: no host name, no user, no path, no serial number.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "experiments/machine/counters.h"
#include "huge_pages/page_kind.h"

/*
 * {"record":"machine","schema":1,...}: processor, kernel, VM, caches, memory,
 * page kinds, pools, THP settings, `counters` and why some are absent, versions
 * and the time.  The caller owns it.
 */
json_t *machine_record(const struct counters *counters);

/* Bytes of memory in all, from /proc/meminfo; 0: unknown. */
size_t machine_memory_bytes(void);

enum { MACHINE_CHOICE = 32 };

/*
 * What is chosen in a file of /sys that reads "a [b] c", or its first word.
 * False, and "" in `choice`, where it cannot be read.
 */
bool machine_choice(const char *path, char choice[MACHINE_CHOICE]);

/*
 * Whether this machine can give pages of `kind` at all, as it is: a pool that
 * has pages, even if they are all taken now.  Else `missing` says why not.
 */
bool machine_has_pages(const struct hp_kind *kind, struct hp_missing *missing);
