/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/run_options.h -- the options of vat run. */
#ifndef EXPERIMENTS_RUN_RUN_OPTIONS_H
#define EXPERIMENTS_RUN_RUN_OPTIONS_H
#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiments/run/data_plan.h"

/* As typed; NULL or false where not given. */
struct run_options {
  const char **algos; /* into argv; free() it */
  size_t algo_count;
  const char *device, *sizes, *pages, *counters, *output, *alloc, *parameters;
  uint32_t reps, passes, emu_threads;
  uint32_t block_threads, dummy_shared, grid_blocks;
  uint64_t seed, simulate, device_memory;
  double time_budget_s;
  int pin; /* -1: choose */
  bool reps_given, passes_given, seed_given, budget_given;
  bool reserve, resume, json;
  struct shard shard; /* count 0: not given */
  struct data_options data;
};

/* The options of `vat run`; its input is a struct run_options, zeroed but for
 * pin, with room for all arguments in algos.  Exits where one is bad. */
extern const struct argp run_argp;

#endif
