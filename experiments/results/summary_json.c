/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/cli/json_u64.h"
#include "experiments/cli/six_digits.h"
#include "experiments/results/summary.h"

/* JSON has no NaN. */
static json_t *number(double value) {
  return isfinite(value) ? json_real(six_digits(value)) : json_null();
}

static json_t *interval(const struct summary *row) {
  if (isnan(row->ratio_lo)) return json_null();
  return json_pack("[o,o]", number(row->ratio_lo), number(row->ratio_hi));
}

static json_t *counters(const struct summary *row) {
  json_t *object = json_object();
  for (size_t i = 0; i < row->counters; i++) {
    const struct sample_counter *counter = &row->counter[i];
    json_object_set_new(
        object, counter->name,
        counter->present ? json_of_u64(counter->value) : json_null());
  }
  return object;
}

/* Not among the counters: nobody shall take it for a measurement. */
static json_t *simulated(const struct summary *row) {
  const struct simulated *s = row->simulated;
  if (!s) return json_null();
  return json_pack(
      "{ss sI sI sI sI sI sI}", "policy", s->policy, "tc_nodes",
      (json_int_t)s->tc_nodes, "page_bits", (json_int_t)s->page_bits,
      "index_bits", (json_int_t)s->index_bits, "levels", (json_int_t)s->levels,
      "accesses", (json_int_t)s->accesses, "misses", (json_int_t)s->misses);
}

json_t *summary_to_json(const struct summary *row) {
  json_t *record = json_pack(
      "{ss ss ss sI ss sb so so so so so so sI sI sI}", "record", "summary",
      "algo", row->algo, "device", row->device, "n", (json_int_t)row->n,
      "pages", row->pages, "granted_ok", row->granted_ok, "ns_per_op_min",
      number(row->ns_per_op_min), "ns_per_op_median",
      number(row->ns_per_op_median), "ratio_to_4k", number(row->ratio_to_4k),
      "ratio_ci", interval(row), "counters", counters(row), "simulated",
      simulated(row), "reps", (json_int_t)row->reps, "rejected",
      (json_int_t)row->rejected, "failed", (json_int_t)row->failed);
  if (!record || !sample_variant_to_json(row->variant, record)) return record;
  json_decref(record);
  return NULL;
}
