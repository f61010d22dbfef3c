/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <inttypes.h>
#include <stdio.h>

#include "experiments/cli/command.h"
#include "experiments/reuse/reuse_cache.h"
#include "experiments/reuse/reuse_json.h"
#include "experiments/reuse/reuse_sim.h"

static bool read_kept(struct reuse_profile *profile, const char *name,
                      const json_t *key, const struct reuse_params *params) {
  json_t *value = reuse_cache_read(name, key);
  bool read = value && !reuse_profile_from_json(profile, value, params);
  json_decref(value);
  profile->from_cache = read;
  return read;
}

static void keep(const struct reuse_profile *profile, const char *name,
                 const json_t *key, const struct reuse_params *params) {
  json_t *value = reuse_profile_to_json(profile, params);
  if (value) reuse_cache_write(name, key, value);
  json_decref(value);
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
    if (!code && key) keep(profile, name, key, params);
  }
  json_decref(key);
  return code;
}
