/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a counter is absent, and what mends it, in words. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "experiments/machine/counter_backend.h"

enum counter_lack counter_lack_of(int error) {
  switch (error) {
    case EACCES:
      return LACK_PARANOID;
    case EPERM: /* seccomp says so; the kernel itself, under lockdown */
      return LACK_FORBIDDEN;
    case ENOSYS:
      return LACK_NO_PERF;
    case EBUSY:
    case ENOSPC:
      return LACK_NOT_FREE;
    default:
      return LACK_REFUSED;
  }
}

struct words {
  const char *why, *mend;
};

/* Those that need no detail of the machine. */
static const struct words plain[LACK_COUNT] = {
    [LACK_NO_PAPI] = {"vat was built without PAPI",
                      "./bootstrap --install-deps && ./configure && make"},
    [LACK_NO_NAME] = {"libpfm knows no such event on this processor",
                      "install a newer PAPI, then: ./configure && make"},
    [LACK_REFUSED] = {"the kernel refuses the event",
                      "run on metal, or ask the VM's host for a full virtual "
                      "PMU"},
    [LACK_NO_PERF] = {"this kernel has no perf events",
                      "boot a kernel built with CONFIG_PERF_EVENTS"},
    [LACK_FORBIDDEN] = {"perf_event_open() is forbidden: a container's filter?",
                        "run outside of the container, or start it with "
                        "--cap-add PERFMON"},
    [LACK_SILENT] = {"it counts nothing here: filtered by the hypervisor?",
                     "run on metal, or ask the VM's host for a full virtual "
                     "PMU"},
    [LACK_LOST] = {"another user of the PMU took its counter meanwhile",
                   "end other users of perf, or count fewer with --counters"},
};

static void counter_set_lack(struct counter_info *info, const char *mend,
                             const char *why, ...)
    __attribute__((format(printf, 3, 4)));

static void counter_set_lack(struct counter_info *info, const char *mend,
                             const char *why, ...) {
  va_list args;
  va_start(args, why);
  vsnprintf(info->why, sizeof info->why, why, args);
  va_end(args);
  snprintf(info->mend, sizeof info->mend, "%s", mend);
}

void counter_explain(struct counter_info *info, enum counter_lack lack,
                     const struct counter_site *site) {
  const struct cpu_id *cpu = &site->cpu;
  info->present = false;
  info->source[0] = '\0';
  switch (lack) {
    case LACK_NO_EVENT:
      counter_set_lack(
          info, "run on an Intel processor, or judge by walks and cycles",
          "%s processors do not count it", site->arch->name);
      break;
    case LACK_UNKNOWN_CPU:
      counter_set_lack(
          info, "add its events to experiments/machine/cpu_archs.c",
          "vat knows no such event on this processor (%s %u/%u/%u)",
          *cpu->vendor ? cpu->vendor : "unknown", cpu->family, cpu->model,
          cpu->stepping);
      break;
    case LACK_PARANOID:
      counter_set_lack(info, "sudo sysctl kernel.perf_event_paranoid=2",
                       "kernel.perf_event_paranoid is %d: users may not count",
                       site->paranoid);
      break;
    case LACK_NO_PMU:
      counter_set_lack(
          info, "run on metal, or ask the VM's host for a virtual PMU", "%s",
          cpu->hypervisor ? "no PMU in this VM"
                          : "the kernel shows no PMU of this processor");
      break;
    case LACK_NOT_FREE:
      counter_set_lack(info, "",
                       "no hardware counter is free beside the others");
      snprintf(info->mend, sizeof info->mend,
               "count fewer at once, as in: vat run --counters %s", info->name);
      break;
    default:
      counter_set_lack(info, plain[lack].mend, "%s", plain[lack].why);
  }
}
