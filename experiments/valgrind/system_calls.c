/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/system_calls.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

/* The system call that is made, or was made last.  It maps before another one
 * can begin. */
static Bool maps_shared;
static struct vt_told tell;

Bool vt_child_shares;

/* fork() may be a clone(), too; arm64 has no other. */
static Bool is_fork(UInt number, const UWord *arguments, UInt count) {
  enum { VFORK = 0x4000 /* CLONE_VFORK */ };
  Bool forks = number == __NR_clone;
  vt_child_shares = forks && count && arguments[0] & VFORK;
#ifdef __NR_vfork
  forks |= number == __NR_vfork || number == __NR_fork;
  vt_child_shares |= number == __NR_vfork;
#endif
  return forks;
}

static void before_call(ThreadId thread, UInt number, UWord *arguments,
                        UInt count) {
  (void)thread;
  if (is_fork(number, arguments, count)) return;
  if (number == __NR_execve) tell.leaves();
  maps_shared =
      number == __NR_mmap && count > 3 && arguments[3] & VKI_MAP_SHARED;
}

static void after_call(ThreadId thread, UInt number, UWord *arguments,
                       UInt count, SysRes result) {
  enum { GIVEN_BACK = 4 /* MADV_DONTNEED */ };
  (void)thread;
  if (number == __NR_execve) tell.stays(); /* it failed */
  if (number == __NR_madvise && count > 2 && arguments[2] == GIVEN_BACK &&
      !sr_isError(result))
    tell.given_back(arguments[0], arguments[1]);
}

/* By a call, and where a signal or a thread begins. */
static void written(CorePart part, ThreadId thread, Addr a, SizeT bytes) {
  (void)part, (void)thread;
  if (bytes) tell.written(a, bytes);
}

void vt_system_calls_track(const struct vt_told *told) {
  tell = *told;
  VG_(needs_syscall_wrapper)(before_call, after_call);
  VG_(track_post_mem_write)(written);
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
