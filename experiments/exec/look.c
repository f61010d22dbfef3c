/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/look.h"

#include <string.h>

#include "experiments/exec/proc_lines.h"

struct mapping {
  uintptr_t start, end;
  bool open; /* private, readable, writable */
  bool shared, anonymous, eligible;
  uint64_t offset, device, inode;
  char name[RULES_NAME]; /* without folders */
  uint64_t rss, huge, hugetlb;
  uint64_t sized; /* on pages of THP below 2 MiB */
  bool unseen;    /* nobody told about these */
  uint64_t page;  /* "KernelPageSize" */
};

static void read_name(struct mapping *mapping, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t length = strlen(name);
  if (length >= sizeof mapping->name) length = sizeof mapping->name - 1;
  memcpy(mapping->name, name, length);
  mapping->name[length] = '\0';
}

/* "START-END rw-p OFFSET DEVICE INODE   NAME" */
static bool read_head(struct mapping *mapping, const char *line) {
  *mapping = (struct mapping){.start = proc_lines_number(&line)};
  if (*line++ != '-') return false;
  mapping->end = proc_lines_number(&line);
  if (*line++ != ' ' || mapping->end <= mapping->start || strlen(line) < 5)
    return false;
  mapping->shared = line[3] == 's';
  mapping->open = line[0] == 'r' && line[1] == 'w' && line[3] == 'p';
  line += strcspn(line, " ");
  line += strspn(line, " ");
  mapping->offset = proc_lines_number(&line);
  line += strspn(line, " ");
  mapping->device = proc_lines_number(&line) << 32;
  line += *line == ':';
  mapping->device += proc_lines_number(&line);
  line += strspn(line, " ");
  mapping->anonymous = line[0] == '0' && (line[1] == ' ' || !line[1]);
  /* Of decimal digits, another number for another inode will do. */
  const char *inode = line;
  mapping->inode = proc_lines_number(&inode);
  line += strcspn(line, " ");
  read_name(mapping, line + strspn(line, " "));
  return true;
}

/* "Name:   123 kB" */
static uint64_t amount(const char *line, const char *name) {
  size_t length = strlen(name);
  uint64_t value = 0;
  if (strncmp(line, name, length)) return 0;
  for (line += length; *line == ' '; line++) continue;
  for (; *line >= '0' && *line <= '9'; line++)
    value = value * 10 + (uint64_t)(*line - '0');
  return value * 1024;
}

static void read_amounts(struct mapping *mapping, const char *line) {
  mapping->rss += amount(line, "Rss:");
  mapping->huge += amount(line, "AnonHugePages:") +
                   amount(line, "ShmemPmdMapped:") +
                   amount(line, "FilePmdMapped:");
  mapping->hugetlb +=
      amount(line, "Private_Hugetlb:") + amount(line, "Shared_Hugetlb:");
  mapping->page += amount(line, "KernelPageSize:");
  if (amount(line, "THPeligible:")) mapping->eligible = true;
}

/* Bytes of a mapping in no whole huge page. */
static uint64_t outside_huge(const struct mapping *mapping, uint64_t huge) {
  uint64_t from = (mapping->start + huge - 1) / huge, to = mapping->end / huge;
  return mapping->end - mapping->start - (to > from ? to - from : 0) * huge;
}

/* Pages of a pool that was asked for count only if they are of that size, and
 * those of THP only where THP was; the others are told apart. */
static struct look_sum share_of(const struct mapping *mapping, unsigned lg_huge,
                                unsigned lg_small, double share) {
  bool pooled = lg_huge && mapping->page == UINT64_C(1) << lg_huge;
  uint64_t granted = lg_huge ? 0 : mapping->huge;
  if (pooled) granted = mapping->hugetlb;
  if (lg_small) granted = mapping->sized;
  uint64_t thp = mapping->huge + mapping->sized, all = thp + mapping->hugetlb;
  uint64_t base = mapping->rss > thp ? mapping->rss - thp : 0;
  uint64_t outside =
      outside_huge(mapping, lg_small ? UINT64_C(1) << lg_small : LOOK_HUGE);
  bool small = outside == mapping->end - mapping->start;
  if (base < outside) outside = base;
  return (struct look_sum){
      .asked = (uint64_t)(share * (double)(mapping->rss + mapping->hugetlb)),
      .granted = (uint64_t)(share * (double)granted),
      .other = (uint64_t)(share * (double)(all - granted)),
      .small = small ? (uint64_t)(share * (double)base) : 0,
      .ends = small ? 0 : (uint64_t)(share * (double)outside),
      .flags = mapping->unseen ? LOOK_UNSEEN : 0};
}

void look_add(struct look_sum *to, const struct look_sum *from) {
  to->asked += from->asked;
  to->granted += from->granted;
  to->other += from->other;
  to->small += from->small;
  to->ends += from->ends;
  to->flags |= from->flags;
}

static void add(struct look_sum *sum, const struct mapping *mapping,
                const struct ranges *ranges, double share) {
  struct look_sum of_it =
      share_of(mapping, ranges->lg_huge, ranges->lg_small, share);
  look_add(sum, &of_it);
}

/* Of shared memory, a part that begins at `from`: once over all processes. */
static bool add_shared(struct segments *segments, uint32_t choice,
                       const struct mapping *mapping, uintptr_t from,
                       double share) {
  if (!mapping->shared || !segments) return false;
  struct look_sum of_it = share_of(mapping, 0, 0, share);
  struct segment_place place = {mapping->device, mapping->inode,
                                mapping->offset + (from - mapping->start),
                                choice};
  return segments_keep(segments, &place, of_it.asked, of_it.granted);
}

