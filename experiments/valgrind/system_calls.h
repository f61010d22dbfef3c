/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/system_calls.h -- what the sites are told of memory:
 * which mappings processes share that are of no file on a disk (MAP_SHARED
 * without a file, memfd_create(), shm_open(), shmat()), what they give back by
 * madvise(), and what the kernel writes.
 */
#pragma once
#include "pub_tool_basics.h"

/* While Valgrind asks for it.  `given_back` is told what is zero again,
 * `kernel_wrote` what the kernel writes for the program. */
void vt_system_calls_track(void (*given_back)(Addr a, SizeT bytes),
                           void (*kernel_wrote)(Addr a, SizeT bytes));

/* While `a` is mapped: is it one of these?  `name`: of its file; NULL or "". */
Bool vt_is_shared_memory(Addr a, const HChar *name);
