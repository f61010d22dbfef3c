/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process of the program looks at its own memory when it ends and before it
 * gives back the most it had, and leaves the sums where vat finds them. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/look.h"
#include "experiments/exec/shim.h"
#include "huge_pages/pagemap_scan.h"

static struct look_area *area;
static struct look_slot *slot;
static int owner; /* process of the slot */
static uint64_t most;

static int own_pid(void) { return (int)syscall(SYS_getpid); }

/* In a container, vat's numbers are others: these name the space of numbers. */
static uint64_t own_space(void) {
  struct stat status;
  return syscall(SYS_newfstatat, AT_FDCWD, "/proc/self/ns/pid", &status, 0L)
             ? 0
             : status.st_ino;
}

static struct look_slot *take(struct look_slot *taken, uint64_t space) {
  owner = own_pid();
  taken->space = space;
  __atomic_store_n(&taken->ranges, (uint64_t)(uintptr_t)&shim.ranges,
                   __ATOMIC_RELEASE);
  return taken;
}

/* The slot that this process had before exec(): it stays one process. */
static struct look_slot *claim_again(int pid, uint64_t space) {
  uint32_t used = __atomic_load_n(&area->used, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < used && i < area->slots; i++) {
    struct look_slot *had = look_slot_at(area, i);
    if (__atomic_load_n(&had->pid, __ATOMIC_ACQUIRE) == pid &&
        had->space == space)
      return had;
  }
  return NULL;
}

