/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/machine/caches.h"

#include <config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_HWLOC
#include <hwloc.h>
#endif

#include "huge_pages/kernel_files.h"

static int order(const void *left, const void *right) {
  const struct cache *a = left, *b = right;
  if (a->level != b->level) return a->level < b->level ? -1 : 1;
  return strcmp(a->type, b->type);
}

size_t caches_read(struct cache caches[CACHES_MAX]) {
  size_t count = caches_read_hwloc(caches);
  if (!count) count = caches_read_sysfs(caches);
  qsort(caches, count, sizeof *caches, order);
  return count;
}

/* Caches are the ancestors of a processing unit. */
size_t caches_read_hwloc(struct cache caches[CACHES_MAX]) {
  size_t count = 0;
#ifdef HAVE_HWLOC
  static const char *const types[] = {
      [HWLOC_OBJ_CACHE_UNIFIED] = "unified",
      [HWLOC_OBJ_CACHE_DATA] = "data",
      [HWLOC_OBJ_CACHE_INSTRUCTION] = "instruction"};
  hwloc_topology_t topology;
  hwloc_obj_t object = NULL;
  if (hwloc_topology_init(&topology)) return 0;
  if (!hwloc_topology_set_icache_types_filter(topology,
                                              HWLOC_TYPE_FILTER_KEEP_ALL) &&
      !hwloc_topology_load(topology))
    object = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0);
  for (; object && count < CACHES_MAX; object = object->parent) {
    if (!hwloc_obj_type_is_cache(object->type)) continue;
    caches[count++] = (struct cache){
        .level = object->attr->cache.depth,
        .type = types[object->attr->cache.type],
        .bytes = object->attr->cache.size,
        .line_bytes = object->attr->cache.linesize,
        .shared_by = (unsigned)hwloc_bitmap_weight(object->cpuset),
    };
  }
  hwloc_topology_destroy(topology);
#else
  (void)caches;
#endif
  return count;
}

static int read_index(int index, const char *file, char *text, size_t size) {
  char path[96];
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s",
           index, file);
  return hp_kernel_read_text(path, text, size);
}

static size_t read_number(int index, const char *file) {
  char text[32], *end;
  if (read_index(index, file, text, sizeof text)) return 0;
  size_t value = strtoul(text, &end, 10);
  return *end == 'K' ? value << 10 : *end == 'M' ? value << 20 : value;
}

/* How many processors are in a list such as "0-3,8,10-11"; at least one. */
static unsigned list_length(const char *list) {
  unsigned long count = 0;
  while (*list >= '0' && *list <= '9') {
    char *end;
    unsigned long from = strtoul(list, &end, 10), to = from;
    if (*end == '-') to = strtoul(end + 1, &end, 10);
    if (to >= from) count += to - from + 1;
    list = end + (*end == ',');
  }
  return count ? (unsigned)count : 1;
}

static const char *type_of_text(const char *text) {
  return !strcmp(text, "Data")          ? "data"
         : !strcmp(text, "Instruction") ? "instruction"
                                        : "unified";
}

size_t caches_read_sysfs(struct cache caches[CACHES_MAX]) {
  size_t count = 0;
  for (int i = 0; i < CACHES_MAX; i++) {
    char type[32], list[1024] = "";
    if (read_index(i, "type", type, sizeof type)) break;
    read_index(i, "shared_cpu_list", list, sizeof list);
    caches[count++] = (struct cache){
        .level = (unsigned)read_number(i, "level"),
        .type = type_of_text(type),
        .bytes = read_number(i, "size"),
        .line_bytes = read_number(i, "coherency_line_size"),
        .shared_by = list_length(list),
    };
  }
  return count;
}
