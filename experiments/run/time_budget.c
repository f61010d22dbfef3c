/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/time_budget.h"

#include <math.h>
#include <stdio.h>

/* What is around a run takes as long as this many operations, and most of the
 * time on an input of none. */
#define LEAST_OPS 16384

/* Estimated seconds for `algo` at n in a pass, from seconds per operation so
 * far. */
static double pass_cost_s(const struct driver *d, uint32_t pass,
                          const struct algo *algo, uint64_t n,
                          double per_op_s) {
  uint32_t all = plan_reps(d->plan, algo, n);
  uint32_t reps = plan_reps_after(d->plan, pass, all);
  if (pass) reps -= plan_reps_after(d->plan, pass - 1, all);
  double ops = fmax(cpu_algo_ops(algo, n, d->plan->given), LEAST_OPS);
  return per_op_s * ops * reps * (double)d->workspaces->count;
}

double pace_cost_s(const struct driver *d, const struct algo *algo, uint64_t n,
                   double per_op_s) {
  return pass_cost_s(d, d->pass, algo, n, per_op_s);
}

/* What the passes to come take, if they do all sizes. */
static double later_s(const struct driver *d, double mean_s) {
  double later = 0;
  for (uint32_t pass = d->pass + 1; pass < d->plan->passes; pass++)
    for (size_t i = 0; i < d->plan->count; i++) {
      const struct plan_entry *e = &d->plan->entries[i];
      for (size_t j = 0; j < e->sizes.count; j++)
        later += pass_cost_s(d, pass, e->algo, e->sizes.at[j], mean_s);
    }
  return later;
}

double pace_left_s(const struct driver *d, size_t entry, size_t size,
                   double per_op_s, double mean_s) {
  double left = later_s(d, mean_s);
  for (size_t i = entry; i < d->plan->count; i++) {
    const struct plan_entry *e = &d->plan->entries[i];
    for (size_t j = i == entry ? size : 0; j < e->sizes.count; j++)
      left += pace_cost_s(d, e->algo, e->sizes.at[j],
                          i == entry ? per_op_s : mean_s);
  }
  if (d->plan->time_budget_s > 0)
    left = fmin(left, d->start_s + d->plan->time_budget_s - progress_now_s());
  return left > 0 ? left : 0;
}

double pace_deadline_s(const struct driver *d, size_t left) {
  if (!(d->plan->time_budget_s > 0)) return INFINITY;
  double now = progress_now_s();
  double rest = d->start_s + d->plan->time_budget_s - d->first_s;
  double end = d->first_s + rest * (d->pass + 1) / fmax(1, d->plan->passes);
  return now + (end - now) / (double)left;
}

size_t pace_next_size(struct driver *d, size_t index, size_t j, double share_s,
                      double deadline) {
  const double growth = 1.15; /* cost per operation grows with n: our subject */
  const struct plan_entry *e = &d->plan->entries[index];
  double per_op_s = growth * d->entries[index].per_op_s;
  double rest = deadline - progress_now_s();
  size_t end = e->sizes.count, next = j + 1;
  if (next >= end) return end;
  double cost = pace_cost_s(d, e->algo, e->sizes.at[next], per_op_s);
  if (d->plan->thin && cost > share_s / 32 && next + 1 < end) {
    uint64_t n = e->sizes.at[next + 1];
    if (pace_cost_s(d, e->algo, n, per_op_s) <= rest) return next + 1;
  }
  if (cost <= rest) return next;
  d->entries[index].stopped = true;
  d->entries[index].last = j;
  return end;
}

size_t pace_stopped(const struct driver *d, size_t from) {
  size_t count = 0;
  for (size_t i = from; i < d->plan->count; i++) count += d->entries[i].stopped;
  return count;
}

void pace_note_stops(const struct driver *d) {
  for (size_t i = 0; i < d->plan->count; i++) {
    const struct plan_entry *e = &d->plan->entries[i];
    if (d->entries[i].stopped)
      fprintf(stderr,
              "vat: note: %s%s%s stops at n = %llu: its share of the time "
              "budget is spent; mend: a larger --time-budget\n",
              e->algo->name, e->generator ? ", " : "",
              e->generator ? e->generator : "",
              (unsigned long long)e->sizes.at[d->entries[i].last]);
  }
}
