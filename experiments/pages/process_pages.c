/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/process_pages.h"

#include <config.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "huge_pages/kernel_files.h"

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

void pages_on_add(struct pages_on *on, const char *name, size_t bytes) {
  size_t i = 0;
  if (!bytes) return;
  while (*on->kinds[i].name && strcmp(on->kinds[i].name, name)) i++;
  if (i >= PAGES_KINDS - 1) return;
  snprintf(on->kinds[i].name, sizeof on->kinds[i].name, "%s", name);
  on->kinds[i].bytes += bytes;
}

size_t pages_on_total(const struct pages_on *on) {
  size_t sum = 0;
  for (size_t i = 0; *on->kinds[i].name; i++) sum += on->kinds[i].bytes;
  return sum;
}

static void add_on(struct pages_on *sum, const struct pages_on *on) {
  for (size_t i = 0; *on->kinds[i].name; i++)
    pages_on_add(sum, on->kinds[i].name, on->kinds[i].bytes);
}

/* "4k", "64k", "2m", "1g", behind `prefix`. */
static const char *size_name(const char *prefix, size_t bytes, char name[16]) {
  static const char units[] = "kmg";
  size_t unit = 0, count = bytes >> 10;
  while (count >= 1024 && count % 1024 == 0 && unit < 2) {
    count >>= 10;
    unit++;
  }
  snprintf(name, 16, "%s%zu%c", prefix, count, units[unit]);
  return name;
}

static void add_why(struct pages_whys *whys, const struct pages_reason *reason,
                    size_t bytes, size_t of, const char *fix) {
  size_t i = 0;
  while (i < whys->count && whys->at[i].reason != reason) i++;
  if (i == whys->count) {
    struct pages_why *why = ARRAY_ADD(whys->at, whys->count);
    *why = (struct pages_why){.reason = reason};
  }
  struct pages_why *why = &whys->at[i];
  why->bytes += bytes;
  if (of <= why->most) return;
  why->most = of;
  snprintf(why->fix, sizeof why->fix, "%s", fix);
}

static int more_bytes(const void *a, const void *b) {
  const struct pages_why *x = a, *y = b;
  return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

static void sort(struct pages_whys *whys) {
  if (whys->count) qsort(whys->at, whys->count, sizeof *whys->at, more_bytes);
}

/* What is known of a mapping beyond smaps, as it is read part by part. */
struct reading {
  const struct hp_pagemap *map;
  struct pages_part part;
  struct pages_mapping *to;
  size_t between; /* bytes on page sizes between */
  size_t told;    /* bytes on smaller pages that have a reason */
};

static void add_between(struct reading *r) {
  char name[16];
  size_t base = r->part.machine->base_bytes;
  const struct hp_pagemap_count *count = &r->part.count;
  if (count->huge) return;
  for (size_t i = 1; i < HP_PAGEMAP_ORDERS; i++) {
    size_t bytes = count->by[i] * base;
    if (base << i >= r->part.machine->huge_bytes) break;
    pages_on_add(&r->to->on, size_name("thp-", base << i, name), bytes);
    r->between += bytes;
  }
}

static void add_part(struct reading *r) {
  char fix[FIX_SIZE] = "";
  const struct hp_pagemap_count *count = &r->part.count;
  size_t small = count->present - least(count->huge, count->present);
  if (!small) return;
  const struct pages_reason *reason = pages_reason_of(&r->part);
  size_t bytes = small * r->part.machine->base_bytes;
  reason->fix(&r->part, fix);
  add_why(&r->to->why, reason, bytes, bytes, fix);
  r->told += bytes;
  add_between(r);
}

/* Part by part, each within the place of one huge page. */
static int read_parts(struct reading *r) {
  size_t huge = r->part.machine->huge_bytes;
  uintptr_t end = r->part.mapping->end;
  for (uintptr_t at = r->part.mapping->start; at < end; at = r->part.end) {
    r->part.start = at;
    r->part.end = least(end, (at / huge + 1) * huge);
    if (hp_pagemap_read(r->map, at, r->part.end, &r->part.count)) return -1;
    add_part(r);
  }
  return 0;
}

/* smaps and the parts are of two moments: the sums are those of smaps. */
static void reconcile(struct reading *r, size_t small) {
  struct pages_whys *whys = &r->to->why;
  char fix[FIX_SIZE] = "";
  if (r->told < small) {
    r->part.count = (struct hp_pagemap_count){
        .present = r->part.machine->huge_bytes / r->part.machine->base_bytes};
    const struct pages_reason *reason =
        whys->count ? whys->at[0].reason : pages_reason_of(&r->part);
    reason->fix(&r->part, fix);
    add_why(whys, reason, small - r->told, 1, fix);
  }
  for (size_t over = r->told > small ? r->told - small : 0, i = whys->count;
       over && i--;) {
    size_t less = least(over, whys->at[i].bytes);
    whys->at[i].bytes -= less;
    over -= less;
  }
  while (whys->count && !whys->at[whys->count - 1].bytes) whys->count--;
  for (size_t i = 0; *r->to->on.kinds[i].name && r->between > small; i++) {
    size_t less = least(r->between - small, r->to->on.kinds[i].bytes);
    r->to->on.kinds[i].bytes -= less;
    r->between -= less;
  }
}

/* Amounts that no text makes larger than the mapping. */
static void tame(struct hp_mapping *mapping) {
  size_t size = mapping->end - mapping->start;
  mapping->hugetlb = least(mapping->hugetlb, size);
  mapping->rss = least(mapping->rss, size - mapping->hugetlb);
  mapping->thp = least(mapping->thp, mapping->rss);
}

static void read_mapping(struct reading *r) {
  char name[16];
  struct pages_mapping *to = r->to;
  const struct hp_mapping *mapping = &to->mapping;
  size_t small = mapping->rss - mapping->thp;
  r->part.mapping = mapping;
  r->part.class = to->class = memory_class_of(mapping);
  r->between = r->told = 0;
  to->resident = mapping->rss + mapping->hugetlb;
  if (small) {
    r->part.start = mapping->start;
    r->part.end = mapping->end;
    read_parts(r);
    sort(&to->why);
    reconcile(r, small);
    sort(&to->why);
  }
  pages_on_add(&to->on, size_name("", r->part.machine->base_bytes, name),
               small - r->between);
  pages_on_add(&to->on, "thp", mapping->thp);
  pages_on_add(&to->on, size_name("", mapping->page_bytes, name),
               mapping->hugetlb);
}

static void add_mapping(struct process_pages *pages,
                        const struct pages_mapping *mapping) {
  pages->resident += mapping->resident;
  add_on(&pages->on, &mapping->on);
  for (size_t i = 0; i < mapping->why.count; i++) {
    const struct pages_why *why = &mapping->why.at[i];
    add_why(&pages->why, why->reason, why->bytes, why->bytes, why->fix);
  }
}

static void read_name(struct process_pages *pages) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/comm", (int)pages->pid);
  if (hp_kernel_read_text(path, pages->name, sizeof pages->name))
    *pages->name = '\0';
}

