/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/measure.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/memory.h"
#include "experiments/probe/bench.h"

/* The canary sings after so many points, some times a second. */
enum { CANARY_POINTS = 32 };

struct item {
  const struct cal_curve *curve;
  const struct hp_region *region;
  double x;
  size_t point; /* over all curves */
};

struct pass {
  struct item *items;
  size_t count;
  double llc_bytes;
  struct recording *rec;
  struct progress *progress;
  struct cpu_random random;
  double start_s, end_s;
};

const struct hp_region *measure_region(const struct hp_region *regions,
                                       size_t count, const char *kind) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(regions[i].kind->name, kind)) return &regions[i];
  return NULL;
}

static void list_items(const struct calibration *cal,
                       const struct hp_region *regions, size_t region_count,
                       struct pass *pass) {
  for (size_t i = 0; i < cal->curve_count; i++) {
    const struct cal_curve *curve = &cal->curves[i];
    for (size_t p = 0; p < curve->count; p++, pass->count++)
      pass->items[pass->count] = (struct item){
          curve, measure_region(regions, region_count, curve->pages),
          curve->points[p].x, pass->count};
  }
}

static void shuffle(struct pass *pass) {
  for (size_t i = pass->count; i > 1; i--) {
    size_t j = (size_t)cpu_random_below(&pass->random, i);
    struct item item = pass->items[j];
    pass->items[j] = pass->items[i - 1];
    pass->items[i - 1] = item;
  }
}

struct timing {
  const struct item *item;
  double llc_bytes, ns;
  uint64_t seed;
};

static void step_point(void *context) {
  struct timing *t = context;
  t->ns = bench_point(t->item->curve, t->item->x, t->item->region, t->llc_bytes,
                      t->seed);
}

static void step_canary(void *context) {
  struct timing *t = context;
  t->ns = bench_canary();
}

static void measure_draw_progress(const struct pass *pass,
                                  const struct item *item) {
  double now = progress_now_s();
  progress_draw(pass->progress,
                (now - pass->start_s) / (pass->end_s - pass->start_s),
                pass->end_s - now, item->curve->name);
}

static int repetition(struct pass *pass, size_t rep) {
  struct timing timing = {.llc_bytes = pass->llc_bytes};
  shuffle(pass);
  for (size_t i = 0; i < pass->count; i++) {
    timing.item = &pass->items[i];
    timing.seed = cpu_random_next(&pass->random);
    if (interruptible(step_point, &timing)) return -1;
    recording_note(pass->rec, timing.item->point, rep, timing.ns);
    measure_draw_progress(pass, timing.item);
    if (i % CANARY_POINTS) continue;
    if (interruptible(step_canary, &timing)) return -1;
    recording_note_canary(pass->rec, timing.ns);
  }
  pass->rec->reps = rep + 1;
  return 0;
}

int measure(const struct calibration *cal, const struct hp_region *regions,
            size_t region_count, double until_s,
            const struct measure_time *time, struct recording *rec,
            struct progress *progress) {
  struct pass pass = {.rec = rec,
                      .progress = progress,
                      .random = {.state = 1 + rec->reps},
                      .start_s = time->start_s,
                      .end_s = time->end_s};
  const size_t before = rec->reps;
  for (size_t i = 0; i < cal->level_count; i++)
    pass.llc_bytes = fmax(pass.llc_bytes, cal->levels[i].bytes_reported);
  pass.items = memory_zeroed(rec->points + 1, sizeof *pass.items);
  int failed = 0;
  list_items(cal, regions, region_count, &pass);
  double now = progress_now_s(), took = 0;
  for (size_t rep = before; !failed && rep < RECORDING_REPS; rep++) {
    if (rep > before && now + took > until_s) break;
    failed = repetition(&pass, rep);
    took = fmax(took, progress_now_s() - now);
    now = progress_now_s();
  }
  free(pass.items);
  return failed;
}
