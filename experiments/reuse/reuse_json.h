/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/reuse/reuse_json.h -- a reuse profile as JSON, and back. */
#pragma once
#include <jansson.h>

#include "experiments/reuse/reuse.h"

/* All that a profile depends on. */
json_t *reuse_key_to_json(const struct stream *stream,
                          const struct reuse_params *params);

/* A new object with the profile. */
json_t *reuse_profile_to_json(const struct reuse_profile *profile);

/* What reuse_profile_to_json() made of a profile of these parameters.  0, or -1
 * with EINVAL: it is something else. */
int reuse_profile_from_json(struct reuse_profile *profile, const json_t *json,
                            const struct reuse_params *params);
