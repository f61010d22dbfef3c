/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory on pages of a pool that has to become base pages.
 *
 * The kernel copies a page that fork() has shared when one of both writes.  If
 * the pool has no page for that, the kernel takes the page from the child, or
 * kills it.  So a child takes copies of its own,
 * on pages that are not of the pool, before fork() returns; the parent keeps
 * its pages, and waits until the child has done so.
 *
 * And the kernel changes whole pages of a pool only.  Those of which a program
 * protects or replaces a part become base pages first.  That cannot
 * be done while other threads write: then the kernel's refusal stands.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "experiments/exec/look.h"
#include "experiments/exec/proc_lines.h"
#include "experiments/exec/shim.h"

/* Between parent and child. */
struct copying {
  uint32_t pages; /* that the child has copied */
  uint32_t done;
};
static __thread struct copying *copying
    __attribute__((tls_model("initial-exec")));

struct huge_mapping {
  uintptr_t start, end;
  int rights;
};

/* Private memory of a pool, by its line in maps. */
static bool read_mapping(const char *line, struct huge_mapping *mapping) {
  mapping->start = proc_lines_number(&line);
  line += *line == '-';
  mapping->end = proc_lines_number(&line);
  if (strlen(line) < 5 || line[1] != 'r' || line[4] != 'p') return false;
  mapping->rights = PROT_READ | (line[2] == 'w' ? PROT_WRITE : 0);
  return strstr(line, "/anon_hugepage") != NULL;
}

static bool is_there(uintptr_t at) {
  unsigned char there = 0;
  return !syscall(SYS_mincore, at, 4096L, &there) && there & 1;
}

static void copy_pages(uintptr_t to, const struct huge_mapping *from) {
  for (uintptr_t at = from->start; at < from->end; at += THP) {
    if (!is_there(at)) continue;
    memcpy((void *)(to + (at - from->start)), (void *)at, THP);
    if (copying) __atomic_add_fetch(&copying->pages, 1, __ATOMIC_RELAXED);
  }
}

/* Where there is no memory for it, it stays as it is. */
static bool to_base(const struct huge_mapping *mapping) {
  size_t bytes = mapping->end - mapping->start;
  uintptr_t to = shim_reserve(bytes, RIGHTS, 0);
  if (!to) return false;
  shim_advise(to, bytes);
  copy_pages(to, mapping);
  if (!(mapping->rights & PROT_WRITE))
    syscall(SYS_mprotect, to, bytes, mapping->rights);
  if (syscall(SYS_mremap, to, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
              mapping->start) != -1)
    return true;
  syscall(SYS_munmap, to, bytes);
  return false;
}

static int open_maps(void) {
  return (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps",
                      O_RDONLY | O_CLOEXEC);
}

/* The kernel goes on behind the line that it has told of last, whatever is
 * mapped meanwhile. */
static void all_to_base(void) {
  struct proc_lines lines = {.fd = open_maps()};
  struct huge_mapping mapping;
  bool any = false;
  if (lines.fd < 0) return;
  while (proc_lines_next(&lines))
    if (read_mapping(lines.line, &mapping)) any |= to_base(&mapping);
  syscall(SYS_close, lines.fd);
  for (uint32_t i = 0; any && i < shim.ranges.choices; i++)
    shim.ranges.flags[i] |= LOOK_FORKED;
}

/* --- fork --- */

static void before_fork(void) {
  int error = errno;
  long map = shim.sandboxed ? -1
                            : syscall(SYS_mmap, NULL, 4096L, RIGHTS,
                                      MAP_SHARED | MAP_ANONYMOUS, -1, 0L);
  copying = map == -1 ? NULL : (struct copying *)map;
  errno = error;
}

static void end_copying(void) {
  if (copying) syscall(SYS_munmap, copying, 4096L);
  copying = NULL;
}

/* As long as the child gets on: it may have been stopped or killed, or there
 * is none, as fork() failed. */
