/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/process_pages.h -- where the memory of a process is: bytes
 * on each page size for each mapping, and why the others are not huge.
 *
 * Amounts are those of smaps, to the page: resident memory is Rss, and what
 * hugetlb pages hold, which Rss leaves out.  Page sizes between need
 * CAP_SYS_ADMIN, and are base pages without it.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "experiments/pages/pages_sums.h"
#include "experiments/pages/seen_pages.h"

struct pages_mapping {
  struct hp_mapping mapping;
  enum memory_class class;
  size_t resident, once;
  struct pages_on on;
  struct pages_whys why;
};

struct process_pages {
  pid_t pid;
  int pid_inside; /* in its own pid namespace */
  char name[64];  /* of the program */
  struct pages_mapping *mappings;
  size_t count;
  size_t resident, once;
  struct pages_on on;
  struct pages_whys why;
  bool sizes_told;  /* page sizes between are known */
  size_t differing; /* bytes that pagemap has and smaps has not, or the other
                       way, as the process ran on between */
};

/*
 * Look at process `pid`, and note its pages in `seen`, of processes before.
 * `state` is what it is where it fails.  -1 with errno: EACCES (another
 * user's), ESRCH (it is not PROCESS_LIVE, or no longer).
 */
int process_pages_read(struct process_pages *pages, pid_t pid,
                       const struct machine_facts *machine,
                       struct seen_pages *seen, enum process_state *state);
void process_pages_fini(struct process_pages *pages);
