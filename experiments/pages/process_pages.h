/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/process_pages.h -- where the memory of a process is: bytes
 * on each page size for each mapping, and why the others are not huge.
 *
 * Amounts are those of smaps, to the page: resident memory is Rss, and what
 * hugetlb pages hold, which Rss leaves out.  Page sizes between need
 * CAP_SYS_ADMIN, and are base pages without it.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "experiments/pages/facts.h"
#include "experiments/pages/reasons.h"

enum { PAGES_KINDS = 24 };

/* Bytes by page size, the name of which is that of a page kind. */
struct pages_on {
  struct {
    char name[16]; /* "4k", "thp-64k", "thp", "2m"; "" ends */
    size_t bytes;
  } kinds[PAGES_KINDS];
};

void pages_on_add(struct pages_on *on, const char *name, size_t bytes);
size_t pages_on_total(const struct pages_on *on);

struct pages_why {
  const struct pages_reason *reason;
  size_t bytes;
  char fix[FIX_SIZE]; /* of the part where it holds for most */
  size_t most;        /* bytes of that part's mapping */
};

struct pages_whys {
  struct pages_why *at; /* by falling bytes once complete */
  size_t count;
};

struct pages_mapping {
  struct hp_mapping mapping;
  enum memory_class class;
  size_t resident;
  struct pages_on on;
  struct pages_whys why;
};

struct process_pages {
  pid_t pid;
  char name[64]; /* of the program */
  struct pages_mapping *mappings;
  size_t count;
  size_t resident;
  struct pages_on on;
  struct pages_whys why;
  bool sizes_told; /* page sizes between are known */
};

/* Look at process `pid`.  -1 with errno: EACCES (another user's), ESRCH. */
int process_pages_read(struct process_pages *pages, pid_t pid,
                       const struct machine_facts *machine);
void process_pages_fini(struct process_pages *pages);

/* {"pid","mappings":[...],"total":{"resident","on"}} */
json_t *process_pages_json(const struct process_pages *pages);
