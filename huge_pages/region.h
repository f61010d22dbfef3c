/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/region.h -- anonymous memory of one page kind, and proof of it.
 *
 * hp_region_map() maps and faults in; hp_region_verify() reads back from the
 * kernel (smaps) which pages were really granted: asking is not getting.  A
 * forked child does not inherit regions, so that fork stays cheap.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "huge_pages/page_kind.h"

struct hp_region {
  const struct hp_kind *kind;
  unsigned char *base;
  size_t bytes;    /* mapped; a multiple of kind->bytes */
  const char *via; /* how: "mmap", "libhugetlbfs", ... */
  size_t counted;  /* bytes that the kernel counted as given by its size; 0:
                      where nothing counts them */
};

/* Bytes granted, by the size of the page that backs them. */
enum { HP_GRANTED_SIZES = 12 }; /* all that a THP can be, and hugetlb */
struct hp_granted {
  size_t missing; /* bytes that no page backs: never faulted, or swapped out */
  size_t sizes;   /* entries used, page sizes ascending */
  struct {
    size_t page_bytes;
    size_t bytes;
  } by[HP_GRANTED_SIZES];
};

/*
 * Map at least `bytes` (> 0) of `kind` at a multiple of its page size and
 * write to every page, so that no fault is left for later.  `progress`, if not
 * NULL, is called with the bytes faulted so far (every 64 MiB or so); a nonzero
 * return stops with errno EINTR.  Returns 0, or -1 with errno ENOMEM, ENOTSUP,
 * EINVAL, EINTR and nothing mapped.
 */
int hp_region_map(struct hp_region *region, const struct hp_kind *kind,
                  size_t bytes, int (*progress)(size_t done, void *context),
                  void *context);
void hp_region_unmap(struct hp_region *region); /* zeroed region is fine */

/*
 * What backs the first `bytes` of `region` now.  Where the whole region is of
 * one page size the answer is exact for the prefix (rounded up to pages);
 * where it is mixed, the figures of the whole region are given.
 * Returns 0, or -1 with errno EINVAL (`bytes` beyond the region), ENOTSUP (no
 * /proc), EACCES, ENOMEM.
 */
int hp_region_verify(const struct hp_region *region, size_t bytes,
                     struct hp_granted *granted);

/* Pages [start, end), as addresses. */
struct hp_range {
  uintptr_t start, end;
};

/*
 * Add to `granted` what backs pages of this process that have all been written
 * to, whoever mapped them; `ranges` ascend and do not overlap.  Which pages of
 * a mapping are huge the kernel does not tell: as many as there can be are
 * taken for that.  Returns 0, or -1 with errno as above.
 */
int hp_pages_verify(const struct hp_range *ranges, size_t count,
                    struct hp_granted *granted);

/*
 * Per mapping the kernel reports transparent huge pages (AnonHugePages,
 * FilePmdMapped, ShmemPmdMapped: parts of Rss) and hugetlb pages
 * (Private_Hugetlb, Shared_Hugetlb: *not* in Rss, of KernelPageSize).  A range
 * may span several mappings, and a mapping may reach beyond the range: then
 * only what must lie inside is counted, so that no page is claimed that may
 * not be there.
 */

/* The page sizes that smaps implies but does not state. */
struct hp_smaps_sizes {
  size_t base; /* of what is in Rss */
  size_t thp;  /* of what is transparent huge */
};

/*
 * Sum what backs [start, end) into `granted`.  Lines that make no sense are
 * passed over.  Returns 0, or -1 with the errno of a failed read.
 */
int hp_smaps_sum(FILE *smaps, uintptr_t start, uintptr_t end,
                 struct hp_smaps_sizes sizes, struct hp_granted *granted);

/*
 * Add what backs `ranges`, ascending and apart, whose pages have all been
 * written to: those not swapped out are there, and as many of them are huge as
 * the mapping has.  Returns as above.
 */
int hp_smaps_add_written(FILE *smaps, const struct hp_range *ranges,
                         size_t count, struct hp_smaps_sizes sizes,
                         struct hp_granted *granted);

/* True if nothing is missing and all is on pages of the size `kind` asks for.
 */
bool hp_granted_is(const struct hp_granted *granted,
                   const struct hp_kind *kind);

/* "4k", "2m", "1g", "64k", ... for a page size; returns `name`. */
const char *hp_page_name(size_t page_bytes, char name[HP_NAME_SIZE]);
