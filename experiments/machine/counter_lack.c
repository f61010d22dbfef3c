/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a counter is absent, and what mends it, in words. */
#include <stdio.h>

#include "experiments/machine/counter_backend.h"

/* What needs a detail of the machine is left to counter_explain(). */
static const struct words {
  const char *why, *mend;
} words[LACK_COUNT] = {
    [LACK_NO_EVENT] = {"",
                       "run on an Intel processor, or judge by walks and "
                       "cycles"},
    [LACK_UNKNOWN_CPU] = {"",
                          "add its events to experiments/machine/cpu_archs.c"},
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
    [LACK_PARANOID] = {"", "sudo sysctl kernel.perf_event_paranoid=2"},
    [LACK_NO_PMU] = {"the kernel shows no PMU of this processor",
                     "run on metal, or ask the VM's host for a virtual PMU"},
    [LACK_SILENT] = {"it counts nothing here: filtered by the hypervisor?",
                     "run on metal, or ask the VM's host for a full virtual "
                     "PMU"},
    [LACK_LOST] = {"another user of the PMU took its counter meanwhile",
                   "end other users of perf, or count fewer with --counters"},
    [LACK_NOT_FREE] = {"no hardware counter is free beside the others", ""},
};

void counter_set_absent(struct counter_info *info, const char *why,
                        const char *mend) {
  info->present = false;
  *info->source = '\0';
  snprintf(info->why, sizeof info->why, "%s", why);
  snprintf(info->mend, sizeof info->mend, "%s", mend);
}

void counter_explain(struct counter_info *info, enum counter_lack lack,
                     const struct counter_site *site) {
  const struct cpu_id *cpu = &site->cpu;
  char *why = info->why;
  const size_t size = sizeof info->why;
  counter_set_absent(info, words[lack].why, words[lack].mend);
  if (lack == LACK_NO_EVENT)
    snprintf(why, size, "%s processors do not count it", site->arch->name);
  if (lack == LACK_UNKNOWN_CPU)
    snprintf(why, size,
             "vat knows no such event on this processor (%s %u/%u/%u)",
             *cpu->vendor ? cpu->vendor : "unknown", cpu->family, cpu->model,
             cpu->stepping);
  if (lack == LACK_PARANOID)
    snprintf(why, size, "kernel.perf_event_paranoid is %d: users may not count",
             site->paranoid);
  if (lack == LACK_NO_PMU && cpu->hypervisor)
    snprintf(why, size, "no PMU in this VM");
  if (lack == LACK_NOT_FREE)
    snprintf(info->mend, sizeof info->mend,
             "count fewer at once, as in: vat run --counters %s", info->name);
}
