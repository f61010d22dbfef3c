/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/page_kinds.c -- the one table of page kinds. */
#include <config.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "huge_pages/available_memory.h"
#include "huge_pages/guarded_map.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/region.h"

static void add(struct hp_kind *kinds, size_t *count, const struct hp_kind *way,
                size_t bytes) {
  if (*count == HP_KINDS_MAX) return;
  struct hp_kind *kind = &kinds[(*count)++];
  *kind = *way;
  kind->bytes = bytes;
  if (!*kind->name) hp_page_name(bytes, kind->name);
}

/* Insert `bytes` into the ascending `sizes` unless it is there. */
static void add_size(size_t *sizes, size_t *count, size_t bytes) {
  size_t at = 0;
  while (at < *count && sizes[at] < bytes) at++;
  if (at < *count && sizes[at] == bytes) return;
  if (*count == HP_KINDS_MAX) return;
  memmove(&sizes[at + 1], &sizes[at], (*count - at) * sizeof *sizes);
  sizes[at] = bytes;
  ++*count;
}

/* 0 unless `name` is "hugepages-<power of two>kB". */
static size_t size_of_pool(const char *name) {
  size_t kib;
  int end = 0;
  if (sscanf(name, "hugepages-%zukB%n", &kib, &end) != 1) return 0;
  if (!end || name[end] || kib >= (size_t)1 << (sizeof kib * CHAR_BIT - 10))
    return 0;
  size_t bytes = kib * 1024;
  return bytes > hp_base_page_bytes() && !(bytes & (bytes - 1)) ? bytes : 0;
}

static size_t hugetlb_sizes(size_t sizes[HP_KINDS_MAX]) {
  size_t count = 0;
  add_size(sizes, &count, (size_t)2 << 20);
  add_size(sizes, &count, (size_t)1 << 30);
  char path[PATH_MAX];
  if (hp_kernel_path("/sys/kernel/mm/hugepages", path, sizeof path))
    return count;
  DIR *pools = opendir(path);
  if (!pools) return count;
  for (const struct dirent *entry; (entry = readdir(pools));) {
    size_t bytes = size_of_pool(entry->d_name);
    if (bytes) add_size(sizes, &count, bytes);
  }
  closedir(pools);
  return count;
}

size_t hp_kinds_list(struct hp_kind kinds[HP_KINDS_MAX]) {
  size_t count = 0, sizes[HP_KINDS_MAX];
  add(kinds, &count, &hp_base_kind, hp_base_page_bytes());
  add(kinds, &count, &hp_thp_kind, hp_thp_page_bytes());
  size_t pools = hugetlb_sizes(sizes);
  for (size_t i = 0; i < pools; i++)
    add(kinds, &count, &hp_hugetlb_kind, sizes[i]);
  return count;
}

static struct hp_kind table[HP_KINDS_MAX];
static size_t table_count;

size_t hp_kind_count(void) {
  if (!table_count) table_count = hp_kinds_list(table);
  return table_count;
}

const struct hp_kind *hp_kind_at(size_t index) {
  return index < hp_kind_count() ? &table[index] : NULL;
}

const struct hp_kind *hp_kind_given(void) {
  static struct hp_kind given;
  size_t none = 0;
  if (!given.bytes)
    add(&given, &none, &hp_base_given_kind, hp_base_page_bytes());
  return &given;
}

const struct hp_kind *hp_kind_find(const char *name) {
  for (size_t i = 0; i < hp_kind_count(); i++)
    if (name && !strcmp(table[i].name, name)) return &table[i];
  errno = EINVAL;
  return NULL;
}

int hp_kind_explain(const struct hp_kind *kind, size_t bytes,
                    struct hp_lack *lack) {
  memset(lack, 0, sizeof *lack);
  size_t pages = bytes / kind->bytes + (bytes % kind->bytes != 0);
  if (pages <= SIZE_MAX / kind->bytes) {
    int error = errno; /* often that of the map that is to be explained */
    size_t all = pages * kind->bytes;
    size_t span =
        kind->pooled ? all : hp_guarded_span(all, hp_thp_page_bytes());
    if (hp_address_space_explain(span, lack) || kind->explain(kind, all, lack))
      return -1;
    errno = error;
    return 0;
  }
  snprintf(lack->why, sizeof lack->why,
           "%zu bytes are more than an address can tell", bytes);
  snprintf(lack->mend, sizeof lack->mend, "ask for less");
  errno = ENOMEM;
  return -1;
}
