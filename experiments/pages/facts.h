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
#include <stdint.h>
#include <sys/types.h>

#include "experiments/pages/mounts.h"

enum thp_mode { THP_NEVER, THP_ADVISED, THP_ALWAYS };

/* Of a word of the kernel's: "always", "within_size", "advise", ... */
enum thp_mode thp_mode_of(const char *word);

enum { SWITCH_PATH = 80, FACTS_NODES = 64 };

struct machine_facts {
  size_t base_bytes, huge_bytes;
  int linux_version;            /* 6016: 6.16 */
  bool thp_built;               /* into the kernel */
  enum thp_mode thp;            /* for private memory, */
  char thp_switch[SWITCH_PATH]; /* by this file; */
  enum thp_mode shared;         /* for shared memory, */
  char shared_switch[SWITCH_PATH];
  /* That file, and not what a tmpfs is mounted with, decides for it, too. */
  bool shared_by_size;
  bool shared_denied, shared_forced; /* else: the same */
  size_t none;    /* khugepaged makes a huge page of base pages that are there
                     if at most so many are not, */
  size_t swapped; /* so many swapped out, */
  size_t shared_pages;  /* and so many shared between processes */
  double scanned_per_s; /* base pages that it looks at; 0: it is off */
  /* Free blocks of a huge page or more, of each NUMA node; -1: no such node. */
  long free_blocks[FACTS_NODES];
  size_t hugetlb_bytes; /* pages of the usual hugetlb pool; 0: there is none */
};

enum process_state {
  PROCESS_LIVE,
  PROCESS_ZOMBIE, /* has ended; its parent has not asked how */
  PROCESS_ENDING, /* has no memory any more */
  PROCESS_KERNEL, /* a thread of the kernel: no memory of its own */
  PROCESS_GONE
};

struct process_facts {
  enum process_state state;
  char name[64];      /* of the program; "" */
  int pid_inside;     /* in its own pid namespace; 0: not told */
  bool thp_disabled;  /* prctl(PR_SET_THP_DISABLE) */
  size_t cgroup_room; /* bytes that its memory cgroups still allow it;
                         SIZE_MAX: without limit */
  uint64_t nodes;     /* that may give it memory, bit by bit */
  /* Pages that its environment tells malloc to have of hugetlb; 0: none. */
  size_t hugetlb_asked;
  bool hugetlb_empty; /* that pool has no free pages */
  bool glibc_asks;    /* its environment tells malloc to ask for huge pages */
  bool has_jemalloc;  /* as a library, whose malloc reads MALLOC_CONF: */
  bool jemalloc_asks; /* and that tells it to */
  struct mounts mounts;
};

void machine_facts_read(struct machine_facts *facts);
/* State and name; of a live one, all. */
void process_facts_read(struct process_facts *facts, pid_t pid,
                        const struct machine_facts *machine);
void process_facts_fini(struct process_facts *facts);