static void note_used(uint32_t number) {
  uint32_t used = __atomic_load_n(&area->used, __ATOMIC_RELAXED);
  while (used <= number &&
         !__atomic_compare_exchange_n(&area->used, &used, number + 1, false,
                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    continue;
}

static struct look_slot *claim(void) {
  int pid = own_pid();
  uint64_t space = own_space();
  struct look_slot *had = claim_again(pid, space);
  if (had) return take(had, space);
  for (uint32_t i = 0; i < area->slots; i++) {
    struct look_slot *free_one = look_slot_at(area, i);
    int none = 0;
    if (!__atomic_compare_exchange_n(&free_one->pid, &none, pid, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      continue;
    note_used(i);
    return take(free_one, space);
  }
  __atomic_add_fetch(&area->missed, 1, __ATOMIC_RELAXED);
  return NULL;
}

/* A forked child has its parent's memory, and what it does is its own. */
static void after_fork(void) {
  int error = errno;
  slot = shim.sandboxed ? NULL : claim();
  errno = error;
}

void shim_report_begin(void) {
  bool known;
  const char *path = shim_variable("VAT_REPORT", &known);
  int fd =
      path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  /* In another pid namespace, the path is that of somebody else's file. */
  size_t bytes = look_area_bytes(shim.rules.choices, LOOK_SLOTS);
  bool ours = syscall(SYS_lseek, fd, 0L, SEEK_END) == (long)bytes;
  long map =
      !ours ? -1 : syscall(SYS_mmap, NULL, bytes, RIGHTS, MAP_SHARED, fd, 0L);
  syscall(SYS_close, fd);
  if (map == -1) return;
  area = (struct look_area *)map;
  if (area->choices != shim.rules.choices || area->slots != LOOK_SLOTS) {
    syscall(SYS_munmap, map, bytes);
    area = NULL;
    return;
  }
  shim.reports = true;
  slot = claim();
  shim_at_fork(NULL, NULL, after_fork);
}

static int open_to_read(const char *path) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

/* As hp_pagemap_open(), which needs a malloc().  False: not to be had. */
static bool open_frames(struct sized_pages *sized) {
  static struct hp_page page[THP / 4096];
  static uint64_t words[THP / 4096 + 1];
  static struct hp_scan_region regions[THP / 4096];
  size_t base = (size_t)sysconf(_SC_PAGESIZE);
  sized->page_bytes = shim.huge;
  sized->map =
      (struct hp_pagemap){.entries = open_to_read("/proc/self/pagemap"),
                          .flags = open_to_read("/proc/kpageflags"),
                          .page_bytes = base,
                          .most = THP / base,
                          .page = page,
                          .words = words,
                          .regions = regions};
  return sized->map.entries >= 0;
}

static void close_frames(const struct sized_pages *sized) {
  if (sized->map.entries >= 0) syscall(SYS_close, sized->map.entries);
  if (sized->map.flags >= 0) syscall(SYS_close, sized->map.flags);
}

/* At memory as smaps on `fd` tells it. */
static void look_by(int fd, struct look_sum *sums) {
  struct sized_pages sized;
  bool small = shim.huge < THP, told = small && open_frames(&sized);
  memset(sums, 0, shim.rules.choices * sizeof *sums);
  look_at(fd, &shim.rules, &shim.ranges, sums, &area->shared,
          told ? &sized : NULL);
  if (small) close_frames(&sized);
  look_keep_best(slot->sums, sums, shim.rules.choices);
}

/* One thread at a time; another one's look is as good. */
static void look(void) {
  static struct look_sum sums[RULES_CHOICES];
  static bool busy;
  int error = errno;
  if (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) return;
  int fd = open_to_read("/proc/self/smaps");
  if (fd >= 0) {
    look_by(fd, sums);
    syscall(SYS_close, fd);
  }
  __atomic_clear(&busy, __ATOMIC_RELEASE);
  errno = error;
}

/* A child of vfork() has its parent's memory, which is not its own to tell. */
static bool is_own(void) {
  return slot && !shim.sandboxed && own_pid() == owner;
}

void shim_report_now(void) {
  if (is_own()) look();
}

void shim_report_before(uint64_t bytes) {
  if (bytes <= most + most / 8 || !is_own()) return;
  most = bytes;
  look();
}

static void add(uintptr_t from, uintptr_t to, int choice) {
  struct range range = {.start = from, .bytes = to - from, .choice = choice};
  if (from < to) ranges_add(&shim.ranges, &range);
}

void shim_report_map(const void *at, size_t bytes, int choice) {
  add((uintptr_t)at, (uintptr_t)at + bytes, choice);
}

/* Is record `number` of such memory, of this process alone or shared? */
static bool overlaps(uint32_t number, uintptr_t from, uintptr_t to,
                     struct range *range) {
  if (!shim.ranges.chunk[number / RANGES_CHUNK]) return false;
  *range = *ranges_at(&shim.ranges, number);
  return range->start > RANGES_BUSY && !range->base && range->start < to &&
         range->start + range->bytes > from;
}

void shim_report_detach(const void *at) {
  uint32_t used = __atomic_load_n(&shim.ranges.used, __ATOMIC_ACQUIRE);
  struct range range;
  for (uint32_t i = 0; i < used; i++) {
    if (!overlaps(i, (uintptr_t)at, UINTPTR_MAX, &range) ||
        range.start - range.mapped != (uintptr_t)at)
      continue;
    shim_report_before(shim.ranges.live);
    ranges_remove(&shim.ranges, i);
  }
}

/* What is left of a record, at both ends, stays. */
int shim_report_unmap(const void *at, size_t bytes) {
  uintptr_t from = (uintptr_t)at, to = from + bytes;
  int choice = RULES_NONE;
  struct range range;
  uint32_t used = __atomic_load_n(&shim.ranges.used, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < used; i++) {
    if (!overlaps(i, from, to, &range)) continue;
    choice = range.choice;
    shim_report_before(shim.ranges.live);
    ranges_remove(&shim.ranges, i);
    add(range.start, from, choice);
    add(to, range.start + range.bytes, choice);
  }
  return choice;
}

static void end(void) {
  if (!is_own()) return;
  look();
  __atomic_store_n(&slot->pid, -owner, __ATOMIC_RELEASE);
  slot = NULL;
}

__attribute__((destructor)) static void end_normally(void) {
  end();
  shim_perf_map_end();
}

static _Noreturn void leave(int status) {
  end();
  shim_perf_map_end();
  for (;;) syscall(SYS_exit_group, status);
}

SHIM_EXPORT _Noreturn void _exit(int status) { leave(status); }
SHIM_EXPORT _Noreturn void _Exit(int status) { leave(status); }
