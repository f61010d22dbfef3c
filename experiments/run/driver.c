/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/memory.h"
#include "experiments/machine/caches.h"
#include "experiments/probe/bench.h"
#include "experiments/run/cell.h"
#include "huge_pages/size_text.h"

/* Seconds per operation all told, before a size of the algorithm is known. */
#define FIRST_GUESS_S 20e-9

/* The budget holds for this, too, and no sample shows it. */
static void note_touched(const struct driver *d, size_t bytes) {
  double spent_s = progress_now_s() - d->budget.start_s;
  if (!(d->plan->time_budget_s > 0) || spent_s < d->plan->time_budget_s / 10)
    return;
  fprintf(stderr,
          "vat: note: %.2g of %g s of the time budget went into touching %s on "
          "%zu kind%s of pages; fix: a larger --time-budget, or smaller "
          "--sizes\n",
          spent_s, d->plan->time_budget_s, HP_SIZE_SHOWN(bytes),
          d->workspaces->count, d->workspaces->count == 1 ? "" : "s");
}

int driver_map(struct driver *d, struct plan *plan,
               struct workspaces *workspaces, size_t bytes, bool reserve,
               bool optional) {
  d->plan = plan;
  d->workspaces = workspaces;
  d->budget.start_s = progress_now_s();
  progress_init(&d->progress);
  int code = workspaces_map(workspaces, &plan->pages, bytes, reserve, optional,
                            &d->progress);
  if (!code) note_touched(d, bytes);
  return code;
}

/*
 * What the machine is like meanwhile: programs are slow where others are busy.
 * Benchmarks that are always the same tell: a loop that only computes; a
 * dependent chase over a quarter of the last cache, so late that others had
 * time to take their part of it (doc/calibration.md, "Neighbours"); and one
 * over as much as all of it, at once, which tells how much there is.
 */

/* Chases take some 50 ms. */
static const double chase_every_s = 1;

/* Of a footprint each: one as large as the last cache misses what that does not
 * hold. */
struct chases {
  struct hp_region part;
  double llc_bytes;
  uint64_t seed;
  struct results_canary canary;
};

/* 0, as the footprint then, where there is no room. */
static double time_chase(const struct chases *chases, const char *name,
                         double *bytes) {
  struct cal_curve curve = {.chains = 1, .step_bytes = LINE_BYTES};
  strcpy(curve.name, name);
  if ((double)chases->part.bytes < *bytes) return *bytes = 0;
  return bench_point(&curve, *bytes, &chases->part, chases->llc_bytes,
                     chases->seed);
}

static void step_chases(void *context) {
  struct chases *chases = context;
  kernel_fill(chases->part.base, chases->part.bytes, chases->seed);
  struct results_canary *canary = &chases->canary;
  canary->bytes = chases->llc_bytes / 4;
  canary->line_bytes = chases->llc_bytes;
  canary->ns = time_chase(chases, "settled_chase", &canary->bytes);
  canary->line_ns = time_chase(chases, "line_chase", &canary->line_bytes);
}

/* On base pages, which every calibration has.  Is it time, and is there room?
 */
static bool plan_chases(struct driver *d, struct chases *chases) {
  struct cache caches[CACHES_MAX];
  size_t count = caches_read(caches);
  double llc = count ? (double)caches[count - 1].bytes : 0;
  double now = progress_now_s();
  if (!d->chased_s) d->chased_s = now; /* nothing for the shortest of runs */
  if (now - d->chased_s < chase_every_s) return false;
  chases->llc_bytes = llc;
  chases->seed = (uint64_t)(now * 1e9);
  for (size_t i = 0; i < d->workspaces->count; i++) {
    chases->part = d->workspaces->regions[i];
    if (chases->part.kind != hp_kind_base()) continue;
    if (llc < 4 || (double)chases->part.bytes < llc / 4) return false;
    if ((double)chases->part.bytes > llc) chases->part.bytes = (size_t)llc;
    return true;
  }
  return false;
}

int driver_fail_write(const struct driver *d) {
  return fail(fail_code(errno),
              "%s: cannot be written: %s; it keeps the samples so far; fix: "
              "%sadd --resume to continue",
              d->path, strerror(errno),
              errno == ENOSPC ? "free space, then " : "");
}

/* Time them, the chases at most once a second, and note them in the results.
 * Overwrites the beginning of a workspace. */
static int canary_note(struct driver *d) {
  struct chases chases = {
      .canary = {.pass = d->budget.pass, .ns_per_op = bench_canary()}};
  struct results_canary *canary = &chases.canary;
  if (plan_chases(d, &chases)) {
    if (interruptible(step_chases, &chases))
      return VAT_FAILED; /* the caller dies of it */
    d->chased_s = progress_now_s();
    strcpy(canary->pages, chases.part.kind->name);
  }
  if (!results_write_new(d->writer, record_to_json(canary_fields, canary)))
    return VAT_OK;
  return driver_fail_write(d);
}