static int read_all(struct process_pages *pages, FILE *smaps,
                    struct reading *r) {
  struct hp_mapping_reader reader;
  struct hp_mapping mapping;
  hp_mapping_reader_init(&reader, smaps);
  while (hp_mapping_next(&reader, &mapping)) {
    tame(&mapping);
    if (!mapping.rss && !mapping.hugetlb) continue;
    struct pages_mapping *to = ARRAY_ADD(pages->mappings, pages->count);
    *to = (struct pages_mapping){.mapping = mapping};
    r->to = to;
    read_mapping(r);
    add_mapping(pages, to);
  }
  sort(&pages->why);
  return ferror(smaps) ? -1 : 0;
}

int process_pages_read(struct process_pages *pages, pid_t pid,
                       const struct machine_facts *machine) {
  char path[64];
  struct hp_pagemap map;
  struct process_facts facts;
  struct reading r = {.map = &map,
                      .part = {.machine = machine, .process = &facts}};
  *pages = (struct process_pages){.pid = pid};
  snprintf(path, sizeof path, "/proc/%d/smaps", (int)pid);
  int file = hp_kernel_open(path, 0);
  FILE *smaps = file < 0 ? NULL : memory_need(fdopen(file, "r"));
  if (!smaps) return errno == ENOENT ? (errno = ESRCH, -1) : -1;
  int result = hp_pagemap_open(&map, pid);
  if (!result) {
    process_facts_read(&facts, pid);
    read_name(pages);
    pages->sizes_told = hp_pagemap_tells_frames(&map);
    result = read_all(pages, smaps, &r);
    hp_pagemap_close(&map);
  }
  fclose(smaps);
  return result;
}

void process_pages_fini(struct process_pages *pages) {
  for (size_t i = 0; i < pages->count; i++) free(pages->mappings[i].why.at);
  free(pages->mappings);
  free(pages->why.at);
  *pages = (struct process_pages){0};
}

static json_t *on_json(const struct pages_on *on) {
  json_t *object = json_object();
  for (size_t i = 0; *on->kinds[i].name; i++)
    json_object_set_new(object, on->kinds[i].name,
                        json_integer((json_int_t)on->kinds[i].bytes));
  return object;
}

static json_t *whys_json(const struct pages_whys *whys) {
  json_t *list = json_array();
  for (size_t i = 0; i < whys->count; i++)
    json_array_append_new(
        list, json_pack("{s:s, s:I, s:s}", "reason", whys->at[i].reason->name,
                        "bytes", (json_int_t)whys->at[i].bytes, "fix",
                        whys->at[i].fix));
  return list;
}

json_t *process_pages_json(const struct process_pages *pages) {
  json_t *mappings = json_array();
  for (size_t i = 0; i < pages->count; i++) {
    const struct pages_mapping *m = &pages->mappings[i];
    json_array_append_new(
        mappings,
        json_pack("{s:s, s:I, s:I, s:I, s:o, s:o}", "name", m->mapping.name,
                  "start", (json_int_t)m->mapping.start, "bytes",
                  (json_int_t)(m->mapping.end - m->mapping.start), "resident",
                  (json_int_t)m->resident, "on", on_json(&m->on), "why",
                  whys_json(&m->why)));
  }
  return json_pack("{s:i, s:s, s:o, s:{s:I, s:o, s:o}}", "pid", (int)pages->pid,
                   "program", pages->name, "mappings", mappings, "total",
                   "resident", (json_int_t)pages->resident, "on",
                   on_json(&pages->on), "why", whys_json(&pages->why));
}
