/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>

#include "experiments/cli/command.h"
#include "experiments/reuse/reuse.h"
#include "experiments/reuse/reuse_cache.h"
#include "experiments/reuse/reuse_json.h"

uint64_t reuse_bucket_least(unsigned bucket) {
  if (bucket < 16) return bucket;
  return (uint64_t)(8 + bucket % 8) << (bucket / 8 - 1);
}

uint64_t reuse_coarse_least(unsigned bucket) {
  if (bucket < 2) return bucket;
  return (uint64_t)(2 + bucket % 2) << (bucket / 2 - 1);
}

double reuse_beyond(const struct reuse_histogram *histogram, double distance) {
  double sum = 0;
  for (unsigned i = 0; i < REUSE_BUCKETS; i++) {
    double least = (double)reuse_bucket_least(i);
    double end = (double)reuse_bucket_least(i + 1);
    if (distance <= least)
      sum += histogram->count[i];
    else if (distance < end)
      sum += histogram->count[i] * (end - distance) / (end - least);
  }
  return sum;
}

static bool read_kept(struct reuse_profile *profile, const char *name,
                      const json_t *key, const struct reuse_params *params) {
  json_t *value = reuse_cache_read(name, key);
  bool read = value && !reuse_profile_from_json(profile, value, params);
  json_decref(value);
  profile->from_cache = read;
  return read;
}

/* Data from outside have no name that would tell them apart. */
int reuse_profile_get(struct reuse_profile *profile,
                      const struct stream *stream,
                      const struct reuse_params *params,
                      const struct reuse_watch *watch) {
  char name[128];
  json_t *key = stream->given ? NULL : reuse_key_to_json(stream, params);
  snprintf(name, sizeof name, "%s-%" PRIu64, stream->algo->name, stream->n);
  int code = VAT_OK;
  if (!key || !read_kept(profile, name, key, params)) {
    code = reuse_simulate(profile, stream, params, watch);
    json_t *value =
        !code && key ? reuse_profile_to_json(profile, params) : NULL;
    if (value) reuse_cache_write(name, key, value);
    json_decref(value);
  }
  json_decref(key);
  return code;
}