static const struct sample *find(const struct driver *d,
                                 const struct cell *cell, uint32_t rep) {
  for (size_t i = 0; i < d->count; i++) {
    const struct sample *s = &d->samples[i];
    if (s->n == cell->run.n && s->rep == rep && s->seed == cell->run.seed &&
        !strcmp(s->algo, cell->algo->name) &&
        !strcmp(s->pages_asked, cell->kind->name) &&
        !strcmp(s->device, cell->algo->device) &&
        !sample_variant_compare(&s->variant, &cell->variant))
      return s;
  }
  return NULL;
}

static void name_sample(struct sample *s, const struct driver *d,
                        const struct cell *cell, uint32_t rep) {
  *s = (struct sample){
      .n = cell->run.n,
      .pages_granted = cell->granted,
      .granted_ok = cell->granted_ok,
      .rep = rep,
      .ns = cell->ns + !cell->ns, /* a tick, where the clock saw none */
      .ram_ops = cpu_algo_ops(cell->algo, cell->run.n, cell->run.given),
      .seed = cell->run.seed,
      .variant = cell->variant,
      .check_ok = true,
  };
  if (d->offload) {
    s->transferred = true;
    s->upload_ns = d->offload->upload_ns;
    s->download_ns = d->offload->download_ns;
  }
  snprintf(s->algo, sizeof s->algo, "%s", cell->algo->name);
  snprintf(s->device, sizeof s->device, "%s", cell->algo->device);
  snprintf(s->pages_asked, sizeof s->pages_asked, "%s", cell->kind->name);
}

static void add_counters(struct sample *s, const struct counters *counters,
                         const uint64_t *values) {
  s->counters = counters_count(counters);
  for (size_t i = 0; i < s->counters; i++) {
    const struct counter_info *info = counters_info(counters, i);
    snprintf(s->counter[i].name, sizeof s->counter[i].name, "%s", info->name);
    s->counter[i].present = info->present;
    s->counter[i].value = info->present ? values[i] : 0;
  }
}

/* What the algorithm says of the run that was checked. */
static void add_counts(struct sample *s, const struct cell *cell) {
  const struct algo *algo = cell->algo;
  uint64_t values[ALGO_COUNTS];
  if (!algo->counts) return;
  algo->count(&cell->run, values);
  for (size_t i = 0; algo->counts[i]; i++) {
    struct sample_counter *counter = &s->counter[s->counters++];
    snprintf(counter->name, sizeof counter->name, "%s", algo->counts[i]);
    counter->present = true;
    counter->value = values[i];
  }
}

static int fail_counters(const char *what) {
  return fail(VAT_ABSENT, "the counters %s: %s; fix: --counters none", what,
              strerror(errno));
}

static int measure(struct driver *d, struct cell *cell, uint32_t rep) {
  uint64_t values[COUNTERS_MAX] = {0};
  struct sample sample;
  int code = cell_prepare(cell, d->offload);
  if (code) return code;
  if (counters_start(d->counters)) return fail_counters("do not start");
  if ((code = cell_run(cell, d->offload))) return code;
  if (counters_stop(d->counters, values))
    return fail_counters("cannot be read");
  if (d->offload &&
      (code = offload_download(d->offload, cell->algo, &cell->run)))
    return code;
  if ((code = cell_check(cell))) return code;
  d->last = cell->run;
  name_sample(&sample, d, cell, rep);
  add_counters(&sample, d->counters, values);
  add_counts(&sample, cell);
  *ARRAY_ADD(d->samples, d->count) = sample;
  if (!results_write_new(d->writer, sample_to_json(&sample))) return VAT_OK;
  return driver_fail_write(d);
}

/* One for each kind of pages; false: all repetitions are there. */
static bool name_cells(const struct driver *d, struct cell *cells,
                       const struct plan_entry *e, uint64_t n, uint32_t reps) {
  bool any = false;
  for (size_t k = 0; k < d->workspaces->count; k++) {
    struct cell *cell = &cells[k];
    *cell = (struct cell){.algo = e->algo,
                          .kind = d->workspaces->regions[k].kind,
                          .run = plan_run(d->plan, e, n),
                          .variant = plan_variant(d->plan, e),
                          .fresh = true};
    for (uint32_t rep = 0; rep < reps; rep++)
      cell->missing |= !find(d, cell, rep);
    any |= cell->missing;
  }
  return any;
}

/* A new order in each repetition: a fixed one would give each page kind a
 * fixed predecessor, whose traces in caches and clocks it would inherit. */
static void shuffle(size_t *order, size_t count, uint64_t seed) {
  struct cpu_random random = {.state = seed};
  for (size_t i = 0; i < count; i++) order[i] = i;
  cpu_random_shuffle(&random, order, count);
}

