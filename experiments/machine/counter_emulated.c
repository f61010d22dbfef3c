/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/machine/counter_emulated.h"

#include <config.h>
#include <stdio.h>
#include <string.h>

#include "gpu_algos/simt/simt.h"

static const char *const usual[] = {
    "accesses",          "sectors_read",   "sectors_written",
    "lines_read",        "lines_written",  "bank_waves",
    "atomics",           "atomic_sectors", "barriers",
    "warp_instructions",
#ifdef HAVE_EMU_ARITHMETIC
    "arithmetic",
#endif
    "blocks_issued",     "lanes_issued",   "threads",
    "thread_blocks",     "pages",          NULL};

/* Of the emulator's i-th counter; the next call overwrites it. */
static struct counter_info *info_of(size_t index) {
  static struct counter_info info;
  const struct simt_counter *counter = &simt_counter_table[index];
  if (!counter->name) return NULL;
  info = (struct counter_info){.name = counter->name,
                               .unit = "counts",
                               .meaning = counter->summary,
                               .present = true};
  snprintf(info.source, sizeof info.source, "emulator");
  return &info;
}

static const struct counter_info *emulated(size_t index) {
  return info_of(index);
}

static const struct counter_info *uncounted(size_t index) {
  struct counter_info *info = info_of(index);
  if (!info) return NULL;
  counter_set_absent(info, "the emulator alone counts it", "--device emu");
  return info;
}

static void read_counters(uint64_t values[]) {
  struct simt_counters counters;
  simt_read_counters(&counters);
  for (size_t i = 0; simt_counter_table[i].name; i++)
    memcpy(&values[i], (const char *)&counters + simt_counter_table[i].offset,
           sizeof values[i]);
}

const struct counter_source counters_emulated = {
    emulated, usual, simt_reset_counters, read_counters};

const struct counter_source counters_uncounted = {uncounted, usual, NULL, NULL};
