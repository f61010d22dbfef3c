/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantities, and the rungs they are read from. */
#include "experiments/machine/counter_ladder.h"

#include <linux/perf_event.h>

#define DTLB_READ_MISS                                             \
  (PERF_COUNT_HW_CACHE_DTLB | (PERF_COUNT_HW_CACHE_OP_READ << 8) | \
   (PERF_COUNT_HW_CACHE_RESULT_MISS << 16))

#define INFO(key, units, is) .info = {.name = key, .unit = units, .meaning = is}

const struct quantity quantities[QUANTITY_COUNT] = {
    [QUANTITY_CYCLES] = {INFO("cycles", "cycles",
                              "core cycles, at whatever frequency"),
                         .common = {"cycles", PERF_TYPE_HARDWARE,
                                    PERF_COUNT_HW_CPU_CYCLES},
                         .always_counts = true},
    [QUANTITY_INSTRUCTIONS] = {INFO("instructions", "instructions",
                                    "instructions retired"),
                               .common = {"instructions", PERF_TYPE_HARDWARE,
                                          PERF_COUNT_HW_INSTRUCTIONS},
                               .always_counts = true},
    [QUANTITY_WALKS] = {INFO("walks", "walks",
                             "page walks done for data, speculative ones too"),
                        .always_counts = true},
    [QUANTITY_WALK_CYCLES] =
        {INFO("walk_cycles", "cycles",
              "time in page walks; two walks at once count twice"),
         .always_counts = true},
    [QUANTITY_WALKS_4K] = {INFO("walks_4k", "walks",
                                "of which ended at a 4 KiB page"),
                           .always_counts = true},
    [QUANTITY_WALKS_2M] = {INFO("walks_2m", "walks",
                                "of which ended at a 2 MiB (4 MiB) page")},
    [QUANTITY_WALKS_1G] = {INFO("walks_1g", "walks",
                                "of which ended at a 1 GiB page")},
    [QUANTITY_STLB_HITS] = {INFO("stlb_hits", "hits",
                                 "first-level TLB missed, second-level hit")},
    /* The kernel chooses this event per processor: walks on Intel, walks on
     * Zen, first-level refills on arm64.  It is a quantity of its own. */
    [QUANTITY_DTLB_LOAD_MISSES] =
        {INFO("dtlb_load_misses", "misses",
              "perf's dTLB-load-misses: differs between processors"),
         .common = {"dTLB-load-misses", PERF_TYPE_HW_CACHE, DTLB_READ_MISS}},
    [QUANTITY_PAGE_FAULTS] = {INFO("page_faults", "faults",
                                   "pages the kernel had to map"),
                              .common = {"page-faults", PERF_TYPE_SOFTWARE,
                                         PERF_COUNT_SW_PAGE_FAULTS}},
};

/* A rung of the processor's own events, named or raw: all of them or none,
 * since a part of a sum is another quantity. */
static size_t add_rung(struct rung *rung, enum rung_kind kind,
                       const struct cpu_event *events) {
  *rung = (struct rung){.kind = kind};
  for (; rung->count < RUNG_EVENTS && events[rung->count].raw; rung->count++) {
    const struct cpu_event *event = &events[rung->count];
    if (kind == RUNG_NATIVE && !event->native) return 0;
    rung->events[rung->count] =
        (struct counter_event){event->native, PERF_TYPE_RAW, event->raw};
  }
  return rung->count ? 1 : 0;
}

size_t ladder_rungs(const struct cpu_arch *arch, enum quantity_id quantity,
                    struct rung rungs[RUNGS_MAX]) {
  const struct counter_event *common = &quantities[quantity].common;
  size_t count = 0;
  if (arch && arch->events) {
    const struct cpu_event *events = arch->events->of[quantity];
    count += add_rung(&rungs[count], RUNG_NATIVE, events);
    count += add_rung(&rungs[count], RUNG_RAW, events);
  }
  if (!common->name) return count;
  bool software = common->type == PERF_TYPE_SOFTWARE;
  rungs[count] = (struct rung){
      .kind = software ? RUNG_SOFTWARE : RUNG_GENERIC,
      .events = {*common},
      .count = 1,
  };
  return count + 1;
}