static int measure_size(struct driver *d, const struct plan_entry *e,
                        uint64_t n, double left_s) {
  struct cell cells[PAGE_SET_MAX] = {{0}};
  size_t order[PAGE_SET_MAX];
  uint32_t reps =
      plan_reps_after(d->plan, d->budget.pass, plan_reps(d->plan, e->algo, n));
  if (!name_cells(d, cells, e, n, reps)) return VAT_OK;
  int code = canary_note(d);
  /* Those that have no repetitions to come keep run.memory NULL. */
  for (size_t k = 0; !code && k < d->workspaces->count; k++)
    if (cells[k].missing)
      code = cell_set_up(&cells[k], d->plan, &d->workspaces->regions[k]);
  char label[128];
  snprintf(label, sizeof label, "%s%s%s n = %llu", e->algo->name,
           e->generator ? ", " : "", e->generator ? e->generator : "",
           (unsigned long long)n);
  for (uint32_t rep = 0; !code && rep < reps; rep++) {
    double spent = progress_now_s() - d->budget.start_s;
    progress_draw(&d->progress, spent / (spent + left_s), left_s, label);
    shuffle(order, d->workspaces->count, d->plan->seed ^ (n + rep));
    for (size_t k = 0; !code && k < d->workspaces->count; k++) {
      struct cell *cell = &cells[order[k]];
      if (cell->run.memory && !find(d, cell, rep)) code = measure(d, cell, rep);
    }
  }
  for (size_t k = 0; k < PAGE_SET_MAX; k++) alloc_close(&cells[k].nodes);
  return code;
}

/* Later passes repeat what the first one reached. */
static bool to_measure(const struct driver *d, const struct plan_entry *e,
                       uint64_t n) {
  const struct sample_variant variant = plan_variant(d->plan, e);
  for (size_t i = 0; d->budget.pass && i < d->count; i++)
    if (d->samples[i].n == n && !strcmp(d->samples[i].algo, e->algo->name) &&
        !sample_variant_compare(&d->samples[i].variant, &variant))
      return true;
  return !d->budget.pass;
}

/* An algorithm's sizes from the first on, or from where it stopped, with an
 * equal share of the time for each of `left` algorithms. */
static int measure_entry(struct driver *d, size_t index, size_t left,
                         double *mean_s) {
  const struct plan_entry *e = &d->plan->entries[index];
  struct time_budget *b = &d->budget;
  struct budget_entry *entry = &b->entries[index];
  double deadline = budget_deadline_s(b, left), start = progress_now_s();
  double share_s = deadline - start;
  bool again = entry->stopped;
  entry->stopped = false;
  if (!again) entry->per_op_s = *mean_s;
  size_t j =
      again ? budget_next_size(b, index, entry->last, share_s, deadline) : 0;
  for (; j < e->sizes.count; start = progress_now_s()) {
    uint64_t n = e->sizes.at[j];
    if (!to_measure(d, e, n)) {
      j++;
      continue;
    }
    double left_s = budget_left_s(b, index, j, entry->per_op_s, *mean_s);
    int code = measure_size(d, e, n, left_s);
    if (code) return code;
    double cost = budget_cost_s(b, b->pass, e->algo, n, 1);
    if (cost > 0) entry->per_op_s = (progress_now_s() - start) / cost;
    j = budget_next_size(b, index, j, share_s, deadline);
  }
  if (!again)
    *mean_s = (entry->per_op_s + (double)index * *mean_s) / (double)(index + 1);
  return VAT_OK;
}

/* What some left of the first pass' time, those that stopped go on with.  Later
 * passes repeat what it reached, as far as theirs lasts. */
static int go_on(struct driver *d, double *mean_s) {
  int code = VAT_OK;
  for (size_t i = 0; !code && i < d->plan->count; i++)
    if (d->budget.entries[i].stopped)
      code = measure_entry(d, i, budget_stopped(&d->budget, i), mean_s);
  progress_clear(&d->progress);
  if (!code) budget_note_stops(&d->budget);
  return code;
}

int driver_run(struct driver *d) {
  double mean_s = FIRST_GUESS_S;
  struct time_budget *b = &d->budget;
  b->plan = d->plan;
  b->page_kinds = d->workspaces->count;
  b->first_s = progress_now_s();
  b->entries = memory_zeroed(d->plan->count + 1, sizeof *b->entries);
  int code = VAT_OK;
  for (b->pass = 0; !code && b->pass < d->plan->passes; b->pass++) {
    for (size_t i = 0; !code && i < d->plan->count; i++) {
      b->entries[i].stopped = false;
      code = measure_entry(d, i, d->plan->count - i, &mean_s);
    }
    if (!code && !b->pass) code = go_on(d, &mean_s);
  }
  progress_clear(&d->progress);
  free(b->entries);
  b->entries = NULL;
  return code;
}

int driver_answer(struct driver *d, struct algo_data *answer) {
  const struct plan_entry *e = d->plan->entries;
  const struct hp_region *region = d->workspaces->regions;
  struct cell cell = {.algo = e->algo, .kind = region->kind, .run = d->last};
  int code = VAT_OK;
  /* Nodes went with their allocator; a run has them in the workspace. */
  if (!cell.run.memory || e->algo->allocates) {
    cell.run = plan_run(d->plan, e, e->sizes.at[0]);
    cell.run.memory = region->base;
    code = cell_run_untimed(&cell, d->offload);
  }
  d->last = cell.run;
  *answer = (struct algo_data){.count = 1, .items = &d->last.result};
  return code ? code : cell_answer(&cell, answer);
}
