/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/system_calls.h -- what Valgrind does not tell of memory:
 * which mappings processes share that are of no file on a disk (MAP_SHARED
 * without a file, memfd_create(), shm_open(), shmat()), and what they give back
 * by madvise().
 */
#pragma once
#include "pub_tool_basics.h"

/* While Valgrind asks for it.  `given_back` is told what is zero again. */
void vt_system_calls_track(void (*given_back)(Addr a, SizeT bytes));

/* While `a` is mapped: is it one of these?  `name`: of its file; NULL or "". */
Bool vt_is_shared_memory(Addr a, const HChar *name);
