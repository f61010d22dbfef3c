/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/available_memory.h -- how much memory can be had without harm.
 *
 * Linux promises memory it does not have and kills a process when the promise
 * is called in.  To stay clear of that, ask here first: the least of what the
 * machine has (MemAvailable) and what every memory cgroup (v1 or v2) around
 * this process still allows.  Swap is not counted: swapped pages are of no
 * use to a measurement.
 */
#pragma once
#include <stddef.h>

#include "huge_pages/page_kind.h"

/* Bytes, less a reserve for everybody else; SIZE_MAX where nobody can tell. */
size_t hp_memory_available(void);

/* Bytes that the machine has (MemAvailable), whatever cgroups allow, as for a
 * pool of huge pages; SIZE_MAX where nobody can tell. */
size_t hp_machine_available(void);

/* Bytes that the memory cgroups of a process allow it to have more, by its
 * "/proc/PID/cgroup"; SIZE_MAX: without limit. */
size_t hp_memory_cgroup_room(const char *cgroup_file);

/* As hp_kind_explain() for `bytes` of memory of whatever kind. */
int hp_memory_explain(size_t bytes, struct hp_missing *missing);

/* As hp_kind_explain() for `bytes` of addresses, which RLIMIT_AS may limit. */
int hp_address_space_explain(size_t bytes, struct hp_missing *missing);
