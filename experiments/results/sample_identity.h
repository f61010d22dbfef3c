/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/sample_identity.h -- which samples are the same one: the
 * same repetition of the same work, on one machine. */
#pragma once
#include "experiments/results/sample.h"

/* <0, 0, >0: an order in which the same ones stand together. */
int sample_identity_compare(const struct sample *a, const struct sample *b);

/* Equal of the same ones, hardly ever of others. */
uint64_t sample_identity_hash(const struct sample *sample);

/* What that is, for messages. */
#define SAMPLE_IDENTITY_KEYS                                     \
  "algo, device, alloc, n, pages_asked, generator, input, rep, " \
  "seed, blocks, parameters"
