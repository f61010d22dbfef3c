/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/compare/backing.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "experiments/machine/process.h"
#include "huge_pages/smaps_mapping.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif

enum { CAP_SYS_NICE = 23 };

static const size_t mib2 = (size_t)2 << 20, gib = (size_t)1 << 30;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Bytes of whole pages of `page` bytes that fit into the mapping. */
static size_t whole_pages(const struct hp_mapping *mapping, size_t page) {
  uintptr_t start = mapping->start / page + (mapping->start % page != 0);
  uintptr_t end = mapping->end / page;
  return end > start ? (end - start) * page : 0;
}

/* Private memory that has no file, by its name: none, "[heap]", "[anon:...]".
 */
static bool is_anonymous(const struct hp_mapping *mapping) {
  const char *name = mapping->name;
  if (mapping->rights[3] == 's') return false;
  return !*name || !strcmp(name, "[heap]") || !strncmp(name, "[anon", 5) ||
         mapping->hugetlb; /* "/anon_hugepage (deleted)" */
}

/* Names of memory that processes share, and that no file on a disk holds. */
static bool is_shared_memory(const struct hp_mapping *mapping) {
  static const char *const names[] = {"/dev/zero", "/SYSV",
                                      "/memfd:", "/dev/shm/", "[anon_shmem"};
  if (mapping->rights[3] != 's') return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strncmp(mapping->name, names[i], strlen(names[i]))) return true;
  return mapping->hugetlb;
}

static void add_pages(struct backing_pages *sum,
                      const struct hp_mapping *mapping, size_t sized) {
  sum->base += mapping->rss - mapping->thp - sized;
  sum->sized += sized;
  sum->thp += mapping->thp;
  if (mapping->page_bytes == gib)
    sum->hugetlb1g += mapping->hugetlb;
  else
    sum->hugetlb2m += mapping->hugetlb;
}

static void add_anonymous(struct backing *backing,
                          const struct hp_mapping *mapping,
                          struct sized_pages *pages) {
  size_t small = mapping->rss - mapping->thp;
  size_t sized =
      pages && small ? sized_pages_of(pages, mapping->start, mapping->end) : 0;
  size_t resident = mapping->rss + mapping->hugetlb;
  size_t open = least(resident, whole_pages(mapping, mib2));
  sized = least(sized, small); /* they are read one after the other */
  backing->open += open;
  add_pages(&backing->own, mapping, sized);
  add_pages(&backing->granted, mapping, sized);
  backing->edges += least(small - sized, resident - open);
}

/* The place of that segment, the first free one where it has none yet. */
static struct backing_segment *place_of(struct backing_segment *segments,
                                        uint64_t device, uint64_t inode) {
  size_t i = 0;
  while (i < BACKING_SEGMENTS - 1 &&
         (segments[i].device != device || segments[i].inode != inode) &&
         backing_pages_total(&segments[i].pages))
    i++;
  if (i < BACKING_SEGMENTS - 1) {
    segments[i].device = device;
    segments[i].inode = inode;
  }
  return &segments[i];
}

/* `shared`: the segments of this process. */
static void add_mapping(struct backing *backing, struct backing_segment *shared,
                        const struct hp_mapping *mapping,
                        struct sized_pages *sized) {
  if (is_shared_memory(mapping)) {
    add_pages(&place_of(shared, mapping->device, mapping->inode)->pages,
              mapping, 0);
    return;
  }
  if (is_anonymous(mapping)) {
    add_anonymous(backing, mapping, sized);
    return;
  }
  add_pages(&backing->own, mapping, 0);
  if (!strncmp(mapping->name, "[stack", 6))
    backing->stacks += mapping->rss - mapping->thp;
  else
    backing->files += mapping->rss - mapping->thp;
}

static void merge(struct backing_segment *all,
                  const struct backing_segment *shared) {
  for (size_t i = 0; i < BACKING_SEGMENTS; i++) {
    const struct backing_pages *pages = &shared[i].pages;
    struct backing_segment *place =
        i < BACKING_SEGMENTS - 1
            ? place_of(all, shared[i].device, shared[i].inode)
            : &all[i];
    if (backing_pages_total(pages) > backing_pages_total(&place->pages))
      place->pages = *pages;
  }
}

/* No text makes sums overflow: a mapping has at most its own length, and less
 * than any memory there is. */
static void tame(struct hp_mapping *mapping) {
  size_t size = least(mapping->end - mapping->start, (size_t)1 << 48);
  mapping->hugetlb = least(mapping->hugetlb, size);
  mapping->rss = least(mapping->rss, size - mapping->hugetlb);
  mapping->thp = least(mapping->thp, mapping->rss);
}

int backing_add(struct backing *backing, FILE *smaps,
                struct sized_pages *sized) {
  struct hp_mapping_reader reader;
  struct hp_mapping mapping;
  struct backing sum = *backing;
  struct backing_segment shared[BACKING_SEGMENTS] = {0};
  hp_mapping_reader_init(&reader, smaps);
  while (hp_mapping_next(&reader, &mapping)) {
    tame(&mapping);
    add_mapping(&sum, shared, &mapping, sized);
  }
  if (ferror(smaps)) return -1;
  merge(sum.segments, shared);
  sum.processes++;
  sum.unseen += sized && !hp_pagemap_tells_frames(&sized->map);
  *backing = sum;
  return 0;
}

