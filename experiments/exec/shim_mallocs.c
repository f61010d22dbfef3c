/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What another malloc() than glibc's maps, where the heap is chosen:
 * jemalloc's, which asks for huge pages itself (carry_out.c).
 *
 * It maps ever more at a time, mostly no whole huge pages.  Where two mappings
 * share one, the first was touched before the second was there, so that both
 * have base pages in it for good: 2 to 13 MiB of 170 in a redis server, by the
 * addresses that the kernel happens to choose.  So each is mapped right below
 * the one before it, and down to a multiple of 2 MiB: what is left there is the
 * next one's.  What the program has is its own, to unmap as it likes: nothing
 * of that is given out again.
 *
 * What it gives back by the time that it has not been used, a table of 2 MiB
 * for one, may be parts of huge pages, which would be base pages from then on:
 * such parts are zeroed where they are.
 *
 * No lock: it could be held by a thread that fork leaves behind.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/proc_lines.h"
#include "experiments/exec/shim.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* Linux 4.17 */
#endif

/* As jemalloc maps where memory may be promised that is not there. */
enum { PROMISED = FLAGS | MAP_NORESERVE };

/* Where the last one begins; below it is what is left, mapped and never used,
 * down to a multiple of 2 MiB.  0: none is left. */
static uintptr_t lowest;

/* Two threads may try: what is left below it is for the one that succeeds. */
static bool make_lowest(uintptr_t *old, uintptr_t new) {
  return __atomic_compare_exchange_n(&lowest, old, new, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}

static uintptr_t get_lowest(void) {
  return __atomic_load_n(&lowest, __ATOMIC_ACQUIRE);
}

extern void *malloc(size_t bytes) __attribute__((weak));

static uintptr_t down(uintptr_t at) { return at & ~((uintptr_t)THP - 1); }
static uintptr_t up(uintptr_t at) { return down(at + THP - 1); }

/* The code that malloc() is in; of the program itself, if it is there. */
static bool is_of_malloc(const void *back) {
  static uintptr_t from, to;
  uintptr_t end = __atomic_load_n(&to, __ATOMIC_ACQUIRE);
  if (!end) {
    uintptr_t here = shim_malloc_behind ? shim_malloc_behind() : 0;
    if (!here) here = (uintptr_t)malloc;
    struct proc_lines lines = {.fd = (int)syscall(SYS_openat, AT_FDCWD,
                                                  "/proc/self/maps",
                                                  O_RDONLY | O_CLOEXEC)};
    end = 1; /* nothing */
    while (lines.fd >= 0 && proc_lines_next(&lines)) {
      const char *at = lines.line;
      uintptr_t first = proc_lines_number(&at);
      at += *at == '-';
      uintptr_t last = proc_lines_number(&at);
      if (here < first || here >= last) continue;
      __atomic_store_n(&from, first, __ATOMIC_RELAXED);
      end = last;
    }
    if (lines.fd >= 0) syscall(SYS_close, lines.fd);
    __atomic_store_n(&to, end, __ATOMIC_RELEASE);
  }
  return (uintptr_t)back >= __atomic_load_n(&from, __ATOMIC_RELAXED) &&
         (uintptr_t)back < end;
}

/* Older kernels take the flag for none, and another place. */
static bool map_at(uintptr_t at, size_t bytes) {
  long got = syscall(SYS_mmap, at, bytes, RIGHTS,
                     PROMISED | MAP_FIXED_NOREPLACE, -1, 0L);
  if (got == -1) return false;
  if ((uintptr_t)got == at) {
    shim_advise(at, bytes);
    return true;
  }
  syscall(SYS_munmap, got, bytes);
  return false;
}

static uintptr_t map_below(size_t bytes) {
  uintptr_t low = get_lowest();
  while (low > bytes + THP) {
    uintptr_t from = low - bytes, new = down(from), old = down(low);
    if (!map_at(new, old - new)) return 0; /* others are there */
    if (make_lowest(&low, from)) return from;
    syscall(SYS_munmap, new, old - new);
  }
  return 0;
}

/* What was left below the one before is nobody's then. */
static uintptr_t map_elsewhere(size_t bytes) {
  size_t whole = up(bytes);
  long got = syscall(SYS_mmap, NULL, whole + THP, RIGHTS, PROMISED, -1, 0L);
  if (got == -1) return 0;
  uintptr_t start = (uintptr_t)got, first = up(start), end = first + whole;
  if (first > start) syscall(SYS_munmap, start, first - start);
  if (start + THP > first) syscall(SYS_munmap, end, start + THP - first);
  shim_advise(first, whole);
  uintptr_t old = __atomic_exchange_n(&lowest, end - bytes, __ATOMIC_ACQ_REL);
  if (old > down(old)) syscall(SYS_munmap, down(old), old - down(old));
  return end - bytes;
}

/* Does malloc() call, and has it huge pages? */
static bool is_chosen(const void *back) {
  return shim_begin() && shim.transparent && shim.chosen &&
         shim.rules.heap >= 0 && shim.huge >= THP && !shim.sandboxed &&
         is_of_malloc(back);
}

void *shim_map_mallocs(const void *at, size_t bytes, int rights, int flags,
                       const void *back) {
  int error = errno;
  if (at || rights != RIGHTS || flags != PROMISED || bytes < THP ||
      bytes % 4096 || bytes > (size_t)1 << 46)
    return NULL;
  if (!is_chosen(back)) return NULL;
  uintptr_t start = map_below(bytes);
  if (!start) start = map_elsewhere(bytes);
  errno = error;
  return (void *)start;
}

/* Zero [from, to) of a huge page.  False: not all of that is there. */
static bool keep(uintptr_t from, uintptr_t to) {
  unsigned char there[THP / 4096];
  if (from >= to || syscall(SYS_mincore, down(from), (size_t)THP, there) ||
      memchr(there, 0, sizeof there))
    return false;
  memset((void *)from, 0, to - from);
  return true;
}

bool shim_discard_mallocs(void *at, size_t bytes, const void *back) {
  int error = errno;
  uintptr_t start = (uintptr_t)at, end = start + bytes;
  uintptr_t first = up(start), last = down(end);
  bool done = false;
  if (end <= start || start % 4096 || bytes % 4096 || !is_chosen(back))
    return false;
  if (first > last) {
    done = keep(start, end);
  } else {
    if (keep(start, first)) start = first;
    if (keep(last, end)) end = last;
    done = start == end ||
           !syscall(SYS_madvise, start, end - start, (long)MADV_DONTNEED);
  }
  errno = error;
  return done;
}

/* The last that was mapped goes with what is left below it.  Who unmaps that
 * has no right to it, but may. */
bool shim_unmap_mallocs(void *at, size_t bytes) {
  uintptr_t start = (uintptr_t)at, end = start + bytes, low = get_lowest();
  if (!low || !bytes || start % 4096 || end < start || start > low ||
      end <= down(low))
    return false;
  bool last = start == low;
  if (last && bytes % 4096) return false;
  if (!make_lowest(&low, 0) || !last) return false;
  return !syscall(SYS_munmap, down(start), end - down(start));
}
