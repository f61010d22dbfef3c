/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/cell.h"

#include <errno.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/progress.h"

/* A run that leaves its input intact finds the caches full of the other page
 * kinds' data, unlike one whose input was just restored.  Up to this size it
 * is run once untimed before; beyond, nothing survives in a cache anyway. */
enum { WARM_BYTES = 32 << 20 };

static void step_setup(void *context) {
  struct cell *cell = context;
  cell->algo->setup(&cell->run);
}

static void step_restore(void *context) {
  struct cell *cell = context;
  cell->algo->restore(&cell->run);
}

static void step_run(void *context) {
  struct cell *cell = context;
  uint64_t start = progress_now_ns();
  cell->algo->run(&cell->run);
  cell->ns = progress_now_ns() - start;
}

static void step_check(void *context) {
  struct cell *cell = context;
  cell->wrong = cell->algo->check(&cell->run);
}

/* The caller dies of an interrupt. */
static int do_step(void (*step)(void *context), struct cell *cell) {
  return interruptible(step, cell) ? VAT_FAILED : VAT_OK;
}

int cell_set_up(struct cell *cell, const struct plan *plan,
                const struct hp_region *region) {
  const struct alloc_way *way = cell->algo->allocates ? plan->alloc : NULL;
  char smaller[PLAN_SMALLER];
  cell->run.memory = region->base;
  if (alloc_open(&cell->nodes, way, region, &cell->run))
    return fail(VAT_ABSENT, "--alloc %s: %s", way->name, strerror(errno));
  if (do_step(step_setup, cell)) return VAT_FAILED;
  if (cell->nodes.ran_out)
    return fail(
        VAT_ABSENT,
        "--alloc %s: out of memory for the nodes of %s at n = %llu; choose %s",
        way->name, cell->algo->name, (unsigned long long)cell->run.n,
        plan_smaller(plan, smaller));
  if (way ? alloc_verify(&cell->nodes, region, &cell->run, &cell->granted)
          : hp_region_verify(region, cell->run.bytes, &cell->granted))
    return fail(VAT_ABSENT, "cannot check which pages back the memory: %s",
                strerror(errno));
  cell->granted_ok = hp_granted_is(&cell->granted, region->kind);
  return VAT_OK;
}

/* Threads of its own are not left behind: they end, and then it does. */
static int run_here(struct cell *cell) {
  const struct algo *algo = cell->algo;
  if (!algo->threads || algo->threads(cell->run.parameters) <= 1)
    return do_step(step_run, cell);
  step_run(cell);
  return interrupt_pending() ? VAT_FAILED : VAT_OK;
}

int cell_run(struct cell *cell, struct offload *offload) {
  if (!offload) return run_here(cell);
  /* CUDA's calls hold locks: they are left in no other way than by return,
   * which an emulator does between two blocks. */
  int code = offload_run(offload, cell->algo, &cell->run, &cell->ns);
  return !code && interrupt_pending() ? VAT_FAILED : code;
}

/* Algorithms for devices all have a restore: what an upload brings is as fresh
 * each time. */
static int prepare_offloaded(struct cell *cell, struct offload *offload) {
  bool warm_up = cell->fresh && offload->device->warm_up;
  if (!cell->fresh && do_step(step_restore, cell)) return VAT_FAILED;
  cell->fresh = false;
  int code = offload_upload(offload, cell->algo, &cell->run);
  if (code || !warm_up) return code;
  if ((code = cell_run(cell, offload))) return code;
  /* Of a run in parts, its answer is here. */
  if (do_step(step_restore, cell)) return VAT_FAILED;
  return offload_upload(offload, cell->algo, &cell->run);
}

int cell_prepare(struct cell *cell, struct offload *offload) {
  if (offload) return prepare_offloaded(cell, offload);
  bool cached = cell->run.bytes <= WARM_BYTES;
  int code = VAT_OK;
  if (!cell->algo->restore && cached) code = run_here(cell);
  if (cell->algo->restore && (cached || !cell->fresh))
    code = do_step(step_restore, cell);
  cell->fresh = false;
  return code;
}

int cell_check(struct cell *cell) {
  if (do_step(step_check, cell)) return VAT_FAILED;
  if (!cell->wrong) return VAT_OK;
  return fail(VAT_FAILED, "%s gave a wrong answer (n %llu, seed %llu, %s): %s",
              cell->algo->name, (unsigned long long)cell->run.n,
              (unsigned long long)cell->run.seed, cell->kind->name,
              cell->wrong);
}

int cell_run_untimed(struct cell *cell, struct offload *offload) {
  if (do_step(step_setup, cell)) return VAT_FAILED;
  int code = offload ? offload_upload(offload, cell->algo, &cell->run) : VAT_OK;
  if (!code) code = cell_run(cell, offload);
  if (!code && offload)
    code = offload_download(offload, cell->algo, &cell->run);
  return code ? code : cell_check(cell);
}

static void step_answer(void *context) {
  const struct cell *cell = context;
  cell->algo->answer(&cell->run, cell->answer);
}

int cell_answer(struct cell *cell, struct algo_data *answer) {
  cell->answer = answer;
  return cell->algo->answer ? do_step(step_answer, cell) : VAT_OK;
}
