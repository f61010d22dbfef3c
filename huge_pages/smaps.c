/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/smaps.c -- one pass over the text, one mapping at a time. */
#include "huge_pages/smaps.h"

#include <config.h>
#include <stdbool.h>
#include <string.h>

#include "huge_pages/smaps_mapping.h"

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static size_t above(size_t a, size_t b) { return a > b ? a - b : 0; }

/*
 * Never more than what is still missing.  Keep the sizes ascending; a seventh
 * size is left out, hence missing.
 */
static void grant(struct hp_granted *granted, size_t page_bytes, size_t bytes) {
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
  grant(granted, sizes.base, above(base, outside));
  grant(granted, sizes.thp, above(thp, outside));
  grant(granted, vma->page_bytes ? vma->page_bytes : sizes.base,
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
  grant(granted, request->sizes.base, least(rest, above(vma->rss, vma->thp)));
  grant(granted, request->sizes.thp, thp);
  grant(granted, vma->page_bytes ? vma->page_bytes : request->sizes.base,
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
