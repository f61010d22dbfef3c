/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/look.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A line at a time; what does not fit is cut. */
struct lines {
  int fd;
  size_t at, end;
  char text[4096];
  char line[512];
};

static bool next_line(struct lines *lines) {
  size_t used = 0;
  for (;; lines->at++) {
    if (lines->at == lines->end) {
      long got = syscall(SYS_read, lines->fd, lines->text, sizeof lines->text);
      if (got <= 0) return false;
      lines->at = 0;
      lines->end = (size_t)got;
    }
    char c = lines->text[lines->at];
    if (c == '\n') break;
    if (used < sizeof lines->line - 1) lines->line[used++] = c;
  }
  lines->at++;
  lines->line[used] = '\0';
  return true;
}

struct mapping {
  uintptr_t start, end;
  bool open; /* private, readable, writable */
  bool shared, anonymous, eligible;
  uint64_t offset, device, inode;
  char name[RULES_NAME]; /* without folders */
  uint64_t rss, huge, hugetlb;
};

static uint64_t hexadecimal(const char **text) {
  struct rules_word word = {*text, strspn(*text, "0123456789abcdef")};
  *text += word.length;
  return rules_number(&word);
}

static void read_name(struct mapping *mapping, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t length = strlen(name);
  if (length >= sizeof mapping->name) length = sizeof mapping->name - 1;
  memcpy(mapping->name, name, length);
  mapping->name[length] = '\0';
}

/* "START-END rw-p OFFSET DEVICE INODE   NAME" */
static bool read_head(struct mapping *mapping, const char *line) {
  *mapping = (struct mapping){.start = hexadecimal(&line)};
  if (*line++ != '-') return false;
  mapping->end = hexadecimal(&line);
  if (*line++ != ' ' || mapping->end <= mapping->start || strlen(line) < 5)
    return false;
  mapping->shared = line[3] == 's';
  mapping->open = line[0] == 'r' && line[1] == 'w' && line[3] == 'p';
  line += strcspn(line, " ");
  line += strspn(line, " ");
  mapping->offset = hexadecimal(&line);
  line += strspn(line, " ");
  mapping->device = hexadecimal(&line) << 32;
  line += *line == ':';
  mapping->device += hexadecimal(&line);
  line += strspn(line, " ");
  mapping->anonymous = line[0] == '0' && (line[1] == ' ' || !line[1]);
  /* Of decimal digits, another number for another inode will do. */
  const char *inode = line;
  mapping->inode = hexadecimal(&inode);
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
  if (amount(line, "THPeligible:")) mapping->eligible = true;
}

struct amounts {
  uint64_t asked, granted;
};

static struct amounts share_of(const struct mapping *mapping, double share) {
  return (struct amounts){
      (uint64_t)(share * (double)(mapping->rss + mapping->hugetlb)),
      (uint64_t)(share * (double)(mapping->huge + mapping->hugetlb))};
}

static void add(struct look_sum *sum, const struct mapping *mapping,
                double share) {
  struct amounts of_it = share_of(mapping, share);
  sum->asked += of_it.asked;
  sum->granted += of_it.granted;
}

/* Of shared memory, a part that begins at `from`: once over all processes. */
static bool add_shared(struct segments *segments, uint32_t choice,
                       const struct mapping *mapping, uintptr_t from,
                       double share) {
  if (!mapping->shared || !segments) return false;
  struct amounts of_it = share_of(mapping, share);
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
    add(&sums[i], mapping, share * (double)ranges->cut[i] / all);
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
      add(&sums[range.choice], mapping, share);
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

/* What is not recorded.  What malloc of glibc maps looks like the mappings of
 * the program: it counts among those where they are chosen. */
static int choice_of(const struct rules *rules, const struct mapping *mapping) {
  size_t bytes = mapping->end - mapping->start;
  bool huge = mapping->eligible || mapping->hugetlb;
  if (!strcmp(mapping->name, "[heap]")) return rules->heap;
  if (!strcmp(mapping->name, "[stack]")) return rules->stack;
  if (!mapping->anonymous && !mapping->hugetlb)
    return choice_of_file(rules, mapping);
  if (!mapping->open || *mapping->name == '[') return RULES_NONE;
  if (!huge) return RULES_NONE;
  return rules->mappings >= 0 && bytes >= rules->least ? rules->mappings
                                                       : rules->heap;
}

static void end_mapping(const struct rules *rules, const struct ranges *ranges,
                        struct look_sum *sums, struct segments *segments,
                        const struct mapping *mapping) {
  double rest = 1 - add_recorded(ranges, sums, segments, mapping);
  int choice = choice_of(rules, mapping);
  if (choice >= 0 && (uint32_t)choice < ranges->choices)
    add(&sums[choice], mapping, rest);
}

void look_at(int fd, const struct rules *rules, const struct ranges *ranges,
             struct look_sum *sums, struct segments *segments) {
  static struct lines lines;
  struct mapping mapping, next;
  bool inside = false;
  lines.fd = fd;
  lines.at = lines.end = 0;
  while (next_line(&lines)) {
    if (!read_head(&next, lines.line)) {
      if (inside) read_amounts(&mapping, lines.line);
      continue;
    }
    if (inside) end_mapping(rules, ranges, sums, segments, &mapping);
    mapping = next;
    inside = true;
  }
  if (inside) end_mapping(rules, ranges, sums, segments, &mapping);
  for (uint32_t i = 0; i < ranges->choices; i++)
    sums[i].flags |= ranges->flags[i];
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
