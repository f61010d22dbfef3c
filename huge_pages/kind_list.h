/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/kind_list.h -- how the table of page kinds is made.
 *
 * Internal to this folder.  Each way of mapping is one constant struct in its
 * own file, complete but for the page size and the name, which the machine
 * tells.  hugetlb is one way and becomes one kind per page size.
 */
#ifndef HUGE_PAGES_KIND_LIST_H
#define HUGE_PAGES_KIND_LIST_H
#include <stddef.h>

#include "huge_pages/page_kind.h"

extern const struct hp_kind hp_base_kind; /* base_pages.c */
extern const struct hp_kind hp_base_given_kind;
extern const struct hp_kind hp_thp_kind;     /* thp_pages.c */
extern const struct hp_kind hp_hugetlb_kind; /* hugetlb_pages.c */

size_t hp_base_page_bytes(void);
size_t hp_thp_page_bytes(void); /* PMD size: what THP means in smaps */

/* Fill `kinds` in listing order from the machine; returns how many. */
enum { HP_KINDS_MAX = 16 };
size_t hp_kinds_list(struct hp_kind kinds[HP_KINDS_MAX]);
#endif
