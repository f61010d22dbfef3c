/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>

#include "experiments/profile/what_if_table.h"

/* The first that is found.  A jemalloc that was built with a prefix for its
 * functions has it in its variable, too (INSTALL.md, --with-jemalloc-prefix);
 * other builds use je_ for what they do not export.  gperftools' tcmalloc takes
 * files of a hugetlbfs. */
static const struct heap_advice allocators[] = {
    {"jemalloc",
     {NULL},
     {"je_malloc", "je_calloc", "je_realloc", "je_free"},
     "JE_MALLOC_CONF=thp:always,metadata_thp:always"},
    {"jemalloc",
     {NULL},
     {"_rjem_*"},
     "_RJEM_MALLOC_CONF=thp:always,metadata_thp:always"},
    {"jemalloc",
     {"libjemalloc*"},
     {"mallocx", "je_arena_*", "je_tcache_*", "je_malloc_*"},
     "MALLOC_CONF=thp:always,metadata_thp:always"},
    {"tcmalloc",
     {"libtcmalloc*"},
     {"tc_malloc", "tc_free", "tc_new", "tc_delete", "tcmalloc::*"},
     "TCMALLOC_MEMFS_MALLOC_PATH=FILE, on a hugetlbfs"},
    {"mimalloc",
     {"libmimalloc*"},
     {"mi_malloc", "mi_free", "_mi_malloc_generic", "_mi_page_*", "_mi_heap_*"},
     "MIMALLOC_ALLOW_LARGE_OS_PAGES=1"},
    {"glibc", {NULL}, {NULL}, "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"},
};
enum { LAST = sizeof allocators / sizeof *allocators - 1 };

/* By the file of a program. */
static const struct heap_advice programs[] = {
    {.objects = {"redis-server*", "redis-check-rdb*", "valkey-server*",
                 "valkey-check-rdb*"},
     .advice = "`disable-thp no` in its configuration file"},
};

static bool is_any(const char *text, const char *const names[HEAP_NAMES]) {
  for (size_t i = 0; i < HEAP_NAMES && names[i]; i++)
    if (!fnmatch(names[i], text, 0)) return true;
  return false;
}

static bool is_of(const struct heap_advice *one,
                  const struct profile *profile) {
  for (size_t i = 0; i < profile->functions.count; i++) {
    const struct profile_place *at = &profile->functions.row[i].at;
    if (is_any(basename(at->object), one->objects) ||
        is_any(at->function, one->functions))
      return true;
  }
  return false;
}

const struct heap_advice *heap_advice_of(const struct profile *profile) {
  const struct heap_advice *one = allocators;
  while (one < allocators + LAST && !is_of(one, profile)) one++;
  return one;
}

const char *heap_advice_besides(const struct profile *profile) {
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    if (is_of(&programs[i], profile)) return programs[i].advice;
  return NULL;
}
