/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/compare/backing.h"

#include <stdbool.h>
#include <string.h>

#include "huge_pages/smaps_mapping.h"

static const size_t mib2 = (size_t)2 << 20, gib = (size_t)1 << 30;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Bytes of whole pages of `page` bytes that fit into the mapping. */
static size_t whole_pages(const struct hp_mapping *mapping, size_t page) {
  uintptr_t start = mapping->start / page + (mapping->start % page != 0);
  uintptr_t end = mapping->end / page;
  return end > start ? (end - start) * page : 0;
}

/* Names of memory that has no file: none, "[heap]", "[anon:...]". */
static bool is_anonymous(const struct hp_mapping *mapping) {
  const char *name = mapping->name;
  if (mapping->rights[3] == 's') return false;
  return !*name || !strcmp(name, "[heap]") || !strncmp(name, "[anon", 5) ||
         mapping->hugetlb; /* "/anon_hugepage (deleted)" */
}

static void add_anonymous(struct backing *backing,
                          const struct hp_mapping *mapping) {
  size_t resident = mapping->rss + mapping->hugetlb;
  size_t open = least(resident, whole_pages(mapping, mib2));
  backing->open += open;
  size_t small = mapping->rss > mapping->thp ? mapping->rss - mapping->thp : 0;
  backing->edges += least(small, resident - open);
}

static void add_mapping(struct backing *backing,
                        const struct hp_mapping *mapping) {
  size_t thp = least(mapping->thp, mapping->rss);
  backing->base += mapping->rss - thp;
  backing->thp += thp;
  if (mapping->page_bytes == gib)
    backing->hugetlb1g += mapping->hugetlb;
  else
    backing->hugetlb2m += mapping->hugetlb;
  if (is_anonymous(mapping))
    add_anonymous(backing, mapping);
  else if (!strncmp(mapping->name, "[stack", 6))
    backing->stacks += mapping->rss - thp;
  else
    backing->files += mapping->rss - thp;
}

/* No text makes sums overflow: a mapping has at most its own length, and less
 * than any memory there is. */
static void tame(struct hp_mapping *mapping) {
  size_t size = least(mapping->end - mapping->start, (size_t)1 << 48);
  mapping->hugetlb = least(mapping->hugetlb, size);
  mapping->rss = least(mapping->rss, size - mapping->hugetlb);
}

int backing_add(struct backing *backing, FILE *smaps) {
  struct hp_mapping_reader reader;
  struct hp_mapping mapping;
  struct backing sum = *backing;
  hp_mapping_reader_init(&reader, smaps);
  while (hp_mapping_next(&reader, &mapping)) {
    tame(&mapping);
    add_mapping(&sum, &mapping);
  }
  if (ferror(smaps)) return -1;
  sum.processes++;
  *backing = sum;
  return 0;
}

void backing_add_process(struct backing *backing, pid_t pid) {
  char path[40];
  snprintf(path, sizeof path, "/proc/%d/smaps", (int)pid);
  FILE *smaps = fopen(path, "re");
  if (!smaps) return;
  backing_add(backing, smaps);
  fclose(smaps);
}

size_t backing_total(const struct backing *backing) {
  return backing->base + backing->thp + backing->hugetlb2m + backing->hugetlb1g;
}

size_t backing_of_kind(const struct backing *backing,
                       const struct hp_kind *kind) {
  size_t open = backing->open;
  size_t huge = backing->thp + backing->hugetlb2m + backing->hugetlb1g;
  if (kind->base) return open - least(huge, open);
  if (!kind->pooled) return least(backing->thp, open);
  return least(kind->bytes == gib ? backing->hugetlb1g : backing->hugetlb2m,
               open);
}
