/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/smaps.h -- which pages back a range, read from smaps text.
 *
 * Per mapping the kernel tells transparent huge pages (AnonHugePages,
 * FilePmdMapped, ShmemPmdMapped: parts of Rss) and hugetlb pages
 * (Private_Hugetlb, Shared_Hugetlb: *not* in Rss, of KernelPageSize).  A range
 * may span several mappings, and a mapping may reach beyond the range: then
 * only what must lie inside is counted, so that no page is claimed that may
 * not be there.
 */
#ifndef HUGE_PAGES_SMAPS_H
#define HUGE_PAGES_SMAPS_H
#include <stdint.h>
#include <stdio.h>

#include "huge_pages/region.h"

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
#endif
