/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Room for memory that nobody has asked for yet.
 *
 * What runs out of it is killed: by the kernel where the machine or a cgroup
 * has no more, by SIGBUS where a tmpfs is full.  So whatever is given leaves at
 * least as much free as all shared memory has then, in each of these.  That
 * also bounds the sum of many gifts, of however many processes.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "experiments/exec/proc_lines.h"
#include "experiments/exec/shim.h"

struct cgroup_version {
  const char *controllers; /* second field of its line in /proc/self/cgroup */
  const char *mount, *usage, *limits[2];
  const char *shared, *cache[2]; /* in memory.stat */
};

static const struct cgroup_version versions[] = {
    {":",
     "/sys/fs/cgroup",
     "memory.current",
     {"memory.max", "memory.high"},
     "shmem ",
     {"inactive_file ", "active_file "}},
    {"memory:",
     "/sys/fs/cgroup/memory",
     "memory.usage_in_bytes",
     {"memory.limit_in_bytes", ""},
     "total_shmem ",
     {"total_inactive_file ", "total_active_file "}},
};

/* Of the line that begins with `name`.  False: there is none, or no number in
 * it, as in "max". */
static bool read_number(const char *path, const char *name, uint64_t *value) {
  struct proc_lines lines = {
      .fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC)};
  bool found = false;
  if (lines.fd < 0) return false;
  while (!found && proc_lines_next(&lines)) {
    const char *at = lines.line + strlen(name);
    if (strncmp(lines.line, name, strlen(name)) != 0) continue;
    at += strspn(at, " ");
    found = *at >= '0' && *at <= '9';
    for (*value = 0; *at >= '0' && *at <= '9'; at++)
      *value = *value * 10 + (uint64_t)(*at - '0');
  }
  syscall(SYS_close, lines.fd);
  return found;
}

/* `shared` is there, `free` is left, and `bytes` are to go from this to that.
 */
static bool leaves_half(uint64_t shared, uint64_t free, uint64_t bytes) {
  return bytes <= free && shared + bytes <= free - bytes;
}

static bool machine_has(uint64_t bytes) {
  uint64_t shared, free;
  return read_number("/proc/meminfo", "MemAvailable:", &free) &&
         read_number("/proc/meminfo", "Shmem:", &shared) &&
         leaves_half(shared << 10, free << 10, bytes);
}

enum { FILE_NAME_SIZE = 32 }; /* of a group's files, with '/' and '\0' */

static bool read_file(char *path, size_t length, const char *file,
                      const char *name, uint64_t *value) {
  path[length] = '/';
  strcpy(path + length + 1, file);
  bool found = read_number(path, name, value);
  path[length] = '\0';
  return found;
}

/* The group whose folder is path[0 .. length). */
static bool group_has(const struct cgroup_version *version, char *path,
                      size_t length, uint64_t bytes) {
  uint64_t used, limit, shared = 0, cache;
  if (!read_file(path, length, version->usage, "", &used)) return true;
  read_file(path, length, "memory.stat", version->shared, &shared);
  for (size_t i = 0; i < 2; i++)
    if (read_file(path, length, "memory.stat", version->cache[i], &cache))
      used -= cache < used ? cache : used;
  for (size_t i = 0; i < 2; i++)
    if (*version->limits[i] &&
        read_file(path, length, version->limits[i], "", &limit) &&
        !leaves_half(shared, limit > used ? limit - used : 0, bytes))
      return false;
  return true;
}

/* The group of that name, and all that it is in.  In a container the name may
 * be the host's, and lead nowhere; the top is the container's own then. */
static bool groups_have(const struct cgroup_version *version, const char *name,
                        uint64_t bytes) {
  char path[sizeof((struct proc_lines *)0)->line + 2 * FILE_NAME_SIZE];
  size_t mount = strlen(version->mount), end = mount + strlen(name);
  if (end + FILE_NAME_SIZE >= sizeof path) return false;
  strcpy(path, version->mount);
  strcpy(path + mount, name);
  for (;;) {
    if (!group_has(version, path, end, bytes)) return false;
    if (end <= mount) return true;
    do end--;
    while (end > mount && path[end] != '/');
  }
}

/* A line of /proc/self/cgroup is "hierarchy:controllers:/name". */
static bool line_has(const char *line, uint64_t bytes) {
  const char *at = strchr(line, ':');
  for (size_t i = 0; at && i < sizeof versions / sizeof *versions; i++) {
    size_t length = strlen(versions[i].controllers);
    if (!strncmp(at + 1, versions[i].controllers, length))
      return groups_have(&versions[i], at + 1 + length, bytes);
  }
  return true;
}

static bool cgroups_have(uint64_t bytes) {
  struct proc_lines lines = {.fd = (int)syscall(SYS_openat, AT_FDCWD,
                                                "/proc/self/cgroup",
                                                O_RDONLY | O_CLOEXEC)};
  bool have = true;
  if (lines.fd < 0) return true;
  while (have && proc_lines_next(&lines)) have = line_has(lines.line, bytes);
  syscall(SYS_close, lines.fd);
  return have;
}

/* One without a size has no blocks. */
static bool file_system_has(int fd, uint64_t bytes) {
  struct statfs status;
  if (fd < 0) return true;
  if (syscall(SYS_fstatfs, fd, &status)) return false;
  uint64_t block = (uint64_t)status.f_bsize;
  return !status.f_blocks ||
         leaves_half((status.f_blocks - status.f_bfree) * block,
                     status.f_bfree * block, bytes);
}

bool shim_has_room(uint64_t bytes, int fd) {
  return !bytes || (file_system_has(fd, bytes) && machine_has(bytes) &&
                    cgroups_have(bytes));
}
