/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/process_pages.h"

#include <config.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/pagemap.h"

enum { ORDERS = 32, TRIES = 3 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* "4k", "64k", "2m", "1g", behind `prefix`. */
static const char *size_name(const char *prefix, size_t bytes, char name[16]) {
  static const char units[] = "kmg";
  size_t unit = 0, count = bytes >> 10;
  while (count >= 1024 && count % 1024 == 0 && unit < 2) {
    count >>= 10;
    unit++;
  }
  snprintf(name, 16, "%s%u%c", prefix, (unsigned)count % 100000, units[unit]);
  return name;
}

/* Base pages of a mapping, and how many of them no process before had. */
struct tally {
  size_t pages, fresh;
};

/* A mapping as it is read part by part. */
struct reading {
  struct hp_pagemap *map;
  struct seen_pages *seen;
  struct pages_part part;
  struct pages_mapping *to;
  size_t differing;
  struct tally huge, by[ORDERS]; /* on a higher table; of smaller pages */
  struct tally small[2];         /* of a part, not huge: of memory; of a file */
};

static bool is_fresh(struct reading *r, size_t i) {
  const struct hp_mapping *mapping = r->part.mapping;
  const struct hp_page *page = &r->map->page[i];
  size_t base = r->part.machine->base_bytes;
  struct seen_key key = {.page = page->frame};
  if (!page->frame && !(page->file && mapping->inode)) return true;
  if (!page->frame)
    key = (struct seen_key){
        mapping->device, mapping->inode,
        (mapping->offset + (r->part.start - mapping->start)) / base + i};
  return seen_pages_add(r->seen, key);
}

static void tally(struct tally *to, bool fresh) {
  to->pages++;
  to->fresh += fresh;
}

static void count_part(struct reading *r) {
  const struct hp_mapping *mapping = r->part.mapping;
  size_t pages = (r->part.end - r->part.start) / r->part.machine->base_bytes;
  r->part.present = r->part.swapped = r->part.shared = 0;
  r->small[0] = r->small[1] = (struct tally){0};
  for (size_t i = 0; i < pages; i++) {
    const struct hp_page *page = &r->map->page[i];
    r->part.swapped += page->swapped;
    if (!page->present) continue;
    bool fresh = is_fresh(r, i);
    r->part.present++;
    r->part.shared += page->shared && !page->file;
    if (page->huge || mapping->hugetlb) {
      tally(&r->huge, fresh);
      continue;
    }
    bool huge = (size_t)1 << page->order >= r->map->most;
    tally(&r->by[huge ? 0 : page->order], fresh);
    tally(&r->small[page->file], fresh);
  }
}

static void add_why(struct reading *r, const struct tally *small) {
  size_t base = r->part.machine->base_bytes;
  struct pages_why why = {.reason = pages_reason_of(&r->part),
                          .bytes = small->pages * base,
                          .once = small->fresh * base,
                          .most = small->pages * base};
  if (!why.bytes) return;
  why.reason->fix(&r->part, why.fix);
  if (pages_reason_alone(why.reason, &r->part)) {
    why.could = why.bytes;
    why.more = r->part.machine->huge_bytes -
               least(r->part.machine->huge_bytes, r->part.present * base);
  }
  pages_whys_add(&r->to->why, &why);
}

/* What is written to a private mapping of a file is a copy in memory. */
static enum memory_class class_in_memory(enum memory_class class) {
  bool of_file = class == MEMORY_FILE || class == MEMORY_SHARED;
  return of_file ? MEMORY_COPIED : class;
}

static void add_part(struct reading *r) {
  count_part(r);
  r->part.class = r->to->class;
  add_why(r, &r->small[1]);
  r->part.class = class_in_memory(r->to->class);
  add_why(r, &r->small[0]);
}

/* Part by part, each within the place of one huge page. */
static int read_parts(struct reading *r) {
  size_t huge = r->part.machine->huge_bytes;
  uintptr_t end = r->part.mapping->end;
  for (uintptr_t at = r->part.mapping->start; at < end; at = r->part.end) {
    uintptr_t next = hp_pagemap_next(r->map, at, end);
    if (next >= end) break;
    if (next / huge > at / huge) at = next / huge * huge;
    r->part.start = at;
    r->part.end = least(end, (at / huge + 1) * huge);
    if (hp_pagemap_read(r->map, at, r->part.end)) return memory_check(-1);
    add_part(r);
  }
  return 0;
}

static size_t sum_why(const struct pages_whys *whys) {
  size_t sum = 0;
  for (size_t i = 0; i < whys->count; i++) sum += whys->at[i].bytes;
  return sum;
}

/* Bytes that the parts do not have have the reason of most. */
static void add_missing(struct reading *r, size_t bytes) {
  struct pages_whys *whys = &r->to->why;
  struct pages_why why = {.bytes = bytes, .once = bytes};
  r->part.present = r->part.machine->huge_bytes / r->part.machine->base_bytes;
  r->part.swapped = r->part.shared = 0;
  r->part.class = r->to->class;
  why.reason = whys->count ? whys->at[0].reason : pages_reason_of(&r->part);
  why.most = !whys->count;
  why.reason->fix(&r->part, why.fix);
  pages_whys_add(whys, &why);
}

static void take_away(struct pages_whys *whys, size_t bytes) {
  for (size_t i = whys->count; bytes && i--;) {
    struct pages_why *why = &whys->at[i];
    size_t less = least(bytes, why->bytes);
    why->bytes -= less;
    why->once = least(why->once, why->bytes);
    why->could = least(why->could, why->bytes);
    bytes -= less;
  }
  while (whys->count && !whys->at[whys->count - 1].bytes) whys->count--;
}

/* smaps and the parts are of two moments: the sums are those of smaps. */
static void reconcile_why(struct reading *r, size_t small) {
  struct pages_whys *whys = &r->to->why;
  pages_whys_sort(whys);
  size_t told = sum_why(whys);
  if (told < small) add_missing(r, small - told);
  if (told > small) take_away(whys, told - small);
  pages_whys_sort(whys);
  r->differing += told < small ? small - told : told - small;
}

/* Pages of each size out of `small` bytes: what is not on a size between is on
 * base pages. */
static void add_sizes(struct reading *r, size_t small) {
  char name[16];
  size_t base = r->part.machine->base_bytes, fresh = r->by[0].fresh * base;
  for (size_t i = ORDERS; --i;) {
    size_t bytes = least(r->by[i].pages * base, small);
    pages_on_add(&r->to->on, size_name("thp-", base << i, name), bytes,
                 least(r->by[i].fresh * base, bytes));
    small -= bytes;
  }
  if (r->by[0].pages * base < small) fresh += small - r->by[0].pages * base;
  pages_on_add(&r->to->on, size_name("", base, name), small,
               least(fresh, small));
}

/* Amounts that no text makes larger than the mapping. */
static void tame(struct hp_mapping *mapping) {
  size_t size = mapping->end - mapping->start;
  mapping->hugetlb = least(mapping->hugetlb, size);
  mapping->rss = least(mapping->rss, size - mapping->hugetlb);
  mapping->thp = least(mapping->thp, mapping->rss);
}

static void add_huge(struct reading *r) {
  char name[16];
  const struct hp_mapping *mapping = r->part.mapping;
  size_t base = r->part.machine->base_bytes, bytes = r->huge.pages * base;
  size_t smaps = mapping->thp + mapping->hugetlb;
  size_t fresh = r->huge.fresh * base;
  if (bytes < smaps) fresh += smaps - bytes;
  r->differing += bytes < smaps ? smaps - bytes : bytes - smaps;
  pages_on_add(&r->to->on, "thp", mapping->thp, least(fresh, mapping->thp));
  pages_on_add(&r->to->on, size_name("", mapping->page_bytes, name),
               mapping->hugetlb, least(fresh, mapping->hugetlb));
}

static int read_mapping(struct reading *r) {
  struct pages_mapping *to = r->to;
  const struct hp_mapping *mapping = &to->mapping;
  const struct process_facts *process = r->part.process;
  r->part.mapping = mapping;
  r->part.system = mounts_find(&process->mounts, mapping->device);
  r->part.class = to->class = memory_class_of(mapping, r->part.system);
  r->part.start = mapping->start;
  r->part.end = mapping->end;
  r->huge = (struct tally){0};
  memset(r->by, 0, sizeof r->by);
  to->resident = mapping->rss + mapping->hugetlb;
  if (read_parts(r)) return -1;
  add_sizes(r, mapping->rss - mapping->thp);
  add_huge(r);
  reconcile_why(r, mapping->rss - mapping->thp);
  for (size_t i = 0; *to->on.kinds[i].name; i++)
    to->once += to->on.kinds[i].once;
  return 0;
}

static void add_mapping(struct process_pages *pages,
                        const struct pages_mapping *mapping) {
  pages->resident += mapping->resident;
  pages->once += mapping->once;
  for (size_t i = 0; *mapping->on.kinds[i].name; i++)
    pages_on_add(&pages->on, mapping->on.kinds[i].name,
                 mapping->on.kinds[i].bytes, mapping->on.kinds[i].once);
  for (size_t i = 0; i < mapping->why.count; i++)
    pages_whys_add(&pages->why, &mapping->why.at[i]);
}

static int read_all(struct process_pages *pages, FILE *smaps,
                    struct reading *r) {
  struct hp_mapping_reader reader;
  struct hp_mapping mapping;
  hp_mapping_reader_init(&reader, smaps);
  while (hp_mapping_next(&reader, &mapping)) {
    tame(&mapping);
    if (!mapping.rss && !mapping.hugetlb) continue;
    r->to = ARRAY_ADD(pages->mappings, pages->count);
    *r->to = (struct pages_mapping){.mapping = mapping};
    if (read_mapping(r)) return -1;
    add_mapping(pages, r->to);
  }
  pages_whys_sort(&pages->why);
  pages->differing = r->differing;
  return ferror(smaps) ? -1 : 0;
}

/* Once: -1 with ESRCH also where the process went on to another program. */
static int read_once(struct process_pages *pages, const struct reading *with,
                     const struct process_facts *facts) {
  char path[64];
  struct hp_pagemap map;
  struct reading r = *with;
  snprintf(path, sizeof path, "/proc/%d/smaps", (int)pages->pid);
  int file = hp_kernel_open(path, 0);
  FILE *smaps = file < 0 ? NULL : memory_need(fdopen(file, "r"));
  if (!smaps) return -1;
  int result = memory_check(hp_pagemap_open(&map, pages->pid));
  if (!result) {
    r.map = &map;
    r.part.process = facts;
    result = read_all(pages, smaps, &r);
    pages->sizes_told = hp_pagemap_tells_frames(&map);
    int error = errno;
    hp_pagemap_close(&map);
    errno = error;
  }
  int error = errno;
  fclose(smaps);
  errno = error;
  return result;
}

/* The facts, read again behind it, tell whether it was there all the time: of a
 * process that has ended smaps is merely empty. */
static int try_to_read(struct process_pages *pages, const struct reading *with,
                       enum process_state *state) {
  struct process_facts facts, after;
  pid_t pid = pages->pid;
  process_facts_read(&facts, pid, with->part.machine);
  *pages = (struct process_pages){.pid = pid, .pid_inside = facts.pid_inside};
  memcpy(pages->name, facts.name, sizeof pages->name);
  *state = facts.state;
  int result = -1;
  errno = ESRCH;
  if (facts.state == PROCESS_LIVE) result = read_once(pages, with, &facts);
  int error = errno;
  process_facts_fini(&facts);
  if (*state == PROCESS_LIVE) {
    process_facts_read(&after, pid, with->part.machine);
    *state = after.state;
    process_facts_fini(&after);
    if (*state != PROCESS_LIVE) {
      result = -1;
      error = ESRCH;
    }
  }
  errno = error;
  return result;
}

int process_pages_read(struct process_pages *pages, pid_t pid,
                       const struct machine_facts *machine,
                       struct seen_pages *seen, enum process_state *state) {
  struct reading with = {.seen = seen, .part = {.machine = machine}};
  int result = -1;
  *pages = (struct process_pages){.pid = pid};
  for (int i = 0; result && i < TRIES; i++) {
    process_pages_fini(pages);
    pages->pid = pid;
    result = try_to_read(pages, &with, state);
    if (result && (errno != ESRCH || *state != PROCESS_LIVE)) break;
  }
  return result;
}

void process_pages_fini(struct process_pages *pages) {
  for (size_t i = 0; i < pages->count; i++)
    pages_whys_fini(&pages->mappings[i].why);
  free(pages->mappings);
  pages_whys_fini(&pages->why);
  *pages = (struct process_pages){0};
}
