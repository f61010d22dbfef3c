/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/facts.h -- what decides, beside a mapping itself, whether
 * the kernel puts it on huge pages: settings of the machine, its free memory,
 * and the process.
 *
 * A huge page is what an entry of the last table but one maps: 2 MiB on amd64.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum thp_mode { THP_NEVER, THP_ADVISED, THP_ALWAYS };

enum { SWITCH_PATH = 80 };

struct machine_facts {
  size_t base_bytes, huge_bytes;
  bool thp_built;               /* into the kernel */
  enum thp_mode thp;            /* for private memory, */
  char thp_switch[SWITCH_PATH]; /* by this file; */
  enum thp_mode shared;         /* for shared memory, */
  char shared_switch[SWITCH_PATH];
  bool khugepaged;     /* makes huge pages of base pages that are there, */
  size_t none;         /* if at most so many of those of a huge page are not, */
  size_t swapped;      /* so many swapped out, */
  size_t shared_pages; /* and so many shared between processes */
  double scanned_per_s; /* base pages that it looks at */
  size_t free_blocks;   /* free blocks of memory of that size or more */
};

struct process_facts {
  bool thp_disabled;  /* prctl(PR_SET_THP_DISABLE) */
  size_t cgroup_room; /* bytes that its memory cgroups still allow it;
                         SIZE_MAX: without limit */
};

void machine_facts_read(struct machine_facts *facts);
void process_facts_read(struct process_facts *facts, pid_t pid);
