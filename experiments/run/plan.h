/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/plan.h -- what a run will measure.
 *
 * A plan is algorithms with their sizes, crossed with page kinds and
 * repetitions.  It is stored as the second line of a results file, so that an
 * interrupted run is resumed with the same plan whatever the machine's free
 * memory is by then.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "experiments/cli/numbers.h"
#include "experiments/cli/record.h"
#include "experiments/data/data.h"
#include "experiments/device/device.h"
#include "experiments/memory/alloc.h"
#include "experiments/memory/workspaces.h"
#include "experiments/results/sample.h"

enum { PLAN_REASON = 400 };

struct plan_entry {
  const struct algo *algo;
  const char *generator; /* of algo->generators; NULL: the first */
  /* Where entries differ in them; 0: as in the plan's variant. */
  uint32_t block_threads, grid_blocks;
  struct sizes sizes; /* of this shard */
  struct sizes sweep; /* of all shards; at NULL: these are all */
};

struct plan {
  const struct device *device; /* of all; NULL: the processor */
  struct plan_entry *entries;
  size_t count;
  struct page_set pages;
  uint32_t reps;   /* 0: plan_reps() decides by size */
  uint32_t passes; /* over all sizes, which repetitions are spread over */
  uint64_t seed;
  double time_budget_s;          /* 0: none */
  char counters[256];            /* as given to --counters; empty: auto */
  struct sample_variant variant; /* of each entry, but for its generator */
  /* Data from outside, which variant describes; NULL: inputs are generated.  A
   * record does not hold it. */
  const struct algo_data *given;
  uint64_t simulate; /* sizes of up to so many accesses; 0: none */
  /* Where nodes come from; NULL: no algorithm of it allocates. */
  const struct alloc_way *alloc;
  /* Bytes of the device that a workspace may have: larger ones are worked on in
   * parts, where algorithms can; 0: as many as they take. */
  uint64_t device_room;
  uint32_t emu_threads; /* of the emulator, as asked for; 0: one, or none is */
  bool thin; /* the time budget may skip costly sizes to reach further */
  struct shard shard; /* which of its points are measured */
};

void plan_fini(struct plan *plan); /* a zeroed plan is fine */

/* Add an algorithm with a copy of `sizes`, on its usual kind of input. */
void plan_add(struct plan *plan, const struct algo *algo,
              const struct sizes *sizes);

/* The sizes of an entry, whatever the shard. */
const struct sizes *plan_sweep(const struct plan_entry *entry);

/* Repetitions of `algo` at n: by the plan, or fewer where each is long. */
uint32_t plan_reps(const struct plan *plan, const struct algo *algo,
                   uint64_t n);

/* How many of these are done after pass 0, 1, ...: all of them after the last,
 * and at least one more after each while there are some. */
uint32_t plan_reps_after(const struct plan *plan, uint32_t pass, uint32_t reps);

/* The most that a run of it has on the processor: algorithms may take more
 * than one by their parameters. */
unsigned plan_threads(const struct plan *plan);

/* As samples and summaries have it: "" for an algorithm that does not allocate.
 */
const char *plan_alloc_name(const struct plan *plan, const struct algo *algo);

/* The variant that samples of an entry have: the generator is named where it is
 * not the first, the allocator where the algorithm allocates. */
struct sample_variant plan_variant(const struct plan *plan,
                                   const struct plan_entry *entry);

/* An input of an entry to come: its size, generator or data, and workspace. */
struct algo_run plan_run(const struct plan *plan,
                         const struct plan_entry *entry, uint64_t n);

/* The fix where it needs too much, "smaller --sizes", or "a smaller input than
 * keys.txt". */
enum { PLAN_SMALLER = VARIANT_NAME + 32 };
const char *plan_smaller(const struct plan *plan, char text[PLAN_SMALLER]);

/* Bytes of workspace that every entry fits in.  An exit code, having printed
 * which size an algorithm does not take or overflows the address space. */
int plan_bytes(const struct plan *plan, size_t *bytes);

