/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/granted.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/memory.h"

struct granted {
  struct rules rules;
  int fd;
  char path[40];
  uint64_t space; /* of process numbers, by its inode; 0: unknown */
  struct look_area *area;
  size_t bytes;
  struct look_sum *ended; /* of processes that are gone */
  struct look_sum *now;   /* of those that are there, at the last look */
  struct segments now_shared;
  unsigned long ended_count, now_count; /* of processes with any of it */
};

const char *granted_path(const struct granted *granted) {
  return granted->path;
}

void granted_end(struct granted *granted) {
  if (!granted) return;
  if (granted->area) munmap(granted->area, granted->bytes);
  if (granted->fd >= 0) close(granted->fd);
  free(granted->ended);
  free(granted->now);
  free(granted);
}

/* Other users of the machine cannot open it: /proc/PID/fd is this user's. */
struct granted *granted_begin(const char *rules) {
  struct granted *granted = memory_zeroed(1, sizeof *granted);
  rules_read(&granted->rules, rules);
  unsigned choices = granted->rules.choices;
  granted->bytes = look_area_bytes(choices, LOOK_SLOTS);
  granted->ended = memory_zeroed(choices + 1, sizeof *granted->ended);
  granted->now = memory_zeroed(choices + 1, sizeof *granted->now);
  granted->fd = memfd_create("vat exec", MFD_CLOEXEC);
  if (granted->fd >= 0 && !ftruncate(granted->fd, (off_t)granted->bytes)) {
    void *map = mmap(NULL, granted->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                     granted->fd, 0);
    if (map != MAP_FAILED) granted->area = map;
  }
  if (!granted->area) {
    int error = errno;
    granted_end(granted);
    errno = error;
    return NULL;
  }
  struct stat space;
  if (!stat("/proc/self/ns/pid", &space)) granted->space = space.st_ino;
  granted->area->choices = choices;
  granted->area->slots = LOOK_SLOTS;
  snprintf(granted->path, sizeof granted->path, "/proc/%d/fd/%d", (int)getpid(),
           granted->fd);
  return granted;
}

