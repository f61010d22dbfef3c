/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>

#include "experiments/cli/progress.h"
#include "experiments/run/plan.h"

/* What is around a run takes as long as this many operations, and most of the
 * time on an input of none. */
#define LEAST_OPS 16384

double budget_cost_s(const struct time_budget *b, uint32_t pass,
                     const struct algo *algo, uint64_t n, double per_op_s) {
  uint32_t all = plan_reps(b->plan, algo, n);
  uint32_t reps = plan_reps_after(b->plan, pass, all);
  if (pass) reps -= plan_reps_after(b->plan, pass - 1, all);
  double ops = fmax(cpu_algo_ops(algo, n, b->plan->given), LEAST_OPS);
  return per_op_s * ops * reps * (double)b->page_kinds;
}

/* What a pass takes from a size of an entry on, if it does all of them. */
static double rest_s(const struct time_budget *b, uint32_t pass, size_t entry,
                     size_t size, double per_op_s, double mean_s) {
  double rest = 0;
  for (size_t i = entry; i < b->plan->count; i++) {
    const struct plan_entry *e = &b->plan->entries[i];
    for (size_t j = i == entry ? size : 0; j < e->sizes.count; j++)
      rest += budget_cost_s(b, pass, e->algo, e->sizes.at[j],
                            i == entry ? per_op_s : mean_s);
  }
  return rest;
}

double budget_left_s(const struct time_budget *b, size_t entry, size_t size,
                     double per_op_s, double mean_s) {
  double left = rest_s(b, b->pass, entry, size, per_op_s, mean_s);
  for (uint32_t pass = b->pass + 1; pass < b->plan->passes; pass++)
    left += rest_s(b, pass, 0, 0, mean_s, mean_s);
  if (b->plan->time_budget_s > 0)
    left = fmin(left, b->start_s + b->plan->time_budget_s - progress_now_s());
  return left > 0 ? left : 0;
}

double budget_deadline_s(const struct time_budget *b, size_t left) {
  if (!(b->plan->time_budget_s > 0)) return INFINITY;
  double now = progress_now_s();
  double rest = b->start_s + b->plan->time_budget_s - b->first_s;
  double end = b->first_s + rest * (b->pass + 1) / fmax(1, b->plan->passes);
  return now + (end - now) / (double)left;
}

size_t budget_next_size(struct time_budget *b, size_t index, size_t j,
                        double share_s, double deadline) {
  const double growth = 1.15; /* cost per operation grows with n: our subject */
  const struct plan_entry *e = &b->plan->entries[index];
  double per_op_s = growth * b->entries[index].per_op_s;
  double rest = deadline - progress_now_s();
  size_t end = e->sizes.count, next = j + 1;
  if (next >= end) return end;
  double cost = budget_cost_s(b, b->pass, e->algo, e->sizes.at[next], per_op_s);
  if (b->plan->thin && cost > share_s / 32 && next + 1 < end) {
    uint64_t n = e->sizes.at[next + 1];
    if (budget_cost_s(b, b->pass, e->algo, n, per_op_s) <= rest)
      return next + 1;
  }
  if (cost <= rest) return next;
  b->entries[index].stopped = true;
  b->entries[index].last = j;
  return end;
}

size_t budget_stopped(const struct time_budget *b, size_t from) {
  size_t count = 0;
  for (size_t i = from; i < b->plan->count; i++) count += b->entries[i].stopped;
  return count;
}

void budget_note_stops(const struct time_budget *b) {
  for (size_t i = 0; i < b->plan->count; i++) {
    const struct plan_entry *e = &b->plan->entries[i];
    if (b->entries[i].stopped)
      fprintf(stderr,
              "vat: note: %s%s%s: last size n = %llu: its share of the time "
              "budget is spent; fix: a larger --time-budget\n",
              e->algo->name, e->generator ? ", " : "",
              e->generator ? e->generator : "",
              (unsigned long long)e->sizes.at[b->entries[i].last]);
  }
}
