/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/side_records.h"

#include <string.h>

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

#define S struct simulated
#define COUNT(member, ...) \
  { #member, &field_whole, MEMBER(S, member), .most = INT64_MAX, __VA_ARGS__ }
const struct field simulated_cache_fields[] = {
    {"policy", &field_name, MEMBER(S, policy)},
    COUNT(tc_nodes, .least = 1),
    COUNT(page_bits),
    COUNT(index_bits, .least = 1),
    COUNT(levels, .least = 1),
    COUNT(accesses),
    COUNT(misses),
    {0}};

const struct field simulated_fields[] = {
    {"record", &field_constant, .text = "simulated"},
    {"algo", &field_name, MEMBER(S, algo)},
    {"device", &field_name, MEMBER(S, device)},
    COUNT(n),
    {"pages", &field_name, MEMBER(S, pages)},
    {"seed", &field_whole, MEMBER(S, seed)},
    {NULL, &field_object, .of = simulated_cache_fields},
    {0}};
#undef S

const struct simulated *simulated_find(const struct simulated *records,
                                       size_t count, const char *algo,
                                       const char *device, uint64_t n,
                                       const char *pages) {
  for (size_t i = 0; i < count; i++)
    if (records[i].n == n && !strcmp(records[i].algo, algo) &&
        !strcmp(records[i].device, device) && !strcmp(records[i].pages, pages))
      return &records[i];
  return NULL;
}
