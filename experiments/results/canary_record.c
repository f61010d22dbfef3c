/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/canary_record.h"

#define C struct results_canary
const struct field canary_fields[] = {
    {"record", &field_constant, .text = "canary"},
    {"pass", &field_whole, MEMBER(C, pass), .optional = true},
    {"ns_per_op", &field_real, MEMBER(C, ns_per_op), .positive = true},
    {"chase_pages", &field_name, OPTIONAL_TEXT(C, pages)},
    {"chase_bytes", &field_real, OPTIONAL(C, bytes), .positive = true},
    {"chase_ns", &field_real, OPTIONAL(C, ns), .positive = true},
    {"line_chase_bytes", &field_real, OPTIONAL(C, line_bytes),
     .positive = true},
    {"line_chase_ns", &field_real, OPTIONAL(C, line_ns), .positive = true},
    {0}};
#undef C

int canary_from_json(struct results_canary *canary, const json_t *record,
                     char *why, size_t why_size) {
  struct record_reader reader = {why, why_size, canary};
  *canary = (struct results_canary){.pass = 0};
  if (record_from_json(canary_fields, record, canary, why, why_size)) return -1;
  bool settled = *canary->pages, line = canary->line_ns > 0;
  if (settled != (canary->bytes > 0) || settled != (canary->ns > 0))
    return record_refuse(&reader,
                         "\"chase_pages\", \"chase_bytes\" and \"chase_ns\" "
                         "must come together");
  if (line != (canary->line_bytes > 0) || line > settled)
    return record_refuse(
        &reader,
        "\"line_chase_bytes\" and \"line_chase_ns\" must come together, and "
        "with \"chase_pages\"");
  return 0;
}