static void after_in_parent(void) {
  enum { TRIES = 20 };
  static const struct timespec while_ = {.tv_nsec = 50000000};
  int error = errno;
  uint32_t seen = 0;
  for (int tries = 0; copying && tries < TRIES; tries++) {
    if (__atomic_load_n(&copying->done, __ATOMIC_ACQUIRE)) break;
    syscall(SYS_futex, &copying->done, FUTEX_WAIT, 0, &while_, NULL, 0);
    uint32_t pages = __atomic_load_n(&copying->pages, __ATOMIC_RELAXED);
    if (pages != seen) tries = 0;
    seen = pages;
  }
  end_copying();
  errno = error;
}

static void after_in_child(void) {
  int error = errno;
  if (!shim.sandboxed) all_to_base();
  if (copying) {
    __atomic_store_n(&copying->done, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &copying->done, FUTEX_WAKE, 1, NULL, NULL, 0);
  }
  end_copying();
  errno = error;
}

void shim_base_begin(void) {
  if (shim.lg_huge) shim_at_fork(before_fork, after_in_parent, after_in_child);
}

/* --- parts of pages --- */

/* Zero [from, to), which lies in one page of a pool.  False: it does not. */
static bool zero_part(uintptr_t from, uintptr_t to) {
  struct proc_lines lines = {.fd = from < to ? open_maps() : -1};
  struct huge_mapping mapping;
  bool inside = false;
  if (lines.fd < 0) return false;
  while (!inside && proc_lines_next(&lines))
    inside = read_mapping(lines.line, &mapping) && from >= mapping.start &&
             to <= mapping.end && mapping.rights & PROT_WRITE;
  syscall(SYS_close, lines.fd);
  if (inside && is_there(from & ~((uintptr_t)4095)))
    memset((void *)from, 0, to - from);
  return inside;
}

/* The kernel refuses this for what does not begin with a page of the pool, and
 * silently does less where it does not end with one. */
int shim_base_discard(void *at, size_t bytes) {
  uintptr_t page = (uintptr_t)1 << shim.lg_huge, start = (uintptr_t)at;
  uintptr_t end = start + ((bytes + 4095) & ~4095UL);
  if (shim.lg_huge && !shim.sandboxed && start % 4096 == 0 && end > start) {
    uintptr_t first = (start + page - 1) & ~(page - 1),
              last = end & ~(page - 1);
    if (first > last) {
      if (zero_part(start, end)) return 0;
    } else {
      if (zero_part(start, first)) start = first;
      if (zero_part(last, end)) end = last;
      if (start == end) return 0;
      return (int)syscall(SYS_madvise, start, end - start, MADV_DONTNEED);
    }
  }
  return (int)syscall(SYS_madvise, at, bytes, MADV_DONTNEED);
}

/* A folder has a link for each folder in it, and two. */
static bool is_single(void) {
  struct stat status;
  return !syscall(SYS_newfstatat, AT_FDCWD, "/proc/self/task", &status, 0) &&
         status.st_nlink == 3;
}

/* The page of a pool that holds `at`, if it does not begin there. */
static bool edge_to_base(uintptr_t at) {
  uintptr_t page = (uintptr_t)1 << shim.lg_huge;
  struct proc_lines lines = {.fd = at % page ? open_maps() : -1};
  struct huge_mapping mapping;
  bool made = false;
  if (lines.fd < 0) return false;
  while (!made && proc_lines_next(&lines)) {
    if (!read_mapping(lines.line, &mapping) || at < mapping.start ||
        at >= mapping.end)
      continue;
    mapping.start = at & ~(page - 1);
    mapping.end = mapping.start + page;
    made = to_base(&mapping);
    if (!made) break;
  }
  syscall(SYS_close, lines.fd);
  return made;
}

bool shim_base_edges(const void *at, size_t bytes) {
  uintptr_t start = (uintptr_t)at, end = start + ((bytes + 4095) & ~4095UL);
  int error = errno;
  bool made = false;
  if (error == EINVAL && shim.lg_huge && !shim.sandboxed && start % 4096 == 0 &&
      end > start && is_single()) {
    made = edge_to_base(start);
    made |= edge_to_base(end);
  }
  errno = error;
  return made;
}