/* An arena has blocks of all choices that are given from it. */
static void add_arena(const struct ranges *ranges, struct look_sum *sums,
                      const struct mapping *mapping, double share) {
  double all = 0;
  for (uint32_t i = 0; i < ranges->choices; i++) all += (double)ranges->cut[i];
  for (uint32_t i = 0; all > 0 && i < ranges->choices; i++)
    add(&sums[i], mapping, ranges, share * (double)ranges->cut[i] / all);
}

/* The share of the mapping that is recorded. */
static double add_recorded(const struct ranges *ranges, struct look_sum *sums,
                           struct segments *segments,
                           const struct mapping *mapping) {
  double length = (double)(mapping->end - mapping->start), all = 0;
  for (uint32_t i = 0; i < ranges->used; i++) {
    if (!ranges->chunk[i / RANGES_CHUNK]) continue;
    struct range range = *ranges_at(ranges, i);
    uintptr_t from = range.start, to = range.start + range.bytes;
    if (range.start <= RANGES_BUSY) continue;
    if (from < mapping->start) from = mapping->start;
    if (to > mapping->end) to = mapping->end;
    if (from >= to) continue;
    double share = (double)(to - from) / length;
    all += share;
    if (range.choice == RANGES_ARENA)
      add_arena(ranges, sums, mapping, share);
    else if (range.choice >= 0 && (uint32_t)range.choice < ranges->choices &&
             !add_shared(segments, (uint32_t)range.choice, mapping, from,
                         share))
      add(&sums[range.choice], mapping, ranges, share);
  }
  return all < 1 ? all : 1;
}

static int choice_of_file(const struct rules *rules,
                          const struct mapping *mapping) {
  for (unsigned i = 0; i < rules->files; i++)
    if (!strcmp(rules->file[i].name, mapping->name))
      return rules->file[i].choice;
  return RULES_NONE;
}

/* What is not recorded.  Where the heap is chosen, too, the mappings of the
 * program are: the others are those of malloc. */
static int choice_of(const struct rules *rules, const struct mapping *mapping) {
  size_t bytes = mapping->end - mapping->start;
  bool huge = mapping->eligible || mapping->hugetlb;
  if (!strcmp(mapping->name, "[heap]")) return rules->heap;
  if (!strcmp(mapping->name, "[stack]")) return rules->stack;
  if (!mapping->anonymous && !mapping->hugetlb)
    return choice_of_file(rules, mapping);
  if (!mapping->open || *mapping->name == '[') return RULES_NONE;
  if (!huge) return RULES_NONE;
  if (rules->heap >= 0) return rules->heap;
  return bytes >= rules->least ? rules->mappings : RULES_NONE;
}

/* Of memory that may be chosen; what follows is read later than smaps. */
static void read_sized(struct mapping *mapping, struct sized_pages *sized) {
  uint64_t rest =
      mapping->rss > mapping->huge ? mapping->rss - mapping->huge : 0;
  if (!mapping->open || !rest) return;
  if (sized)
    mapping->sized = sized_pages_of(sized, mapping->start, mapping->end);
  if (mapping->sized > rest) mapping->sized = rest;
  mapping->unseen = !sized || !hp_pagemap_tells_frames(&sized->map);
}

/* What is looked at, and what comes of it. */
struct looking {
  const struct rules *rules;
  const struct ranges *ranges;
  struct look_sum *sums;
  struct segments *segments;
  struct sized_pages *sized;
};

static void end_mapping(const struct looking *l, struct mapping *mapping) {
  const struct ranges *ranges = l->ranges;
  if (ranges->lg_small) read_sized(mapping, l->sized);
  double rest = 1 - add_recorded(ranges, l->sums, l->segments, mapping);
  int choice = choice_of(l->rules, mapping);
  if (choice >= 0 && (uint32_t)choice < ranges->choices)
    add(&l->sums[choice], mapping, ranges, rest);
}

void look_at(int fd, const struct rules *rules, const struct ranges *ranges,
             struct look_sum *sums, struct segments *segments,
             struct sized_pages *sized) {
  const struct looking l = {rules, ranges, sums, segments, sized};
  static struct proc_lines lines; /* a stack may be small */
  lines.fd = fd;
  lines.at = lines.end = 0;
  struct mapping mapping, next;
  bool inside = false;
  while (proc_lines_next(&lines)) {
    if (!read_head(&next, lines.line)) {
      if (inside) read_amounts(&mapping, lines.line);
      continue;
    }
    if (inside) end_mapping(&l, &mapping);
    mapping = next;
    inside = true;
  }
  if (inside) end_mapping(&l, &mapping);
  for (uint32_t i = 0; i < ranges->choices; i++)
    sums[i].flags |= ranges->flags[i] | (inside ? LOOK_DONE : 0);
}

size_t look_slot_bytes(uint32_t choices) {
  return sizeof(struct look_slot) + choices * sizeof(struct look_sum);
}

size_t look_area_bytes(uint32_t choices, uint32_t slots) {
  return sizeof(struct look_area) + slots * look_slot_bytes(choices);
}

struct look_slot *look_slot_at(struct look_area *area, uint32_t number) {
  char *first = (char *)area + sizeof *area;
  return (struct look_slot *)(first + number * look_slot_bytes(area->choices));
}

void look_keep_best(struct look_sum *best, const struct look_sum *sums,
                    uint32_t choices) {
  for (uint32_t i = 0; i < choices; i++) {
    uint64_t flags = best[i].flags | sums[i].flags;
    if (sums[i].asked > best[i].asked ||
        (sums[i].asked == best[i].asked && sums[i].granted > best[i].granted))
      best[i] = sums[i];
    best[i].flags = flags;
  }
}
