/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/run_options.h -- the options of vat run. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "experiments/run/data_plan.h"

/* As typed; NULL or false where not given. */
struct run_options {
  struct option_words algos;
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

/* The only size of an algorithm of quick_options(): smaller where memory is. */
uint64_t quick_size(const struct algo *algo);
