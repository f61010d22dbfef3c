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
 * lacks.  ns is 0 where there is no room. */
struct chase {
  const char *name;
  double bytes, ns;
};

struct chases {
  struct hp_region part;
  double llc_bytes;
  uint64_t seed;
  struct chase settled, line;
};

static void time_chase(const struct chases *chases, struct chase *chase) {
  struct cal_curve curve = {.chains = 1, .step_bytes = LINE_BYTES};
  strcpy(curve.name, chase->name);
  if ((double)chases->part.bytes < chase->bytes) return;
  chase->ns = bench_point(&curve, chase->bytes, &chases->part,
                          chases->llc_bytes, chases->seed);
}

static void step_chases(void *context) {
  struct chases *chases = context;
  kernel_fill(chases->part.base, chases->part.bytes, chases->seed);
  time_chase(chases, &chases->settled);
  time_chase(chases, &chases->line);
}

/* On base pages, which every calibration has.  Is it time, and is there room?
 */
static bool plan_chases(const struct workspaces *workspaces, double *chased_s,
                        struct chases *chases) {
  double now = progress_now_s(), llc = last_cache_bytes();
  if (!*chased_s) *chased_s = now; /* nothing for the shortest of runs */
  if (now - *chased_s < chase_every_s) return false;
  *chases = (struct chases){.llc_bytes = llc,
                            .seed = (uint64_t)(now * 1e9),
                            .settled = {"settled_chase", llc / 4, 0},
                            .line = {"line_chase", llc, 0}};
  for (size_t i = 0; i < workspaces->count; i++) {
    chases->part = workspaces->regions[i];
    if (chases->part.kind != hp_kind_base()) continue;
    if (llc < 4 || (double)chases->part.bytes < llc / 4) return false;
    if ((double)chases->part.bytes > llc) chases->part.bytes = (size_t)llc;
    return true;
  }
  return false;
}

static void add_chase(json_t *record, const struct chase *chase,
                      const char *bytes, const char *ns) {
  if (!(chase->ns > 0)) return;
  json_object_set_new(record, bytes, json_real(chase->bytes));
  json_object_set_new(record, ns, json_real(chase->ns));
}

int canary_note(const struct workspaces *workspaces, uint32_t pass,
                struct results_writer *writer, double *chased_s) {
  struct chases chases;
  json_t *record = json_pack("{ss si sf}", "record", "canary", "pass",
                             (int)pass, "ns_per_op", bench_canary());
  if (record && plan_chases(workspaces, chased_s, &chases)) {
    if (interruptible(step_chases, &chases)) {
      json_decref(record);
      return VAT_FAILED; /* the caller dies of it */
    }
    *chased_s = progress_now_s();
    json_object_set_new(record, "chase_pages",
                        json_string(chases.part.kind->name));
    add_chase(record, &chases.settled, "chase_bytes", "chase_ns");
    add_chase(record, &chases.line, "line_chase_bytes", "line_chase_ns");
  }
  int failed = record ? results_write_record(writer, record) : -1;
  json_decref(record);
  if (!failed) return VAT_OK;
  return fail_write("the results file");
}
