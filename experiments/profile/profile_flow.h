/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_flow.h -- dependences between misses, as the tool
 * followed them. */
#pragma once
#include "experiments/profile/profile_data.h"

/* Lines of the tool's output; -1 with `why`. */
int profile_flow_number(struct profile *profile, const char *text,
                        const char **why);
int profile_flow_walks(struct profile *profile, const char *text,
                       const char **why);
int profile_flow_burst(struct profile *profile, const char *text,
                       const char **why);
int profile_flow_wait(struct profile *profile, const char *text,
                      const char **why);
/* Around the merging of sites. */
void profile_flow_begin_merge(struct profile *profile);
void profile_flow_merge(struct profile *profile, size_t to, size_t from);
void profile_flow_end_merge(struct profile *profile);
void profile_flow_fini(struct profile_flow *flow);
