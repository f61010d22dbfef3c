/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/run_options.h -- from a command line to a plan. */
#ifndef EXPERIMENTS_RUN_RUN_OPTIONS_H
#define EXPERIMENTS_RUN_RUN_OPTIONS_H
#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiments/run/data_plan.h"
#include "experiments/run/plan.h"

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

/* True when the page kinds were named one by one: each must then be had. */
bool run_pages_named(const struct run_options *options);

/*
 * The plan the options ask for, sized to this machine where they leave it
 * open; `data` becomes its --input, which it refers to.  Returns an exit code,
 * having printed what is wrong.
 */
int run_plan(const struct run_options *options, struct data *data,
             struct plan *plan);

/* Have all algorithms of the plan, which is not of a file, the blocks that were
 * asked for?  An exit code, as above. */
int run_check_blocks(const struct plan *plan);

/* Leave that plan, likewise, the shard that was asked for. */
int run_shard(const struct run_options *options, struct plan *plan);

/* Does `plan`, read from a results file, agree with every option given?
 * Returns NULL, or the option that does not: "--sizes". */
const char *run_plan_conflict(const struct run_options *options,
                              const struct plan *plan);

/*
 * Open the counters the plan asks for.  NULL with *code set, having printed
 * why: an unknown name (2), or one asked for that is absent here (3).
 */
struct counters *run_counters(const struct plan *plan, int *code);

/* Check that the plan's workspaces, side by side, fit this machine's memory.
 * Sets *bytes, the size of each.  Returns an exit code, as above. */
int run_memory(const struct run_options *options, const struct plan *plan,
               size_t *bytes);
#endif
