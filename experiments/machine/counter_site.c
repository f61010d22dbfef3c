/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <dirent.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "experiments/machine/counter_backend.h"
#include "experiments/machine/process.h"
#include "huge_pages/kernel_files.h"

/* Four times the second-level TLB entries of the largest in the table (zen5:
 * 4096), so that touching as many pages again must walk. */
enum { PROBE_PAGES = 16384 };

const struct counter_backend *const counter_backends[BACKENDS] = {
#ifdef HAVE_PAPI
    [BACKEND_PAPI] = &counter_papi,
#endif
    [BACKEND_PERF] = &counter_perf,
};

/* The PMU of x86 is "cpu", or "cpu_core" beside "cpu_atom" on hybrids; those
 * of arm64 are "armv8_pmuv3", "armv8_cortex_a53", ... */
static bool is_cpu_pmu(const char *name) {
  return !strcmp(name, "cpu") || !strcmp(name, "cpu_core") ||
         !strncmp(name, "armv", 4);
}

static bool has_pmu(void) {
  char path[PATH_MAX];
  if (hp_kernel_path("/sys/bus/event_source/devices", path, sizeof path))
    return false;
  DIR *devices = opendir(path);
  if (!devices) return false;
  bool found = false;
  for (const struct dirent *entry; (entry = readdir(devices));)
    found = found || is_cpu_pmu(entry->d_name);
  closedir(devices);
  return found;
}

/* Touch more pages than any TLB holds, twice. */
static void touch_pages(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = PROBE_PAGES * page;
  volatile unsigned char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  madvise((void *)memory, bytes, MADV_NOHUGEPAGE);
  for (int pass = 0; pass < 2; pass++)
    for (size_t at = 0; at < bytes; at += page) memory[at]++;
  munmap((void *)memory, bytes);
}

/* Start more of an event, which counts SPIN and more, than there can be. */
static size_t events_at_once(void) {
  enum { SPIN = 100000 };
  const struct counter_event *event = &quantities[QUANTITY_INSTRUCTIONS].common;
  struct counter_reading reading[COUNTERS_MAX] = {0};
  int fds[COUNTERS_MAX];
  size_t count = 0, started = 0, silent = 0;
  for (; count < COUNTERS_MAX; count++) {
    fds[count] = counter_event_open(event, 0);
    if (fds[count] < 0) break;
    ioctl(fds[count], PERF_EVENT_IOC_ENABLE, 0);
  }
  for (volatile int i = 0; i < SPIN; i++) continue;
  for (size_t i = count; i-- > 0;) {
    bool bad = counter_event_read(fds[i], &reading[i]) || reading[i].lost;
    close(fds[i]);
    if (bad) continue;
    started++;
    silent += reading[i].value < SPIN;
  }
  /* Which one it is that stays silent may change.  All is MISSING_SILENT. */
  return silent && silent < started ? started - silent : SIZE_MAX;
}

void counter_site_read(struct counter_site *site) {
  char text[32];
  *site = (struct counter_site){
      .paranoid = -2, .exercise = touch_pages, .backends = counter_backends};
  cpu_id_read(&site->cpu);
  site->arch = cpu_arch_find(&site->cpu);
  site->pmu = has_pmu();
  site->events_at_once = site->pmu ? events_at_once() : SIZE_MAX;
  site->may_perf =
      rights_have(RIGHTS_CAP_PERFMON) || rights_have(RIGHTS_CAP_SYS_ADMIN);
  if (!hp_kernel_read_text("/proc/sys/kernel/perf_event_paranoid", text,
                           sizeof text))
    site->paranoid = atoi(text);
}

/* Why a counter is absent, and what fixes it.  What needs a detail of the
 * machine is left to counter_explain(). */
static const struct words {
  const char *why, *fix;
} words[MISSING_COUNT] = {
    [MISSING_NO_EVENT] = {"",
                          "run on an Intel processor, or judge by walks and "
                          "cycles"},
    [MISSING_UNKNOWN_CPU] =
        {"", "add its events to experiments/machine/cpu_archs.c"},
    [MISSING_NO_PAPI] = {"vat was built without PAPI",
                         "./bootstrap --install-deps && ./configure && make"},
    [MISSING_NO_NAME] = {"libpfm knows no such event on this processor",
                         "install a newer PAPI, then: ./configure && make"},
    [MISSING_REFUSED] = {"the kernel refuses the event",
                         "run outside of a virtual machine, or ask its host "
                         "for a full virtual PMU"},
    [MISSING_NO_PERF] = {"this kernel has no perf events",
                         "boot a kernel built with CONFIG_PERF_EVENTS"},
    [MISSING_FORBIDDEN] =
        {"perf_event_open() is forbidden: a container's filter?",
         "run outside of the container, or start it with "
         "--cap-add PERFMON"},
    [MISSING_PARANOID] = {"", "sudo sysctl kernel.perf_event_paranoid=2"},
    [MISSING_NO_PMU] =
        {"the kernel shows no PMU of this processor",
         "run outside of a virtual machine, or ask its host for a virtual PMU"},
    [MISSING_SILENT] = {"it counts nothing here: filtered by the hypervisor?",
                        "run outside of a virtual machine, or ask its host for "
                        "a full virtual PMU"},
    [MISSING_LOST] =
        {"another program took its hardware counter during the measurement",
         "end other programs that use perf, or count fewer with --counters"},
    [MISSING_NOT_FREE] =
        {"no hardware counter is free for it besides the others", ""},
};

void counter_set_absent(struct counter_info *info, const char *why,
                        const char *fix) {
  info->present = false;
  *info->source = '\0';
  snprintf(info->why, sizeof info->why, "%s", why);
  snprintf(info->fix, sizeof info->fix, "%s", fix);
}

void counter_explain(struct counter_info *info, enum counter_missing missing,
                     const struct counter_site *site) {
  const struct cpu_id *cpu = &site->cpu;
  char *why = info->why;
  const size_t size = sizeof info->why;
  counter_set_absent(info, words[missing].why, words[missing].fix);
  if (missing == MISSING_NO_EVENT)
    snprintf(why, size, "%s processors do not count it", site->arch->name);
  if (missing == MISSING_UNKNOWN_CPU)
    snprintf(why, size,
             "vat knows no such event on this processor (%s %u/%u/%u)",
             *cpu->vendor ? cpu->vendor : "unknown", cpu->family, cpu->model,
             cpu->stepping);
  if (missing == MISSING_PARANOID)
    snprintf(why, size,
             "kernel.perf_event_paranoid is %d, so users may not count",
             site->paranoid);
  if (missing == MISSING_NO_PMU && cpu->hypervisor)
    snprintf(why, size, "no PMU in this VM");
  if (missing == MISSING_NOT_FREE)
    snprintf(info->fix, sizeof info->fix,
             "count fewer at the same time, for example: vat run --counters %s",
             info->name);
}
