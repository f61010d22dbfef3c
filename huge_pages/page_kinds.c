/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/page_kinds.c -- the one table of page kinds, a line is a file. */
#include <config.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "huge_pages/available_memory.h"
#include "huge_pages/guarded_map.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/region.h"
#include "huge_pages/size_text.h"

/* In listing order; base pages are the first. */
#define KINDS(X) \
  X(base)        \
  X(thp)         \
  X(hugetlb)     \
  X(sized_thp)

#define DECLARE(name) extern const struct hp_kind hp_##name##_kind;
#define LIST(name) &hp_##name##_kind,

KINDS(DECLARE)

static const struct hp_kind *const ways[] = {KINDS(LIST) NULL};

static void add(struct hp_kind *kinds, size_t *count, const struct hp_kind *way,
                size_t bytes) {
  if (*count == HP_KINDS_MAX) return;
  struct hp_kind *kind = &kinds[(*count)++];
  *kind = *way;
  kind->bytes = bytes;
  if (*kind->name) return;
  char size[HP_NAME_SIZE];
  snprintf(kind->name, sizeof kind->name, "%s%.11s",
           kind->prefix ? kind->prefix : "", hp_page_name(bytes, size));
}

static void add_sizes(struct hp_kind *kinds, size_t *count,
                      const struct hp_kind *way) {
  size_t sizes[HP_KINDS_MAX], found = way->sizes(sizes);
  for (size_t i = 0; i < found; i++) add(kinds, count, way, sizes[i]);
}

size_t hp_kinds_list(struct hp_kind kinds[HP_KINDS_MAX]) {
  size_t count = 0;
  for (size_t i = 0; ways[i]; i++) add_sizes(kinds, &count, ways[i]);
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

const struct hp_kind *hp_kind_base(void) { return hp_kind_at(0); }

const struct hp_kind *hp_kind_given(void) {
  static struct hp_kind given;
  size_t none = 0;
  if (!given.bytes) add_sizes(&given, &none, &hp_base_given_kind);
  return &given;
}

const struct hp_kind *hp_kind_find(const char *name) {
  for (size_t i = 0; i < hp_kind_count(); i++)
    if (name && !strcmp(table[i].name, name)) return &table[i];
  errno = EINVAL;
  return NULL;
}

bool hp_kind_is_between(const char *name) {
  const char *prefix = hp_sized_thp_kind.prefix;
  const size_t length = strlen(prefix), least = (size_t)16 << 10;
  if (strncmp(name, prefix, length) != 0) return false;
  size_t bytes = hp_page_bytes(name + length);
  return bytes >= least && bytes <= (size_t)1 << 20 && !(bytes & (bytes - 1));
}

size_t hp_kind_usual_bytes(const char *name) {
  const int error = errno;
  const char *dash = strrchr(name, '-'); /* behind a prefix */
  size_t bytes = hp_page_bytes(dash ? dash + 1 : name);
  const struct hp_kind *kind = bytes ? NULL : hp_kind_find(name);
  errno = error;
  if (kind) bytes = kind->usual_bytes ? kind->usual_bytes : kind->bytes;
  return bytes ? bytes : hp_thp_kind.usual_bytes;
}

int hp_kind_explain(const struct hp_kind *kind, size_t bytes,
                    struct hp_missing *missing) {
  memset(missing, 0, sizeof *missing);
  size_t pages = bytes / kind->bytes + (bytes % kind->bytes != 0);
  if (pages <= SIZE_MAX / kind->bytes) {
    int error = errno; /* often that of the map that is to be explained */
    size_t all = pages * kind->bytes;
    size_t span =
        kind->pooled ? all : hp_guarded_span(all, hp_thp_page_bytes());
    if (hp_address_space_explain(span, missing) ||
        kind->explain(kind, all, missing))
      return -1;
    errno = error;
    return 0;
  }
  snprintf(missing->why, sizeof missing->why,
           "%zu bytes do not fit the address space", bytes);
  snprintf(missing->fix, sizeof missing->fix, "ask for less");
  errno = ENOMEM;
  return -1;
}
