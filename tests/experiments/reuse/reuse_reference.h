/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reuse profiles by the definitions: each access, one after the other, each
 * distance by a look at every line or page there is. */
#pragma once
#include "experiments/reuse/reuse.h"

/* 0, or else the stream or memory failed. */
int reuse_reference(struct reuse_profile *profile, const struct stream *stream,
                    const struct reuse_params *params);
