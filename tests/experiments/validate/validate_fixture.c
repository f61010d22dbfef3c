/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/validate/validate_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct sample_variant usual;

const struct points_sizes validate_fixture_sizes = {VALIDATE_FIXTURE_CACHE, 0};

void validate_fixture_init(struct validate_fixture *f) {
  *f = (struct validate_fixture){.count = 0};
}

struct summary *validate_fixture_add(struct validate_fixture *f,
                                     const char *algo, const char *pages,
                                     uint64_t n, double ns) {
  if (f->count == VALIDATE_FIXTURE_ROWS) abort();
  struct summary *row = &f->rows[f->count++];
  *row = (struct summary){.algo = algo,
                          .device = "cpu",
                          .pages = pages,
                          .n = n,
                          .variant = &usual,
                          .base = !strcmp(pages, "4k"),
                          .reps = 3,
                          .ns_per_op_min = ns,
                          .ns_per_op_median = ns,
                          .ratio_to_4k = NAN,
                          .pages_rank = f->count};
  return row;
}

/* Not in the order in which points are. */
void validate_fixture_program(struct validate_fixture *f, const char *algo) {
  for (unsigned bits = 19; bits >= 12; bits--) {
    if (bits == 16 || bits == 13)
      validate_fixture_add(f, algo, "thp", UINT64_C(1) << bits, 1);
    validate_fixture_add(f, algo, "4k", UINT64_C(1) << bits, 1);
  }
  validate_fixture_add(f, algo, "4k", 4094, 1);
  validate_fixture_add(f, algo, "thp", 4094, 1);
}

/* The less of the last cache there is, the longer accesses wait. */
static void set_shares(struct costs *costs) {
  costs->last_bytes = 1 << 20;
  costs->neighbours = 0.02;
  for (int k = 0; k < COSTS_SHARES; k++) {
    double bytes = (1 << 20) * exp2(-(double)k / COSTS_SHARES_AN_OCTAVE);
    costs->shares[k] = (struct costs_share){bytes, bytes};
    if (!k) continue;
    costs->waits[k] = costs->waits[0];
    costs->waits[k].spread[REUSE_OTHER] *= 1 + k;
    costs->waits[k].stepped[REUSE_OTHER] *= 1 + k;
  }
}

/* Some of it only from the fourth octave beyond the cache on, which is held
 * out. */
static void set_costs(struct point *point, double weight) {
  double x = fmax(0, log2(point->bytes / VALIDATE_FIXTURE_CACHE));
  double far = fmax(0, x - 2), tlb = point->row->base ? 1 : 0.25;
  struct costs *costs = &point->costs;
  *costs = (struct costs){.streams = weight * x, .vat = tlb * 3 * x};
  /* The other program has as many operations as a sort. */
  if (weight > 2) costs->elements = 1 / log2(point->elements);
  costs->waits->spread[REUSE_OTHER] = 4 * x * weight;
  costs->waits->stepped[REUSE_OTHER] = 2 * x + x * x;
  costs->waits->spread[REUSE_STREAM] = x * x * x;
  costs->waits->stepped[REUSE_STREAM] = x;
  /* One program comes to what lines take at best, the other to walks, both on
   * base pages. */
  double floor = point->row->base ? far : 0;
  costs->best = weight < 2 ? 0.3 * x + 30 * floor : 0;
  costs->waits->measured[COSTS_RANDOM] =
      (struct costs_translation){tlb * x,
                                 3 * tlb * x,
                                 weight < 2 ? 0 : 0.2 * x + 90 * floor,
                                 9 * far * tlb,
                                 weight < 2 ? 0 : 30 * floor,
                                 0};
  costs->waits->measured[COSTS_LRU] =
      (struct costs_translation){x, 2 * x, 0, 0, 0, 0};
  costs->waits->asked[COSTS_RANDOM] =
      (struct costs_translation){x, x, 0.1 * x, 0, 0, 0};
  set_shares(costs);
}

void validate_fixture_points(struct validate_fixture *f, struct points *points,
                             enum model_place model, struct fitted truth) {
  points_init(points, f->rows, f->count, &validate_fixture_sizes);
  for (size_t p = 0; p < points->program_count; p++) {
    const struct program *program = &points->programs[p];
    for (size_t i = program->first; i < program->first + program->count; i++) {
      struct point *point = &points->points[i];
      set_costs(point, p % 2 ? 6 : 1);
      point->ns = model_predict(model, &point->costs, &truth, 0);
      if (point->base != SIZE_MAX)
        f->rows[point->row - f->rows].ratio_to_4k =
            point->ns / points->points[point->base].ns;
    }
  }
}
