/* SPDX-License-Identifier: BSD-2-Clause */
#include "huge_pages/thp_faults.h"

#include <config.h>
#include <stdio.h>

#include "huge_pages/kernel_files.h"

static int read_count(size_t bytes, const char *what, size_t *count) {
  char path[112];
  snprintf(path, sizeof path,
           "/sys/kernel/mm/transparent_hugepage/hugepages-%zukB/stats/"
           "anon_fault_%s",
           bytes / 1024, what);
  return hp_kernel_read_size(path, count);
}

int hp_thp_faults_read(size_t page_bytes, struct hp_thp_faults *faults) {
  return read_count(page_bytes, "alloc", &faults->given) ||
                 read_count(page_bytes, "fallback", &faults->missed)
             ? -1
             : 0;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t hp_thp_faults_given(const struct hp_thp_faults *before,
                           const struct hp_thp_faults *after, size_t pages) {
  size_t missed = least(after->missed - before->missed, pages);
  return least(after->given - before->given, pages - missed);
}
