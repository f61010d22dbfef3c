/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/available_memory.c -- /proc/meminfo and the memory cgroups. */
#include "huge_pages/available_memory.h"

#include <config.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/size_text.h"

/* Where the two versions of cgroup keep the same four numbers. */
struct cgroup_files {
  const char *controllers; /* second field of its line in /proc/self/cgroup */
  const char *mount;
  const char *limit, *usage;
  const char *reclaimable[2]; /* in memory.stat: page cache */
};

static const struct cgroup_files cgroup_versions[] = {
    {"",
     "/sys/fs/cgroup",
     "memory.max",
     "memory.current",
     {"inactive_file ", "active_file "}},
    {"memory",
     "/sys/fs/cgroup/memory",
     "memory.limit_in_bytes",
     "memory.usage_in_bytes",
     {"total_inactive_file ", "total_active_file "}},
};

static size_t at_least_0(size_t a, size_t b) { return a > b ? a - b : 0; }

enum { FILE_NAME_SIZE = 32 }; /* of a group's files, with '/' and '\0' */

/* What the one group whose directory is path[0 .. length) allows; its files'
 * names are put behind that.  "max" is not a number. */
static size_t cgroup_room(const struct cgroup_files *files, char *path,
                          size_t length) {
  char text[HP_TEXT_SIZE];
  size_t limit, usage, cache = 0;
  snprintf(path + length, FILE_NAME_SIZE, "/%s", files->limit);
  if (hp_kernel_read_size(path, &limit)) return SIZE_MAX;
  snprintf(path + length, FILE_NAME_SIZE, "/%s", files->usage);
  if (hp_kernel_read_size(path, &usage)) return SIZE_MAX;
  snprintf(path + length, FILE_NAME_SIZE, "/memory.stat");
  if (hp_kernel_read_text(path, text, sizeof text)) text[0] = '\0';
  for (size_t i = 0; i < 2; i++) {
    size_t bytes;
    if (hp_kernel_find_size(text, files->reclaimable[i], &bytes))
      cache += bytes;
  }
  return at_least_0(limit, at_least_0(usage, cache));
}

/*
 * The least room of the group `name` ("/a/b") and all around it.  In a
 * container the name may be that of the host and lead nowhere; the mount's top
 * then is the container's own group, which the last step reaches.
 */
static size_t cgroups_room(const struct cgroup_files *files, const char *name) {
  char path[PATH_MAX + FILE_NAME_SIZE];
  size_t mount = strlen(files->mount), least = SIZE_MAX;
  int length = snprintf(path, PATH_MAX, "%s%s", files->mount, name);
  if (length < 0 || length >= PATH_MAX) return SIZE_MAX;
  for (size_t end = (size_t)length;;) {
    size_t room = cgroup_room(files, path, end);
    if (room < least) least = room;
    if (end <= mount) return least;
    do end--;
    while (end > mount && path[end] != '/');
  }
}

/* A line of /proc/self/cgroup is "hierarchy:controllers:/name". */
static size_t cgroup_line_room(char *line) {
  char *controllers = strchr(line, ':');
  char *name = controllers ? strchr(++controllers, ':') : NULL;
  if (!name) return SIZE_MAX;
  *name++ = '\0';
  for (size_t v = 0; v < sizeof cgroup_versions / sizeof *cgroup_versions; v++)
    if (!strcmp(controllers, cgroup_versions[v].controllers))
      return cgroups_room(&cgroup_versions[v], name);
  return SIZE_MAX;
}

size_t hp_memory_cgroup_room(const char *cgroup_file) {
  char text[HP_TEXT_SIZE];
  size_t least = SIZE_MAX;
  if (hp_kernel_read_text(cgroup_file, text, sizeof text)) return least;
  char *rest = text;
  for (char *line; (line = strsep(&rest, "\n"));) {
    size_t room = cgroup_line_room(line);
    if (room < least) least = room;
  }
  return least;
}

/* Not inlined: a stack of 64 KiB has no room for all texts at once. */
__attribute__((noinline)) size_t hp_machine_available(void) {
  char text[HP_TEXT_SIZE];
  size_t kib;
  if (hp_kernel_read_text("/proc/meminfo", text, sizeof text) ||
      !hp_kernel_find_size(text, "MemAvailable:", &kib) ||
      kib >= SIZE_MAX / 1024)
    return SIZE_MAX;
  return kib * 1024;
}

size_t hp_memory_available(void) {
  size_t least = hp_memory_cgroup_room("/proc/self/cgroup");
  size_t system = hp_machine_available();
  if (system < least) least = system;
  /*
   * MemAvailable is an estimate (it takes half of the page cache for free),
   * and page tables and other programs need some: leave a sixteenth.
   */
  return least == SIZE_MAX ? least : least - least / 16;
}

int hp_memory_explain(size_t bytes, struct hp_missing *missing) {
  size_t available = hp_memory_available();
  if (bytes <= available) return 0;
  char need[HP_SIZE_TEXT], have[HP_SIZE_TEXT];
  snprintf(missing->why, sizeof missing->why,
           "%s of memory needed, only %s available without swapping",
           hp_size_text(bytes, need), hp_size_text(available, have));
  snprintf(missing->fix, sizeof missing->fix,
           "choose a smaller size, or end programs that use memory");
  errno = ENOMEM;
  return -1;
}

/* What RLIMIT_AS leaves; SIZE_MAX where there is no limit. */
static size_t address_space_left(void) {
  struct rlimit limit;
  size_t pages;
  if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
    return SIZE_MAX;
  if (hp_kernel_read_size("/proc/self/statm", &pages)) pages = 0;
  return at_least_0(limit.rlim_cur, pages * hp_base_page_bytes());
}

int hp_address_space_explain(size_t bytes, struct hp_missing *missing) {
  size_t left = address_space_left();
  if (bytes <= left) return 0;
  snprintf(missing->why, sizeof missing->why,
           "the limit on address space (ulimit -v) leaves %zu MiB", left >> 20);
  snprintf(
      missing->fix, sizeof missing->fix,
      "a smaller size, or ulimit -v unlimited (above a hard limit, as root)");
  errno = ENOMEM;
  return -1;
}
