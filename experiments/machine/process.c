/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/machine/process.h"

#include <config.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "huge_pages/kernel_files.h"

#ifdef HAVE_HWLOC
#include <hwloc.h>

/* `mine` is filled. */
static int pin(hwloc_topology_t topology, hwloc_bitmap_t mine, int cpu) {
  hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(topology);
  if (hwloc_get_cpubind(topology, mine, HWLOC_CPUBIND_THREAD) &&
      hwloc_bitmap_copy(mine, allowed))
    return -1;
  if (cpu < 0) cpu = hwloc_bitmap_last(mine);
  errno = EINVAL;
  if (cpu < 0 || !hwloc_bitmap_isset(allowed, (unsigned)cpu) ||
      hwloc_bitmap_only(mine, (unsigned)cpu) ||
      hwloc_set_cpubind(topology, mine, HWLOC_CPUBIND_THREAD))
    return -1;
  return cpu;
}

/* -1 with errno, EINVAL: no such processor, or not allowed. */
static int pin_to_cpu(int cpu) {
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology)) return -1;
  hwloc_bitmap_t mine = hwloc_bitmap_alloc();
  bool loaded = mine && !hwloc_topology_load(topology);
  int pinned = loaded ? pin(topology, mine, cpu) : -1;
  int error = errno;
  hwloc_bitmap_free(mine);
  hwloc_topology_destroy(topology);
  errno = error;
  return pinned;
}
#else
#include <sched.h>

static int pin_to_cpu(int cpu) {
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine)) return -1;
  if (cpu < 0)
    for (int i = 0; i < CPU_SETSIZE; i++)
      if (CPU_ISSET(i, &mine)) cpu = i;
  if (cpu < 0 || cpu >= CPU_SETSIZE) {
    errno = EINVAL;
    return -1;
  }
  CPU_ZERO(&mine);
  CPU_SET(cpu, &mine);
  return sched_setaffinity(0, sizeof mine, &mine) ? -1 : cpu;
}
#endif

int pin_refuse(int cpu) {
  char text[HP_TEXT_SIZE] = "", *list = NULL;
  if (!hp_kernel_read_text("/proc/self/status", text, sizeof text))
    list = strstr(text, "Cpus_allowed_list:");
  if (list) list[strcspn(list, "\n")] = '\0';
  return fail(
      VAT_USAGE, "--pin %d: this process may not use that processor%s%s", cpu,
      list ? ", only " : "", list ? list + strcspn(list, "0123456789") : "");
}

int pin_or_fail(int cpu) {
  if (pin_to_cpu(cpu) >= 0) return VAT_OK;
  if (cpu >= 0 && errno == EINVAL) return pin_refuse(cpu);
  return fail(VAT_ABSENT, "pinning to a processor: %s", strerror(errno));
}

bool rights_have(int capability) {
  char text[HP_TEXT_SIZE];
  if (hp_kernel_read_text("/proc/self/status", text, sizeof text)) return false;
  const char *line = strstr(text, "\nCapEff:");
  if (!line) return false;
  return strtoull(line + strlen("\nCapEff:"), NULL, 16) >> capability & 1;
}
