/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/compare/tree_counters.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/counters/backend.h"

/* As the kernel writes it for the read_format below. */
struct tree_value {
  uint64_t value, enabled_ns, running_ns;
};

static int event_open(const struct counter_event *event, pid_t pid) {
  struct perf_event_attr attr = {
      .type = event->type,
      .size = sizeof attr,
      .config = event->config,
      .read_format =
          PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
      .disabled = 1,
      .inherit = 1,
      .enable_on_exec = 1,
      .exclude_kernel = 1,
      .exclude_hv = 1,
  };
  return (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1,
                      PERF_FLAG_FD_CLOEXEC);
}

/* All events of a rung or none: a part of a sum is another quantity. */
static bool open_rung(int fds[RUNG_EVENTS], const struct rung *rung,
                      pid_t pid) {
  for (size_t i = 0; i < rung->count; i++) {
    fds[i] = event_open(&rung->events[i], pid);
    if (fds[i] >= 0) continue;
    while (i) close(fds[--i]);
    fds[0] = -1;
    return false;
  }
  return true;
}

void tree_counters_open(struct tree_counters *counters, pid_t pid) {
  struct counter_site site;
  counter_site_read(&site);
  for (int q = 0; q < QUANTITY_COUNT; q++) {
    struct rung rungs[RUNGS_MAX];
    int *fds = counters->fds[q];
    for (int i = 0; i < RUNG_EVENTS; i++) fds[i] = -1;
    size_t count = ladder_rungs(site.arch, (enum quantity_id)q, rungs);
    for (size_t i = 0; i < count; i++) {
      bool software = rungs[i].kind == RUNG_SOFTWARE;
      if (rungs[i].kind == RUNG_NATIVE || (!software && !site.pmu)) continue;
      if (open_rung(fds, &rungs[i], pid)) break;
    }
  }
}

void tree_counters_close(struct tree_counters *counters,
                         struct tree_counts *counts) {
  for (int q = 0; q < QUANTITY_COUNT; q++) {
    const int *fds = counters->fds[q];
    counts->present[q] = fds[0] >= 0;
    for (int i = 0; i < RUNG_EVENTS && fds[i] >= 0; i++) {
      struct tree_value value = {0};
      ssize_t got = read(fds[i], &value, sizeof value);
      close(fds[i]);
      counts->value[q] += value.value;
      /* What shared a hardware counter is a guess: it is left out. */
      if (got != sizeof value || value.running_ns < value.enabled_ns)
        counts->present[q] = false;
    }
  }
}
