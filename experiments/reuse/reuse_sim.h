/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/reuse/reuse_sim.h -- a reuse profile, by simulation. */
#pragma once
#include "experiments/reuse/reuse.h"

/* Like reuse_profile_get(), but nothing is read or kept. */
int reuse_simulate(struct reuse_profile *profile, const struct stream *stream,
                   const struct reuse_params *params,
                   const struct reuse_watch *watch);

/* Bytes that it takes: the workspace, and what is kept of its lines. */
uint64_t reuse_memory(const struct stream *stream);
