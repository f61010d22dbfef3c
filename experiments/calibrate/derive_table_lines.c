/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a table line costs that no near cache has: how the cost of a walk grows
 * with the number of pages, while data is accounted for. */
#include <math.h>

#include "experiments/calibrate/derive.h"
#include "experiments/calibrate/table_traffic.h"
#include "experiments/calibrate/translation.h"

enum { LINE = 64, ENTRIES = 8 }; /* of a table in a line */

/* The walk is nearly every access's from so many times the TLB's reach on. */
static const double beyond_reach = 2;

/* A cost is found only if this share of walks pays it at some point. */
static const double least_share = 0.3;

/* What a walk costs beyond tau at each point, and how many table lines it
 * brings from the last cache or memory, in the mean. */
struct sums {
  double aa[2][2], b[2], most[2];
};

static const struct cal_value none = {NAN, NAN, NAN};

/* Tables whose lines are as many as base pages ask for: the guest's, and the
 * host's if it maps by base pages.  Of huge pages a line maps as much as is
 * never far. */
static double tables(const struct calibration *cal,
                     const struct cal_pages *pages, double base_bytes) {
  bool nested = false;
  for (size_t i = 0; i < cal->page_count; i++)
    nested |= cal->pages[i].granularity_bytes < cal->pages[i].page_bytes;
  return (pages->page_bytes <= base_bytes) + nested;
}

static void add_point(const struct calibration *cal,
                      const struct cal_pages *pages,
                      const struct cal_curve *chase,
                      const struct cal_point *point, double base_bytes,
                      struct sums *sums) {
  double reach = pages->tc_nodes.value * pages->granularity_bytes;
  double covered = point->x * chase->step_bytes;
  struct table_traffic traffic = {
      .data_lines = point->x,
      .table_lines = covered / base_bytes / ENTRIES,
      .tables = tables(cal, pages, base_bytes),
      .walks = 1 - pages->tc_nodes.value / point->x};
  double lines = traffic.data_lines + traffic.tables * traffic.table_lines;
  double cost = point->ns - data_ns(cal, pages->kind, lines * LINE);
  if (pages->tlbs > 1)
    cost -= pages->tlb[0].extra_ns.value *
            (1 - pages->tlb[0].entries.value / point->x);
  cost -= traffic.walks * pages->tau_ns.value;
  if (covered < beyond_reach * reach || !(cost > -INFINITY)) return;
  size_t far = cal->level_count - 2; /* the last cache */
  double beyond[2];
  for (size_t i = 0; i < 2; i++)
    beyond[i] = table_traffic_missed(
        &traffic, cal->levels[far - 1 + i].bytes_usable.value / LINE);
  double share[2] = {beyond[0] - beyond[1], beyond[1]};
  for (size_t i = 0; i < 2; i++) {
    sums->most[i] = fmax(sums->most[i], share[i]);
    share[i] *= traffic.walks * traffic.tables / point->ns;
  }
  for (size_t i = 0; i < 2; i++) {
    sums->b[i] += share[i] * cost / point->ns;
    for (size_t j = 0; j < 2; j++) sums->aa[i][j] += share[i] * share[j];
  }
}

static void add_curve(const struct calibration *cal,
                      const struct cal_pages *pages, const char *name,
                      double base_bytes, struct sums *sums) {
  const struct cal_curve *chase = calibration_curve(cal, name, pages->kind, 1);
  for (size_t i = 0; chase && i < chase->count; i++)
    if (chase->points[i].x > beyond_reach * pages->tc_nodes.value)
      add_point(cal, pages, chase, &chase->points[i], base_bytes, sums);
}

/* Least squares of two unknowns, neither negative; memory costs no less than
 * the last cache. */
static void solve(const struct sums *s, double ns[2]) {
  double det = s->aa[0][0] * s->aa[1][1] - s->aa[0][1] * s->aa[1][0];
  ns[0] = fmax(0, s->b[0] / s->aa[0][0]);
  ns[1] = NAN;
  if (s->most[1] < least_share || !(det > 0)) return;
  double last = (s->b[0] * s->aa[1][1] - s->b[1] * s->aa[0][1]) / det;
  double memory = (s->b[1] * s->aa[0][0] - s->b[0] * s->aa[1][0]) / det;
  ns[0] = fmax(0, last);
  ns[1] = fmax(ns[0], memory);
}

static void derive_kind(const struct calibration *cal,
                        struct cal_pages *pages) {
  const struct cal_curve *chase =
      calibration_curve(cal, "page_chase", pages->kind, 1);
  struct sums sums = {0};
  double ns[2];
  for (size_t l = 0; l < CALIBRATION_LEVELS; l++)
    pages->table_line_ns[l] = none;
  if (!chase || cal->level_count < 3 || !isfinite(pages->tau_ns.value)) return;
  if (!(tables(cal, pages, chase->step_bytes) > 0)) return;
  add_curve(cal, pages, "page_chase", chase->step_bytes, &sums);
  add_curve(cal, pages, "table_chase", chase->step_bytes, &sums);
  if (sums.most[0] < least_share) return;
  solve(&sums, ns);
  /* Nearer levels are what tau was found with. */
  for (size_t l = 0; l + 2 < cal->level_count; l++)
    pages->table_line_ns[l] = (struct cal_value){0, 0, 0};
  for (size_t i = 0; i < 2; i++)
    pages->table_line_ns[cal->level_count - 2 + i].value = ns[i];
}

void derive_table_lines(struct calibration *cal) {
  for (size_t i = 0; i < cal->page_count; i++) derive_kind(cal, &cal->pages[i]);
}
