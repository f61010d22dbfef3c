/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/run_options.h -- the options of vat run, and the plan that
 * they ask for, and where results go. */
#pragma once
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "cpu_algos/algo_sets.h"
#include "experiments/run/plan.h"

/* As typed; NULL or false where not given. */
struct run_options {
  struct option_words algos;
  const struct algo_set *set;
  const char *device, *pages, *counters, *output, *alloc, *parameters;
  struct sizes sizes, block_threads, grid_blocks;
  struct plan asked; /* what a plan has as it is typed; 0: not given */
  uint64_t device_memory;
  int pin; /* -1: choose */
  bool passes_given, seed_given;
  bool quick, reserve, resume, json;
  struct shard shard; /* count 0: not given */
  struct data_options data;
};

/* The options of `vat run`, whose request is a struct run_options, zeroed but
 * for pin. */
extern const struct option_table run_table;

/*
 * --quick, a first answer in less than half a minute: fill what `options` leave
 * open.  Returns an exit code, having printed what is wrong: algorithms of the
 * user's own (2).
 */
int quick_options(struct run_options *options);

/* --set: its algorithms, as if they had been named.  Returns an exit code, as
 * above. */
int set_options(struct run_options *options);

/* The only size of an algorithm of quick_options(): smaller where memory is. */
uint64_t quick_size(const struct algo *algo);

/*
 * The plan the options ask for, sized to this machine where they leave it
 * open; `data` becomes its --input, which it refers to.  Returns an exit code,
 * having printed what is wrong.
 */
int run_plan(const struct run_options *options, struct data *data,
             struct plan *plan);

/* Have all algorithms of the plan, which is not of a file, the blocks that were
 * asked for?  Then leave it the shard that was.  An exit code, as above. */
int run_shard(const struct run_options *options, struct plan *plan);

/* Does `plan`, read from a results file, agree with every option given, which
 * `made` is of?  Returns NULL, or the option that does not: "--sizes". */
const char *run_plan_conflict(const struct run_options *options,
                              const struct plan *made, const struct plan *plan);

/*
 * Open the counters the plan asks for.  NULL with *code set, having printed
 * why: an unknown name (2), or one asked for that is absent here (3).
 */
struct counters *run_counters(const struct plan *plan, int *code);

/* Check that the plan's workspaces, side by side, fit this machine's memory.
 * Sets *bytes, the size of each.  Returns an exit code, as above. */
int run_memory(const struct run_options *options, const struct plan *plan,
               size_t *bytes);

/* --- result_paths.c: where a run's results go. --- */

struct result_paths {
  char file[PATH_MAX];   /* results */
  char report[PATH_MAX]; /* directory of the report beside them */
  char made[64];         /* the new directory that they are in, or "" */
};

/*
 * What can be known to go wrong with -o `output` (NULL: not given) before
 * anything is measured.  Returns an exit code, having printed what is wrong.
 */
int result_paths_check(const char *output, bool resume);

/* The paths of `output`, or those of a new directory under vat-results/,
 * which is made.  Returns an exit code, as above. */
int result_paths_choose(const char *output, struct result_paths *paths);

/* Nothing could be written there: leave no new directory behind. */
void result_paths_give_up(void *paths);
