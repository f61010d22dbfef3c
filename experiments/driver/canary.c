/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/driver/canary.h"

#include <errno.h>
#include <string.h>

#include "experiments/calibrate/bench.h"
#include "experiments/command.h"
#include "experiments/driver/caches.h"
#include "experiments/driver/interrupt.h"

/* A chase takes some 50 ms. */
static const double chase_every_s = 1;

static double last_cache_bytes(void) {
  struct cache caches[CACHES_MAX];
  size_t count = caches_read(caches);
  return count ? (double)caches[count - 1].bytes : 0;
}

struct chase {
  struct hp_region part;
  double llc_bytes, bytes, ns;
  uint64_t seed;
};

static void step_chase(void *context) {
  struct chase *chase = context;
  struct cal_curve curve = {.chains = 1, .step_bytes = LINE_BYTES};
  strcpy(curve.name, "settled_chase");
  kernel_fill(chase->part.base, chase->part.bytes, chase->seed);
  chase->ns = bench_point(&curve, chase->bytes, &chase->part, chase->llc_bytes,
                          chase->seed);
}

/* On base pages, which every calibration has.  Is it time, and is there room?
 */
static bool plan_chase(struct driver *d, struct chase *chase) {
  double now = progress_now_s();
  if (!d->chased_s) d->chased_s = now; /* nothing for the shortest of runs */
  if (now - d->chased_s < chase_every_s) return false;
  chase->llc_bytes = last_cache_bytes();
  chase->bytes = chase->llc_bytes / 4;
  chase->seed = (uint64_t)(now * 1e9);
  for (size_t i = 0; i < d->workspaces->count; i++) {
    chase->part = d->workspaces->regions[i];
    if (chase->part.kind != hp_kind_at(0)) continue;
    if (chase->bytes < 1 || chase->part.bytes < chase->bytes) return false;
    chase->part.bytes = (size_t)chase->bytes;
    return true;
  }
  return false;
}

int canary_note(struct driver *d) {
  struct chase chase;
  json_t *record = json_pack("{ss si sf}", "record", "canary", "pass",
                             (int)d->pass, "ns_per_op", bench_canary());
  if (record && plan_chase(d, &chase)) {
    if (interruptible(step_chase, &chase)) {
      json_decref(record);
      return VAT_FAILED; /* the caller dies of it */
    }
    d->chased_s = progress_now_s();
    json_object_set_new(record, "chase_pages",
                        json_string(chase.part.kind->name));
    json_object_set_new(record, "chase_bytes", json_real(chase.bytes));
    json_object_set_new(record, "chase_ns", json_real(chase.ns));
  }
  int failed = record ? results_write_record(d->writer, record) : -1;
  json_decref(record);
  if (!failed) return VAT_OK;
  return fail(VAT_USAGE, "the results file cannot be written: %s",
              strerror(errno));
}
