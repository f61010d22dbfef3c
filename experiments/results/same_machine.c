/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "experiments/results/results.h"

/* Machines of one kind differ by what their firmware keeps of the memory. */
#define MEMORY_APART (1.0 / 64)

static bool same(const json_t *a, const json_t *b) {
  return (!a && !b) || json_equal(a, b);
}

static bool same_key(const json_t *a, const json_t *b, const char *key) {
  return same(json_object_get(a, key), json_object_get(b, key));
}

static const json_t *gpu_name(const json_t *machine) {
  const json_t *name = json_object_get(json_object_get(machine, "gpu"), "name");
  return name ? name : json_null();
}

static bool same_memory(const json_t *a, const json_t *b) {
  double ours = json_number_value(json_object_get(a, "memory_bytes"));
  double other = json_number_value(json_object_get(b, "memory_bytes"));
  return fabs(ours - other) <= MEMORY_APART * fmax(ours, other);
}

bool results_same_machine(const json_t *a, const json_t *b) {
  return same_key(a, b, "cpu") && same_key(a, b, "host_cpu") &&
         same_key(a, b, "vm") && same_memory(a, b) &&
         same(gpu_name(a), gpu_name(b));
}
