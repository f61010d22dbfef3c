/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/region.c -- map, fault in, verify: by one pass over the text of
 * smaps, one mapping at a time. */
#include "huge_pages/region.h"

#include <config.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "huge_pages/guarded_map.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/smaps_mapping.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

/* Between two calls of a progress callback: some 10 to 100 ms of faults. */
static const size_t progress_step = (size_t)64 << 20;

/* Writes zeros: to be used on fresh memory only. */
static void touch(volatile unsigned char *base, size_t bytes, size_t step) {
  for (size_t at = 0; at < bytes; at += step) base[at] = 0;
}

/*
 * MADV_POPULATE_WRITE turns a page that cannot be had (a hugetlb pool emptied
 * under us, a cgroup's limit) into an error; touching it would be a SIGBUS.
 */
int hp_populate(unsigned char *base, size_t bytes) {
  int failed;
  do failed = madvise(base, bytes, MADV_POPULATE_WRITE);
  while (failed && errno == EINTR);
  if (failed && errno != EINVAL) {
    errno = ENOMEM;
    return -1;
  }
  if (failed) touch(base, bytes, hp_base_page_bytes());
  return 0;
}

static int fault_in(struct hp_region *region,
                    int (*progress)(size_t done, void *context),
                    void *context) {
  size_t page = region->kind->bytes;
  size_t step = page > progress_step ? page : progress_step;
  for (size_t done = 0; done < region->bytes;) {
    size_t left = region->bytes - done, next = left < step ? left : step;
    if (region->kind->populate ? region->kind->populate(region, done, next)
                               : hp_populate(region->base + done, next))
      return -1;
    done += next;
    if (progress && progress(done, context)) {
      errno = EINTR;
      return -1;
    }
  }
  return 0;
}

static void unmap(struct hp_region *region) {
  if (region->kind->unmap)
    region->kind->unmap(region);
  else
    hp_guarded_unmap(region->base, region->bytes);
}

int hp_region_map(struct hp_region *region, const struct hp_kind *kind,
                  size_t bytes, int (*progress)(size_t done, void *context),
                  void *context) {
  struct hp_missing missing;
  memset(region, 0, sizeof *region);
  if (!kind || !bytes) {
    errno = EINVAL;
    return -1;
  }
  if (hp_kind_explain(kind, bytes, &missing)) return -1;
  region->kind = kind;
  region->bytes = (bytes + kind->bytes - 1) / kind->bytes * kind->bytes;
  if (kind->map(region)) goto unmapped;
  /* Or every fork would copy its page tables, and keep its pages alive. */
  madvise(region->base, region->bytes, MADV_DONTFORK);
  if (fault_in(region, progress, context)) goto mapped;
  if (kind->settle) kind->settle(region);
  return 0;

  int error;
mapped:
  error = errno;
  unmap(region);
  errno = error;
unmapped:
  memset(region, 0, sizeof *region);
  return -1;
}

void hp_region_unmap(struct hp_region *region) {
  if (region->base) unmap(region);
  memset(region, 0, sizeof *region);
}