static bool read_memory(pid_t pid, uint64_t from, void *to, size_t bytes) {
  struct iovec here = {to, bytes}, there = {(void *)(uintptr_t)from, bytes};
  return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

/* A copy, with copies of its chunks; what cannot be read is as if it were not
 * recorded. */
static struct ranges *copy_ranges(pid_t pid, uint64_t from, unsigned choices) {
  struct ranges *ranges = memory_zeroed(1, sizeof *ranges);
  bool whole = read_memory(pid, from, ranges, sizeof *ranges);
  if (!whole || ranges->used > RANGES_CHUNK * RANGES_CHUNKS ||
      ranges->lg_small > 30)
    memset(ranges, 0, sizeof *ranges);
  ranges->choices = choices;
  for (size_t i = 0; i < RANGES_CHUNKS; i++) {
    struct range *there = ranges->chunk[i];
    ranges->chunk[i] = NULL;
    if (!there || i * RANGES_CHUNK >= ranges->used) continue;
    struct range *chunk = memory_zeroed(RANGES_CHUNK, sizeof *chunk);
    read_memory(pid, (uintptr_t)there, chunk, RANGES_CHUNK * sizeof *chunk);
    ranges->chunk[i] = chunk;
  }
  return ranges;
}

static void free_ranges(struct ranges *ranges) {
  for (size_t i = 0; i < RANGES_CHUNKS; i++) free(ranges->chunk[i]);
  free(ranges);
}

static void add_all(struct look_sum *to, const struct look_sum *from,
                    unsigned choices) {
  for (unsigned i = 0; i < choices; i++) look_add(&to[i], &from[i]);
}

static bool any(const struct look_sum *sums, unsigned choices) {
  for (unsigned i = 0; i < choices; i++)
    if (sums[i].asked) return true;
  return false;
}

static void look_at_process(struct granted *granted, struct look_slot *slot,
                            pid_t pid) {
  char path[40];
  unsigned choices = granted->rules.choices;
  snprintf(path, sizeof path, "/proc/%d/smaps", (int)pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  struct ranges *ranges = copy_ranges(pid, slot->ranges, choices);
  struct look_sum *sums = memory_zeroed(choices + 1, sizeof *sums);
  struct sized_pages sized = {.page_bytes = (size_t)1 << ranges->lg_small};
  bool told = ranges->lg_small && !hp_pagemap_open(&sized.map, pid);
  look_at(fd, &granted->rules, ranges, sums, &granted->now_shared,
          told ? &sized : NULL);
  if (told) hp_pagemap_close(&sized.map);
  look_keep_best(slot->sums, sums, choices);
  add_all(granted->now, sums, choices);
  granted->now_count += any(sums, choices);
  free(sums);
  free_ranges(ranges);
  close(fd);
}

/* Keep what it left and let others have its slot. */
static void give_up_slot(struct granted *granted, struct look_slot *slot) {
  unsigned choices = granted->rules.choices;
  add_all(granted->ended, slot->sums, choices);
  granted->ended_count += any(slot->sums, choices);
  memset(slot->sums, 0, choices * sizeof *slot->sums);
  slot->ranges = 0;
  __atomic_store_n(&slot->pid, 0, __ATOMIC_RELEASE);
}

/* Another process here has the number of one in a container: that one is only
 * known by what it leaves. */
void granted_look(struct granted *granted) {
  memset(granted->now, 0, granted->rules.choices * sizeof *granted->now);
  memset(&granted->now_shared, 0, sizeof granted->now_shared);
  granted->now_count = 0;
  for (uint32_t i = 0; i < LOOK_SLOTS; i++) {
    struct look_slot *slot = look_slot_at(granted->area, i);
    bool whole = __atomic_load_n(&slot->ranges, __ATOMIC_ACQUIRE);
    int pid = __atomic_load_n(&slot->pid, __ATOMIC_ACQUIRE);
    bool near = pid && whole && slot->space == granted->space;
    if (pid < 0 || (near && kill(pid, 0) && errno == ESRCH))
      give_up_slot(granted, slot);
    else if (near)
      look_at_process(granted, slot, pid);
  }
  segments_merge(&granted->area->shared, &granted->now_shared);
}

/* Where such pages may be, without anybody having told. */
static uint64_t unseen_room(const struct look_sum *sum) {
  uint64_t rest = sum->granted + sum->other + sum->small + sum->ends;
  return sum->flags & LOOK_UNSEEN && sum->asked > rest ? sum->asked - rest : 0;
}

void granted_by_faults(struct look_sum *sums, size_t choices, size_t page_bytes,
                       const struct hp_thp_faults *before,
                       const struct hp_thp_faults *after) {
  uint64_t room = 0;
  for (size_t i = 0; i < choices; i++) room += unseen_room(&sums[i]);
  size_t pages = hp_thp_faults_given(before, after, room / page_bytes);
  for (size_t i = 0; room && i < choices; i++)
    sums[i].granted += (uint64_t)((double)(pages * page_bytes) *
                                  (double)unseen_room(&sums[i]) / (double)room);
}

static void add_shared(const struct segments *segments, struct look_sum *sums,
                       unsigned choices) {
  for (unsigned i = 0; i < SEGMENTS; i++) {
    const struct segment *segment = &segments->at[i];
    uint32_t choice = segment_choice(segment);
    if (!segment->key || choice >= choices) continue;
    sums[choice].asked += segment->asked;
    sums[choice].granted += segment->granted;
  }
}

unsigned long granted_sums(const struct granted *granted, bool now,
                           struct look_sum *sums) {
  unsigned choices = granted->rules.choices;
  memset(sums, 0, choices * sizeof *sums);
  add_shared(now ? &granted->now_shared : &granted->area->shared, sums,
             choices);
  add_all(sums, now ? granted->now : granted->ended, choices);
  if (now) return granted->now_count;
  unsigned long count = granted->ended_count;
  for (uint32_t i = 0; i < LOOK_SLOTS; i++) {
    struct look_slot *slot = look_slot_at(granted->area, i);
    if (!slot->pid) continue;
    add_all(sums, slot->sums, choices);
    count += any(slot->sums, choices);
  }
  return count;
}