static FILE *open_smaps(pid_t pid) {
  char path[40];
  snprintf(path, sizeof path, "/proc/%d/smaps", (int)pid);
  return fopen(path, "re");
}

void backing_add_process(struct backing *backing, pid_t pid,
                         size_t sized_bytes) {
  struct sized_pages sized = {.page_bytes = sized_bytes};
  FILE *smaps = open_smaps(pid);
  if (!smaps) return;
  bool look = sized_bytes && !hp_pagemap_open(&sized.map, pid);
  int failed = backing_add(backing, smaps, look ? &sized : NULL);
  backing->unseen += sized_bytes && !look && !failed;
  if (look) hp_pagemap_close(&sized.map);
  fclose(smaps);
}

void backing_count_sized(struct backing *backing, size_t sized_bytes,
                         const struct hp_thp_faults *before,
                         const struct hp_thp_faults *after) {
  struct backing_pages *granted = &backing->granted;
  if (!backing->unseen) return;
  size_t pages =
      hp_thp_faults_given(before, after, backing->open / sized_bytes);
  size_t bytes = least(pages * sized_bytes, granted->base);
  granted->base -= bytes;
  granted->sized += bytes;
  backing->own.base -= bytes;
  backing->own.sized += bytes;
}

size_t backing_pages_total(const struct backing_pages *pages) {
  return pages->base + pages->sized + pages->thp + pages->hugetlb2m +
         pages->hugetlb1g;
}

struct backing_pages backing_shared(const struct backing *backing) {
  struct backing_pages sum = {0};
  for (size_t i = 0; i < BACKING_SEGMENTS; i++) {
    const struct backing_pages *pages = &backing->segments[i].pages;
    sum.base += pages->base;
    sum.thp += pages->thp;
    sum.hugetlb2m += pages->hugetlb2m;
    sum.hugetlb1g += pages->hugetlb1g;
  }
  return sum;
}

size_t backing_total(const struct backing *backing) {
  struct backing_pages shared = backing_shared(backing);
  return backing_pages_total(&backing->own) + backing_pages_total(&shared);
}

size_t backing_on_base_pages(const struct backing *backing) {
  return backing->own.base + backing_shared(backing).base;
}

bool backing_shows_more(const struct backing *a, const struct backing *b) {
  size_t less = least(a->open, b->open);
  if (a->open - less > mib2 || b->open - less > mib2) return a->open > b->open;
  return backing_total(a) > backing_total(b);
}

size_t backing_huge(const struct backing *backing) {
  const struct backing_pages *granted = &backing->granted;
  return granted->sized + granted->thp + granted->hugetlb2m +
         granted->hugetlb1g;
}

size_t backing_of_kind(const struct backing *backing,
                       const struct hp_kind *kind) {
  const struct backing_pages *granted = &backing->granted;
  size_t open = backing->open;
  size_t huge = backing_huge(backing);
  if (kind->base) return open - least(huge, open);
  if (kind->alone) return least(granted->sized, open);
  if (!kind->pooled) return least(granted->thp, open);
  return least(kind->bytes == gib ? granted->hugetlb1g : granted->hugetlb2m,
               open);
}

/* Whether the kernel can is tried on a page of our own. */
bool collapse_possible(void) {
  char *memory = mmap(NULL, 2 * mib2, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  char *page = memory + (mib2 - (uintptr_t)memory % mib2) % mib2;
  *page = 1;
  bool able = !madvise(page, mib2, MADV_COLLAPSE);
  munmap(memory, 2 * mib2);
  return able && rights_have(CAP_SYS_NICE);
}

/* Only where something is left to do: a range without memory would be given
 * some. */
static void collapse(int pidfd, const struct hp_mapping *mapping) {
  uintptr_t start = (mapping->start + mib2 - 1) / mib2 * mib2;
  size_t size = mapping->end - mapping->start,
         bytes = whole_pages(mapping, mib2);
  struct iovec range = {(void *)start, bytes};
  if (bytes && !strncmp(mapping->rights, "rw-p", 4) && !mapping->hugetlb &&
      is_anonymous(mapping) && mapping->rss > mapping->thp + (size - bytes))
    syscall(SYS_process_madvise, pidfd, &range, 1UL, MADV_COLLAPSE, 0);
}

void collapse_processes(const pid_t *pids, size_t count) {
  struct hp_mapping_reader reader;
  struct hp_mapping mapping;
  for (size_t i = 0; i < count; i++) {
    FILE *smaps = open_smaps(pids[i]);
    int pidfd = (int)syscall(SYS_pidfd_open, pids[i], 0);
    if (smaps) hp_mapping_reader_init(&reader, smaps);
    while (smaps && pidfd >= 0 && hp_mapping_next(&reader, &mapping))
      collapse(pidfd, &mapping);
    if (smaps) fclose(smaps);
    if (pidfd >= 0) close(pidfd);
  }
}
