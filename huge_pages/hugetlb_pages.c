/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/hugetlb_pages.c -- pages from the kernel's hugetlb pools. */
#include <config.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef HAVE_HUGETLBFS
#include <hugetlbfs.h>
#endif

#include "huge_pages/available_memory.h"
#include "huge_pages/guardian.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/pool.h"
#include "huge_pages/pool_resize.h"
#include "huge_pages/region.h"
#include "huge_pages/size_text.h"

/* Without MAP_NORESERVE: the pages are promised here or the call fails. */
static void *map_directly(size_t bytes, size_t page_bytes) {
  int lg_page = __builtin_ctzll(page_bytes);
  void *base = mmap(
      NULL, bytes, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | (lg_page << MAP_HUGE_SHIFT),
      -1, 0);
  return base == MAP_FAILED ? NULL : base;
}

#ifdef HAVE_HUGETLBFS
/*
 * libhugetlbfs serves one size, which HUGETLB_DEFAULT_PAGE_SIZE may have made
 * another than the kernel's default; then it wants a mounted file system.  It
 * also prints a warning when it fails, so try first what it will do.
 */
static void *map_by_library(size_t bytes, size_t page_bytes) {
  char text[HP_TEXT_SIZE];
  size_t kib;
  if (gethugepagesize() != (long)page_bytes ||
      hp_kernel_read_text("/proc/meminfo", text, sizeof text) ||
      !hp_kernel_find_size(text, "Hugepagesize:", &kib) ||
      kib != page_bytes / 1024)
    return NULL;
  void *trial = map_directly(bytes, page_bytes);
  if (!trial) return NULL;
  munmap(trial, bytes);
  void *base = get_huge_pages(bytes, GHP_DEFAULT);
  if (base && (uintptr_t)base % page_bytes) {
    munmap(base, bytes);
    base = NULL;
  }
  return base;
}
#else
static void *map_by_library(size_t bytes, size_t page_bytes) {
  (void)bytes, (void)page_bytes;
  return NULL;
}
#endif

static int hugetlb_map(struct hp_region *region) {
  region->via = "libhugetlbfs";
  region->base = map_by_library(region->bytes, region->kind->bytes);
  if (region->base) return 0;
  region->via = "MAP_HUGETLB";
  region->base = map_directly(region->bytes, region->kind->bytes);
  if (region->base) return 0;
  errno = errno == EINVAL ? ENOTSUP : ENOMEM; /* EINVAL: no such page size */
  return -1;
}

/*
 * Also right for the library's pages: free_huge_pages() is this munmap() after
 * looking the length up in /proc/self/maps.
 */
static void hugetlb_unmap(struct hp_region *region) {
  munmap(region->base, region->bytes);
}

static int no_such_size(size_t page_bytes, struct hp_missing *missing) {
  char page[HP_SIZE_TEXT];
  int directory = hp_kernel_open("/sys/kernel/mm/hugepages", O_RDONLY);
  if (directory >= 0) {
    close(directory);
    snprintf(missing->why, sizeof missing->why,
             "the CPU or the kernel has no huge pages of %s",
             hp_size_text(page_bytes, page));
    snprintf(missing->fix, sizeof missing->fix,
             "run on a machine that has "
             "/sys/kernel/mm/hugepages/hugepages-%zukB",
             page_bytes / 1024);
  } else {
    snprintf(missing->why, sizeof missing->why,
             "this kernel has no hugetlb pages of any size");
    snprintf(missing->fix, sizeof missing->fix,
             "run on a kernel built with CONFIG_HUGETLBFS");
  }
  errno = ENOTSUP;
  return -1;
}

/* Pages the kernel may add by itself when a mapping wants them. */
static size_t on_demand(const struct hp_pool *pool) {
  char path[HP_POOL_PATH];
  size_t most;
  hp_pool_path(pool->page_bytes, "nr_overcommit_hugepages", path);
  if (hp_kernel_read_size(path, &most) || most <= pool->surplus) return 0;
  return most - pool->surplus;
}

static int pool_is_short(const struct hp_pool *pool, size_t spare, size_t need,
                         struct hp_missing *missing) {
  char page[HP_SIZE_TEXT], room[HP_SIZE_TEXT], path[HP_POOL_PATH];
  size_t wanted = need - spare, available = hp_memory_available();
  bool fits = wanted <= available / pool->page_bytes;
  int used = snprintf(missing->why, sizeof missing->why,
                      "the pool of %s pages has %zu of %zu needed pages free",
                      hp_size_text(pool->page_bytes, page), spare, need);
  if (fits) {
    hp_pool_path(pool->page_bytes, "nr_hugepages", path);
    snprintf(missing->fix, sizeof missing->fix, "echo %zu | sudo tee %s",
             pool->total + wanted, path);
  } else {
    snprintf(missing->why + used, sizeof missing->why - (size_t)used,
             ", and only %s of memory is free to grow it",
             hp_size_text(available, room));
    snprintf(missing->fix, sizeof missing->fix,
             "choose a smaller size, or end programs that use memory");
  }
  errno = ENOMEM;
  return -1;
}

static int hugetlb_explain(const struct hp_kind *kind, size_t bytes,
                           struct hp_missing *missing) {
  struct hp_pool pool;
  if (hp_pool_read(kind->bytes, &pool))
    return no_such_size(kind->bytes, missing);
  size_t spare = hp_pool_spare(&pool), need = bytes / kind->bytes;
  if (need <= spare) return 0;
  if (need - spare <= on_demand(&pool) &&
      need - spare <= hp_memory_available() / kind->bytes)
    return 0;
  return pool_is_short(&pool, spare, need, missing);
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

const struct hp_kind hp_hugetlb_kind = {
    .summary = "hugetlb pages, from the kernel's pool of that size",
    .sizes = hugetlb_sizes,
    .map = hugetlb_map,
    .unmap = hugetlb_unmap,
    .explain = hugetlb_explain,
    .holding = &hp_pool_holding,
    .pooled = true,
    .for_programs = true,
};