/* Can the plan's allocator be had here, and on its page kinds?  As above. */
int plan_check_alloc(const struct plan *plan);

/* Bytes of nodes that may lie outside all regions. */
size_t plan_elsewhere_bytes(const struct plan *plan);

/* plan->device_room, SIZE_MAX where it is 0. */
size_t plan_room(const struct plan *plan);

/* Bytes on a device with memory of its own that every run fits in. */
size_t plan_device_bytes(const struct plan *plan);

/*
 * Leave the plan the points of one shard, whose entries may then have none.  A
 * point is an entry at a size, with all its page kinds and repetitions, since
 * these are compared; they are numbered by size first, so that the largest,
 * which take longest, are spread.  -1 with EINVAL and `reason` (there are fewer
 * points than shards).
 */
int plan_shard(struct plan *plan, struct shard shard, char reason[PLAN_REASON]);

/* The first algorithm that does not take the blocks or the parameters that are
 * asked for, with `reason`; NULL: all do. */
const struct algo *plan_refusing(const struct plan *plan,
                                 char reason[PLAN_REASON]);

/*
 * Put generator and input, which is read into `data`, into a plan that has its
 * algorithms but no sizes yet; an input gives it one.  `sized`: sizes were
 * named.  An exit code, having printed what is wrong.
 */
int data_into_plan(const struct data_options *options, bool sized,
                   struct data *data, struct plan *plan);

/* Take over the data into a plan that was read from the results file `path`,
 * in place of `made`, by the options.  An exit code, as above: it must be of
 * the same generator and input. */
int data_resume(const struct data_options *options, const struct plan *made,
                struct plan *plan, const char *path);

/* Before anything is measured: is there one answer, and can it be written, to
 * another file than the `results` (NULL: not named)?  As above. */
int data_check_output(const struct data_options *options,
                      const struct plan *plan, const char *results);

/* All of its record, the second of a results file (doc/results-format.md), but
 * what samples have, too: sample_variant_fields. */
extern const struct field plan_fields[];

/* {"record":"plan",...}, owned by the caller. */
json_t *plan_to_json(const struct plan *plan);

/* The plan of a record.  -1 with EINVAL and `reason`, or ENOMEM. */
int plan_from_json(struct plan *plan, const json_t *record,
                   char reason[PLAN_REASON]);

/* --- time_budget.c: how long what is left of a plan will take, and what of it
 * the time allows. --- */

/* How far an algorithm of the plan came, while it is measured. */
struct budget_entry {
  double per_op_s; /* seconds an operation, all told */
  bool stopped;    /* for the time, behind size number `last` */
  size_t last;
};

struct time_budget {
  const struct plan *plan;
  size_t page_kinds;            /* that are measured side by side */
  uint32_t pass;                /* over the plan, from 0 */
  double start_s, first_s;      /* of all, and of measuring */
  struct budget_entry *entries; /* of the plan */
};

/* Seconds that `algo` takes at n in a pass, by seconds an operation. */
double budget_cost_s(const struct time_budget *b, uint32_t pass,
                     const struct algo *algo, uint64_t n, double per_op_s);

/* Seconds still to go, by the time an operation of the current algorithm takes
 * and, for those to come, the mean so far. */
double budget_left_s(const struct time_budget *b, size_t entry, size_t size,
                     double per_op_s, double mean_s);

/* The time by which the first of `left` algorithms should be done: an equal
 * share of what is left of the pass for each, so that what one leaves over the
 * next get. */
double budget_deadline_s(const struct time_budget *b, size_t left);

/*
 * The size to measure after the j-th of that entry, or the count of sizes when
 * the time is up.  A thin plan takes every other of those sizes that cost more
 * than a thirty-second of the share: half the points at the expensive end reach
 * nearly twice as far, and the figures stay dense where that is cheap.
 */
size_t budget_next_size(struct time_budget *b, size_t index, size_t j,
                        double share_s, double deadline);

/* Algorithms from that one on that stopped for the time, and who they are. */
size_t budget_stopped(const struct time_budget *b, size_t from);
void budget_note_stops(const struct time_budget *b);
