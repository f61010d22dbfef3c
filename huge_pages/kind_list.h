/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/kind_list.h -- how the table of page kinds is made.
 *
 * Internal to this folder.  A file has one constant struct, hp_NAME_kind, that
 * page_kinds.c lists, complete but for the page sizes, which depend on the
 * machine.  hugetlb is one such struct and becomes one kind per page size.
 */
#pragma once
#include <stddef.h>

#include "huge_pages/page_kind.h"

extern const struct hp_kind hp_base_given_kind; /* base_pages.c */

size_t hp_base_page_bytes(void);
size_t hp_thp_page_bytes(void); /* PMD size: what THP means in smaps */

/* For transparent huge pages of any size, as in struct hp_kind. */
int hp_thp_map(struct hp_region *region);
int hp_thp_explain(const struct hp_kind *kind, size_t bytes,
                   struct hp_missing *missing);

/* What to write into which `path` for pages of `bytes` to be had; NULL where
 * the switches allow them.  Safe in a forked child. */
const char *hp_thp_switched_off(size_t bytes, char *path, size_t size);

/* Write to every page, so that a page that cannot be had is an error and no
 * SIGBUS.  -1: ENOMEM.  To be used on fresh memory only. */
int hp_populate(unsigned char *base, size_t bytes);

/* Count `bytes` on pages of `page_bytes`, never more than are missing. */
void hp_granted_add(struct hp_granted *granted, size_t page_bytes,
                    size_t bytes);

/* hp_region_verify() of the whole region by smaps, in which transparent huge
 * pages under the PMD size are base pages. */
int hp_region_read_smaps(const struct hp_region *region,
                         struct hp_granted *granted);

/* Fill `kinds` in listing order from the machine; returns how many. */
size_t hp_kinds_list(struct hp_kind kinds[HP_KINDS_MAX]);
