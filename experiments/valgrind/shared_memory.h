/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/shared_memory.h -- which mappings processes share that
 * are of no file on a disk: MAP_SHARED without a file, memfd_create(),
 * shm_open(), shmat().
 */
#pragma once
#include "pub_tool_basics.h"

void vt_shared_memory_track(void); /* while Valgrind asks for it */

/* While `a` is mapped: is it one of these?  `name`: of its file; NULL or "". */
Bool vt_is_shared_memory(Addr a, const HChar *name);
