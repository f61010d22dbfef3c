/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/simulated.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/array.h"
#include "experiments/cli/json_u64.h"

json_t *simulated_to_json(const struct simulated *simulated) {
  return json_pack(
      "{ss ss ss sI ss so ss sI sI sI sI sI sI}", "record", "simulated", "algo",
      simulated->algo, "device", simulated->device, "n",
      (json_int_t)simulated->n, "pages", simulated->pages, "seed",
      json_of_u64(simulated->seed), "policy", simulated->policy, "tc_nodes",
      (json_int_t)simulated->tc_nodes, "page_bits",
      (json_int_t)simulated->page_bits, "index_bits",
      (json_int_t)simulated->index_bits, "levels",
      (json_int_t)simulated->levels, "accesses",
      (json_int_t)simulated->accesses, "misses", (json_int_t)simulated->misses);
}

static int take_name(const json_t *record, const char *key, char *name,
                     size_t size, char why[SAMPLE_WHY_SIZE]) {
  if (sample_name_from_json(json_object_get(record, key), name, size)) return 0;
  snprintf(why, SAMPLE_WHY_SIZE,
           "\"%s\" must be a name of 1 to %zu printable characters", key,
           size - 1);
  return -1;
}

static int take_count(const json_t *record, const char *key, json_int_t least,
                      uint64_t *count, char why[SAMPLE_WHY_SIZE]) {
  const json_t *json = json_object_get(record, key);
  *count = (uint64_t)json_integer_value(json);
  if (json_is_integer(json) && json_integer_value(json) >= least) return 0;
  snprintf(why, SAMPLE_WHY_SIZE, "\"%s\" must be an integer, at least %lld",
           key, (long long)least);
  return -1;
}

static int take_seed(const json_t *record, uint64_t *seed,
                     char why[SAMPLE_WHY_SIZE]) {
  if (u64_of_json(json_object_get(record, "seed"), seed)) return 0;
  snprintf(why, SAMPLE_WHY_SIZE, "\"seed\" must be an integer, at least 0");
  return -1;
}

int simulated_from_json(struct simulated *simulated, const json_t *record,
                        char why[SAMPLE_WHY_SIZE]) {
  struct simulated *s = simulated;
  memset(s, 0, sizeof *s);
  if (!take_name(record, "algo", s->algo, sizeof s->algo, why) &&
      !take_name(record, "device", s->device, sizeof s->device, why) &&
      !take_count(record, "n", 0, &s->n, why) &&
      !take_name(record, "pages", s->pages, sizeof s->pages, why) &&
      !take_seed(record, &s->seed, why) &&
      !take_name(record, "policy", s->policy, sizeof s->policy, why) &&
      !take_count(record, "tc_nodes", 1, &s->tc_nodes, why) &&
      !take_count(record, "page_bits", 0, &s->page_bits, why) &&
      !take_count(record, "index_bits", 1, &s->index_bits, why) &&
      !take_count(record, "levels", 1, &s->levels, why) &&
      !take_count(record, "accesses", 0, &s->accesses, why) &&
      !take_count(record, "misses", 0, &s->misses, why))
    return 0;
  errno = EINVAL;
  return -1;
}

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

void simulated_append(struct simulated **records, size_t *count,
                      const struct simulated *one) {
  *ARRAY_ADD(*records, *count) = *one;
}
