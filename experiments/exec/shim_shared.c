/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared memory: mmap() without a file, of memfd_create() and of shm_open(),
 * and shmat().
 *
 * It is mapped where addresses and offsets agree by 2 MiB, and advised.  A
 * fault then gives huge pages only where shmem_enabled, or the mount of its
 * tmpfs, lets it.  MADV_COLLAPSE makes huge pages whatever these say, short of
 * `deny`, but only of pages that are there.  So where the first fault gives a
 * base page, one page of each 2 MiB is faulted in and made a huge one when the
 * memory is mapped: all of it is memory then, and whoever else maps it, a
 * forked child for one, finds huge pages.  Where there is no room for that
 * (shim_room.c), only those parts become huge pages of which all is there.
 * Sizes below 2 MiB have another switch for shared memory, and no call makes
 * such pages: where these are asked for, it stays as it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "experiments/exec/shim.h"

enum {
  POPULATE_READ = 22,      /* MADV_POPULATE_READ, Linux 5.14 */
  TMPFS_MAGIC = 0x01021994 /* statfs(2); memfd_create() has it, too */
};

static bool may_be_chosen(void) {
  return shim.transparent && shim.huge == THP && !shim.sandboxed &&
         (!shim.chosen || shim.choose_site || shim.rules.shared >= 0);
}

static bool is_in_memory(int flags, int fd) {
  struct statfs file_system;
  if (flags & MAP_ANONYMOUS) return true;
  return fd >= 0 && !syscall(SYS_fstatfs, fd, &file_system) &&
         file_system.f_type == TMPFS_MAGIC;
}

/* The parts of it that are chosen, from its beginning; how many. */
static unsigned choose(size_t bytes, const void *back, const void *frame,
                       struct range part[SHIM_PARTS]) {
  unsigned parts = 0;
  if (shim.choose_site) parts = shim.choose_site(bytes, back, frame, part);
  if (parts) return parts;
  part[0] = (struct range){.bytes = bytes, .choice = shim.rules.shared};
  return !shim.chosen ||
         (shim.rules.shared >= 0 && bytes >= shim.rules.shared_least);
}

/* How many of the base pages of a unit are there. */
static size_t count(uintptr_t unit, size_t pages) {
  unsigned char there[THP / 4096];
  size_t sum = 0;
  if (syscall(SYS_mincore, unit, (size_t)THP, there)) return 0;
  for (size_t i = 0; i < pages; i++) sum += there[i] & 1;
  return sum;
}

/* The whole units of it. */
struct units {
  uintptr_t first, end;
  size_t page;    /* a base page */
  bool fills;     /* base pages that are not there may be added */
  bool by_faults; /* a fault gives a huge page */
};

static uint64_t missing_bytes(const struct units *units) {
  uint64_t bytes = 0;
  for (uintptr_t unit = units->first; unit < units->end; unit += THP)
    bytes += THP - count(unit, THP / units->page) * units->page;
  return bytes;
}

/* False where no more can be had. */
static bool make_huge(struct units *units, uintptr_t unit) {
  size_t page = units->page, there = count(unit, THP / page);
  if (!units->fills && there < THP / page) return true;
  if (!there && units->by_faults) return true;
  if (!there) {
    if (syscall(SYS_madvise, unit, page, POPULATE_READ)) return false;
    units->by_faults = count(unit, THP / page) == THP / page;
    if (units->by_faults) return true;
  }
  return !syscall(SYS_madvise, unit, (size_t)THP, MADV_COLLAPSE);
}

/* Of the file `fd` or of none, which is -1; with errno as it was.  `sparse`:
 * the program says that it touches only some of it. */
static void give(uintptr_t start, struct range part, int fd, bool sparse) {
  int error = errno;
  part.mapped = part.start; /* shim_report_detach() needs the beginning */
  part.start += start;
  if (shim.reports) ranges_add(&shim.ranges, &part);
  shim_advise(part.start, part.bytes);
  uintptr_t end = part.start + part.bytes, mask = THP - 1;
  struct units units = {.first = (part.start + mask) & ~mask,
                        .end = end & ~mask,
                        .page = (size_t)sysconf(_SC_PAGESIZE)};
  units.fills = !sparse && shim_has_room(missing_bytes(&units), fd);
  for (uintptr_t unit = units.first; unit < units.end; unit += THP)
    if (!make_huge(&units, unit)) break;
  errno = error;
}

