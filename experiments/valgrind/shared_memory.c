/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Valgrind says what is mapped, but not how: that is in the arguments of the
 * system call, which maps before another one can begin. */
#include "experiments/valgrind/shared_memory.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

static Bool maps_shared; /* the system call that is made, or was made last */

static void before_call(ThreadId thread, UInt number, UWord *arguments,
                        UInt count) {
  (void)thread;
  maps_shared =
      number == __NR_mmap && count > 3 && arguments[3] & VKI_MAP_SHARED;
}

static void after_call(ThreadId thread, UInt number, UWord *arguments,
                       UInt count, SysRes result) {
  (void)thread, (void)number, (void)arguments, (void)count, (void)result;
}

void vt_shared_memory_track(void) {
  VG_(needs_syscall_wrapper)(before_call, after_call);
}

static Bool begins(const HChar *text, const HChar *with) {
  return !VG_(strncmp)(text, with, VG_(strlen)(with));
}

/* memfd_create(2), shm_open(3). */
static Bool is_in_memory(const HChar *file) {
  return begins(file, "/memfd:") || begins(file, "/dev/shm/");
}

Bool vt_is_shared_memory(Addr a, const HChar *name) {
  const NSegment *segment = VG_(am_find_nsegment)(a);
  if (segment && segment->kind == SkShmC) return True; /* of shmat() */
  return maps_shared && (!name || !*name || is_in_memory(name));
}