/* Narrow the figures of the whole to a prefix, where that is exact. */
static void keep_prefix(struct hp_granted *granted, size_t bytes) {
  if (granted->missing || granted->sizes != 1) return;
  size_t page = granted->by[0].page_bytes;
  granted->by[0].bytes = bytes / page * page + (bytes % page ? page : 0);
  if (!bytes) granted->sizes = 0;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static size_t above(size_t a, size_t b) { return a > b ? a - b : 0; }

/*
 * Never more than what is still missing.  Keep the sizes ascending; one more
 * than there is room for is left out, hence missing.
 */
void hp_granted_add(struct hp_granted *granted, size_t page_bytes,
                    size_t bytes) {
  size_t at = 0;
  bytes = least(bytes, granted->missing);
  while (at < granted->sizes && granted->by[at].page_bytes < page_bytes) at++;
  bool found = at < granted->sizes && granted->by[at].page_bytes == page_bytes;
  if (!bytes || (!found && granted->sizes == HP_GRANTED_SIZES)) return;
  if (!found) {
    memmove(&granted->by[at + 1], &granted->by[at],
            (granted->sizes - at) * sizeof granted->by[0]);
    granted->sizes++;
    granted->by[at].page_bytes = page_bytes;
    granted->by[at].bytes = 0;
  }
  granted->by[at].bytes += bytes;
  granted->missing -= bytes;
}

/*
 * Add the part of `vma` inside [start, end).  Of x bytes anywhere in a mapping
 * with y bytes outside the range, at least x - y are inside.  All three kinds
 * together are no more than the mapping, whatever the text says.
 */
static void account(const struct hp_mapping *vma, uintptr_t start,
                    uintptr_t end, struct hp_smaps_sizes sizes,
                    struct hp_granted *granted) {
  uintptr_t from = vma->start > start ? vma->start : start;
  uintptr_t to = vma->end < end ? vma->end : end;
  if (from >= to) return;
  size_t size = vma->end - vma->start, outside = size - (to - from);
  size_t hugetlb = least(vma->hugetlb, size);
  size_t thp = least(vma->thp, size - hugetlb);
  size_t base = least(above(vma->rss, vma->thp), size - hugetlb - thp);
  hp_granted_add(granted, sizes.base, above(base, outside));
  hp_granted_add(granted, sizes.thp, above(thp, outside));
  hp_granted_add(granted, vma->page_bytes ? vma->page_bytes : sizes.base,
                 above(hugetlb, outside));
}

/* What is wanted of each mapping in turn. */
struct request {
  void (*account)(const struct request *request, const struct hp_mapping *vma,
                  struct hp_granted *granted);
  const struct hp_range *ranges; /* ascending and apart */
  size_t count;
  struct hp_smaps_sizes sizes;
};

static int read_mappings(FILE *smaps, const struct request *request,
                         struct hp_granted *granted) {
  struct hp_mapping_reader reader;
  struct hp_mapping mapping = {0};
  uintptr_t end = request->count ? request->ranges[request->count - 1].end : 0;
  hp_mapping_reader_init(&reader, smaps);
  while (mapping.start < end && hp_mapping_next(&reader, &mapping))
    request->account(request, &mapping, granted);
  return ferror(smaps) ? -1 : 0;
}

static void account_range(const struct request *request,
                          const struct hp_mapping *vma,
                          struct hp_granted *granted) {
  account(vma, request->ranges->start, request->ranges->end, request->sizes,
          granted);
}

int hp_smaps_sum(FILE *smaps, uintptr_t start, uintptr_t end,
                 struct hp_smaps_sizes sizes, struct hp_granted *granted) {
  const struct hp_range range = {start, end};
  const struct request request = {account_range, &range, 1, sizes};
  *granted = (struct hp_granted){.missing = end - start};
  return read_mappings(smaps, &request, granted);
}

/* The bytes of all ranges that lie in the mapping. */
static size_t wanted_of(const struct request *request,
                        const struct hp_mapping *vma) {
  size_t low = 0, high = request->count, bytes = 0;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (request->ranges[middle].end <= vma->start)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < request->count && request->ranges[low].start < vma->end; low++) {
    const struct hp_range *range = &request->ranges[low];
    uintptr_t from = range->start > vma->start ? range->start : vma->start;
    bytes += (range->end < vma->end ? range->end : vma->end) - from;
  }
  return bytes;
}

static void account_written(const struct request *request,
                            const struct hp_mapping *vma,
                            struct hp_granted *granted) {
  size_t wanted = wanted_of(request, vma);
  size_t hugetlb = least(vma->hugetlb, wanted);
  size_t thp = least(vma->thp, wanted - hugetlb);
  size_t rest = above(wanted - hugetlb - thp, vma->swap);
  hp_granted_add(granted, request->sizes.base,
                 least(rest, above(vma->rss, vma->thp)));
  hp_granted_add(granted, request->sizes.thp, thp);
  hp_granted_add(granted,
                 vma->page_bytes ? vma->page_bytes : request->sizes.base,
                 hugetlb);
}

int hp_smaps_add_written(FILE *smaps, const struct hp_range *ranges,
                         size_t count, struct hp_smaps_sizes sizes,
                         struct hp_granted *granted) {
  const struct request request = {account_written, ranges, count, sizes};
  for (size_t i = 0; i < count; i++)
    granted->missing += ranges[i].end - ranges[i].start;
  return read_mappings(smaps, &request, granted);
}

static FILE *open_smaps(void) {
  FILE *smaps = fopen("/proc/self/smaps", "re");
  if (!smaps && errno == ENOENT) errno = ENOTSUP;
  return smaps;
}

int hp_region_read_smaps(const struct hp_region *region,
                         struct hp_granted *granted) {
  FILE *smaps = open_smaps();
  if (!smaps) return -1;
  uintptr_t start = (uintptr_t)region->base;
  struct hp_smaps_sizes sizes = {hp_base_page_bytes(), hp_thp_page_bytes()};
  int failed =
      hp_smaps_sum(smaps, start, start + region->bytes, sizes, granted);
  int error = errno;
  fclose(smaps);
  errno = error;
  return failed;
}

int hp_region_verify(const struct hp_region *region, size_t bytes,
                     struct hp_granted *granted) {
  if (!region->base || bytes > region->bytes) {
    errno = EINVAL;
    return -1;
  }
  const struct hp_kind *kind = region->kind;
  int failed = kind->verify ? kind->verify(region, granted)
                            : hp_region_read_smaps(region, granted);
  if (!failed) keep_prefix(granted, bytes);
  return failed;
}

int hp_pages_verify(const struct hp_range *ranges, size_t count,
                    struct hp_granted *granted) {
  FILE *smaps = open_smaps();
  if (!smaps) return -1;
  struct hp_smaps_sizes sizes = {hp_base_page_bytes(), hp_thp_page_bytes()};
  int failed = hp_smaps_add_written(smaps, ranges, count, sizes, granted);
  int error = errno;
  fclose(smaps);
  errno = error;
  return failed;
}

bool hp_granted_is(const struct hp_granted *granted,
                   const struct hp_kind *kind) {
  return !granted->missing && granted->sizes == 1 &&
         granted->by[0].page_bytes == kind->bytes;
}
