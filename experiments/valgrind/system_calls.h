/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/system_calls.h -- what the sites are told of memory:
 * which mappings processes share that are of no file on a disk (MAP_SHARED
 * without a file, memfd_create(), shm_open(), shmat()), what they give back by
 * madvise(), and what the kernel writes; and whether a child is a copy.
 */
#pragma once
#include "pub_tool_basics.h"

/* Who is told. */
struct vt_told {
  void (*given_back)(Addr a, SizeT bytes); /* what is zero again */
  void (*written)(Addr a, SizeT bytes);    /* by the kernel */
  /* Another program takes the process over; it does not after all. */
  void (*leaves)(void), (*stays)(void);
};

/* While Valgrind asks for it. */
void vt_system_calls_track(const struct vt_told *told);

/* The last child that was made: does it run in its parent's memory, as that of
 * vfork() does until it executes a program? */
extern Bool vt_child_shares;

/* While `a` is mapped: is it one of these?  `name`: of its file; NULL or "". */
Bool vt_is_shared_memory(Addr a, const HChar *name);
