/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/canary.h"

#include <errno.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/progress.h"
#include "experiments/machine/caches.h"
#include "experiments/probe/bench.h"

/* Chases take some 50 ms. */
static const double chase_every_s = 1;

static double last_cache_bytes(void) {
  struct cache caches[CACHES_MAX];
  size_t count = caches_read(caches);
  return count ? (double)caches[count - 1].bytes : 0;
}

/* Of a footprint each: of as much as the last cache has, a chase misses what it
 * lacks. */
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
static bool plan_chases(const struct workspaces *workspaces, double *chased_s,
                        struct chases *chases) {
  double now = progress_now_s(), llc = last_cache_bytes();
  if (!*chased_s) *chased_s = now; /* nothing for the shortest of runs */
  if (now - *chased_s < chase_every_s) return false;
  chases->llc_bytes = llc;
  chases->seed = (uint64_t)(now * 1e9);
  for (size_t i = 0; i < workspaces->count; i++) {
    chases->part = workspaces->regions[i];
    if (chases->part.kind != hp_kind_base()) continue;
    if (llc < 4 || (double)chases->part.bytes < llc / 4) return false;
    if ((double)chases->part.bytes > llc) chases->part.bytes = (size_t)llc;
    return true;
  }
  return false;
}

int canary_note(const struct workspaces *workspaces, uint32_t pass,
                struct results_writer *writer, double *chased_s) {
  struct chases chases = {
      .canary = {.pass = pass, .ns_per_op = bench_canary()}};
  struct results_canary *canary = &chases.canary;
  if (plan_chases(workspaces, chased_s, &chases)) {
    if (interruptible(step_chases, &chases))
      return VAT_FAILED; /* the caller dies of it */
    *chased_s = progress_now_s();
    strcpy(canary->pages, chases.part.kind->name);
  }
  if (!results_write_new(writer, record_to_json(canary_fields, canary)))
    return VAT_OK;
  return fail_write("the results file");
}
