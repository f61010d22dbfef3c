/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/compare/tree_counters.h"

#include <math.h>
#include <unistd.h>

#include "experiments/machine/counter_backend.h"

/* All events of a rung or none: a part of a sum is another quantity. */
static bool open_rung(int fds[RUNG_EVENTS], const struct rung *rung,
                      pid_t pid) {
  for (size_t i = 0; i < rung->count; i++) {
    fds[i] = counter_event_open(&rung->events[i], pid);
    if (fds[i] >= 0) continue;
    while (i) close(fds[--i]);
    fds[0] = -1;
    return false;
  }
  return true;
}

void tree_counters_open(struct tree_counters *counters,
                        const struct counters *own, pid_t pid) {
  struct cpu_id cpu;
  cpu_id_read(&cpu);
  const struct cpu_arch *arch = cpu_arch_find(&cpu);
  for (int q = 0; q < QUANTITY_COUNT; q++) {
    struct rung rungs[RUNGS_MAX];
    int *fds = counters->fds[q];
    for (int i = 0; i < RUNG_EVENTS; i++) fds[i] = -1;
    if (!own || !counters_info(own, (size_t)q)->present) continue;
    size_t count = ladder_rungs(arch, (enum quantity_id)q, rungs);
    for (size_t i = 0; i < count; i++)
      if (rungs[i].kind != RUNG_NATIVE && open_rung(fds, &rungs[i], pid)) break;
  }
}

void tree_counters_close(struct tree_counters *counters,
                         double counts[QUANTITY_COUNT]) {
  for (int q = 0; q < QUANTITY_COUNT; q++) {
    const int *fds = counters->fds[q];
    struct counter_reading reading = {0};
    for (int i = 0; i < RUNG_EVENTS && fds[i] >= 0; i++) {
      if (counter_event_read(fds[i], &reading)) reading.lost = true;
      close(fds[i]);
    }
    /* What shared a hardware counter is a guess: it is left out. */
    counts[q] = fds[0] >= 0 && !reading.lost ? (double)reading.value : NAN;
  }
}