static void *map_at(void *at, size_t bytes, int rights, int flags, int fd,
                    off_t offset) {
  return (void *)syscall(SYS_mmap, at, bytes, rights, flags, fd, offset);
}

static void *map_aligned(size_t bytes, int rights, int flags, int fd,
                         off_t offset) {
  size_t whole = (bytes + 4095) & ~(size_t)4095;
  uintptr_t start =
      whole < bytes ? 0 : shim_reserve(whole, PROT_NONE, (uint64_t)offset);
  if (!start) return MAP_FAILED;
  void *memory =
      map_at((void *)start, bytes, rights, flags | MAP_FIXED, fd, offset);
  if (memory == MAP_FAILED) syscall(SYS_munmap, start, whole);
  return memory;
}

void *shim_map_shared(void *at, size_t bytes, int rights, int flags, int fd,
                      off_t offset, const void *back, const void *frame) {
  struct range part[SHIM_PARTS];
  int error = errno;
  if (flags & (MAP_HUGETLB | MAP_32BIT) || bytes < THP || !may_be_chosen())
    return NULL;
  unsigned parts =
      is_in_memory(flags, fd) ? choose(bytes, back, frame, part) : 0;
  errno = error;
  if (!parts) return NULL;
  void *memory =
      at ? MAP_FAILED : map_aligned(bytes, rights, flags, fd, offset);
  errno = error;
  if (memory == MAP_FAILED)
    memory = map_at(at, bytes, rights, flags, fd, offset);
  for (unsigned i = 0; memory != MAP_FAILED && i < parts; i++)
    give((uintptr_t)memory, part[i], flags & MAP_ANONYMOUS ? -1 : fd,
         flags & MAP_NORESERVE);
  return memory;
}

#ifdef SYS_shmat
/* The size of a segment that is chosen; else 0, as `*parts`. */
static size_t chosen_segment(int id, const void *back, const void *frame,
                             struct range part[SHIM_PARTS], unsigned *parts) {
  struct shmid_ds segment;
  int error = errno;
  *parts = 0;
  if (may_be_chosen() && !syscall(SYS_shmctl, id, IPC_STAT, &segment) &&
      segment.shm_segsz >= THP)
    *parts = choose(segment.shm_segsz, back, frame, part);
  errno = error;
  return *parts ? segment.shm_segsz : 0;
}

static void *attach_aligned(int id, int flags, size_t bytes) {
  size_t whole = (bytes + 4095) & ~(size_t)4095;
  uintptr_t start = shim_reserve(whole, PROT_NONE, 0);
  if (!start) return MAP_FAILED;
  long map = syscall(SYS_shmat, id, start, flags | SHM_REMAP);
  if (map == -1) syscall(SYS_munmap, start, whole);
  return (void *)map;
}

SHIM_EXPORT void *shmat(int id, const void *at, int flags) {
  struct range part[SHIM_PARTS];
  unsigned parts;
  int error = errno;
  void *memory = MAP_FAILED;
  size_t bytes = chosen_segment(id, __builtin_return_address(0),
                                __builtin_frame_address(0), part, &parts);
  /* SHM_REMAP without an address is an error, which is the program's. */
  if (bytes && !at && !(flags & SHM_REMAP))
    memory = attach_aligned(id, flags, bytes);
  errno = error;
  if (memory == MAP_FAILED) memory = (void *)syscall(SYS_shmat, id, at, flags);
  for (unsigned i = 0; memory != MAP_FAILED && i < parts; i++)
    give((uintptr_t)memory, part[i], -1, false);
  return memory;
}

SHIM_EXPORT int shmdt(const void *at) {
  if (shim.reports) shim_report_detach(at);
  return (int)syscall(SYS_shmdt, at);
}
#endif
