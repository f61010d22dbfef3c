/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/sample_json.h"
#include "experiments/results/summary.h"

#define S struct summary
static const struct field ratio_fields[] = {
    {"lo", &field_six, MEMBER(S, ratio_lo)},
    {"hi", &field_six, MEMBER(S, ratio_hi)},
    {0}};

const struct field summary_fields[] = {
    {"record", &field_constant, .text = "summary"},
    {"algo", &field_string, MEMBER(S, algo)},
    {"device", &field_string, MEMBER(S, device)},
    {"n", &field_whole, MEMBER(S, n)},
    {"pages", &field_string, MEMBER(S, pages)},
    {"granted_ok", &field_bool, MEMBER(S, granted_ok)},
    {"ns_per_op_min", &field_six, MEMBER(S, ns_per_op_min)},
    {"ns_per_op_median", &field_six, MEMBER(S, ns_per_op_median)},
    {"ratio_to_4k", &field_six, MEMBER(S, ratio_to_4k)},
    {"ratio_ci", &field_row, .of = ratio_fields, .nullable = true},
    {"counters", &field_counters, LIST(S, counter, counters)},
    /* Not among the counters: nobody shall take it for a measurement. */
    {"simulated", &field_object, MEMBER(S, simulated), .pointer = true,
     .of = simulated_cache_fields},
    {"reps", &field_whole, MEMBER(S, reps)},
    {"rejected", &field_whole, MEMBER(S, rejected)},
    {"failed", &field_whole, MEMBER(S, failed)},
    {NULL, &field_object, MEMBER(S, variant), .pointer = true,
     .of = sample_variant_fields},
    {0}};

json_t *summary_to_json(const struct summary *row) {
  return record_to_json(summary_fields, row);
}
