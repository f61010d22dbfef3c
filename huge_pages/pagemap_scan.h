/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/pagemap_scan.h -- PAGEMAP_SCAN of Linux 6.7, by its ioctl(2) on
 * /proc/PID/pagemap, with struct pm_scan_arg and page_region, which older
 * headers lack (Linux, admin-guide/mm/pagemap.rst).
 */
#pragma once
#include <stdint.h>
#include <sys/ioctl.h>

struct hp_scan_arg {
  uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
  uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};
struct hp_scan_region {
  uint64_t start, end, categories;
};
#define HP_SCAN _IOWR('f', 16, struct hp_scan_arg)
enum {
  HP_SCAN_FILE = 1 << 2, /* of a file, or shared */
  HP_SCAN_PRESENT = 1 << 3,
  HP_SCAN_SWAPPED = 1 << 4,
  HP_SCAN_ZEROS = 1 << 5,
  HP_SCAN_HUGE = 1 << 6 /* translated as one by the page table */
};
