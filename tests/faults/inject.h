/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/faults/inject.h -- what the driver and inject.so share.
 *
 * inject.so is preloaded into vat, and from main() on counts the calls of each
 * kind over the command's processes: those of libraries itself, system calls by
 * a seccomp filter that asks the driver.  The one call that is to fail does.
 * Programs that vat runs are not counted.
 */
#pragma once
#include <stdatomic.h>
#include <stdint.h>

enum fault_kind {
  FAULT_MMAP,
  FAULT_WRITE,
  FAULT_FSYNC,
  FAULT_RENAME,
  FAULT_FORK,
  FAULT_SYSCALLS, /* those before are asked for, those behind are counted */
  FAULT_MALLOC = FAULT_SYSCALLS,
  FAULT_PAPI,
  FAULT_HWLOC,
  FAULT_KINDS,
  FAULT_NONE = -1,
};

enum { FAULT_PATHS = 1 << 14, FAULT_FRAMES = 20 };

struct fault_page {
  int kind;      /* what is to fail; FAULT_NONE: nothing does */
  unsigned nth;  /* which of them, from 1 */
  int counting;  /* system calls are asked for although none is to fail */
  int no_perf;   /* perf_event_open fails with EPERM, as under seccomp */
  int clock;     /* the wall clock steps by an hour at every look */
  uint64_t room; /* RLIMIT_AS from main() on; 0: as it is */
  atomic_uint calls[FAULT_KINDS];
  atomic_uint steps; /* looks at the wall clock */
  atomic_int fired;
  atomic_int fd; /* which a write that failed went to */
  /* The call came from a library that is known not to check its memory. */
  int fragile;
  /* Where the call that failed came from, as offsets into vat; 0: a library. */
  uintptr_t frames[FAULT_FRAMES];
  /* For each way to malloc(), by a hash of its callers, its first call. */
  struct {
    atomic_ulong way;
    atomic_uint first;
    int fragile;
  } paths[FAULT_PATHS];
};

/* The environment of vat: files that it inherits, the page to be mapped, and a
 * socket over which the filter's file goes to the driver. */
#define FAULT_PAGE "FAULT_PAGE"
#define FAULT_SOCKET "FAULT_SOCKET"

/* Between the files of inject.so.  The page is NULL until main() is called. */
extern struct fault_page *fault_page;
void fault_note_code(void); /* before anything is counted */
/* Count a call, and tell whether it is the one to fail. */
int fault_due(enum fault_kind kind);
