/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/sweeps.h -- which parts of which sweeps there are.
 *
 * Runs of one sweep have the same plan, but for the shard.  What a run should
 * have measured follows from its plan, where no time budget ended it.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was measured of one shard on one machine, in one file or in several. */
struct sweep_part {
  const char *path; /* of the first of them */
  size_t machine;
  uint32_t shard;          /* from 1 */
  uint64_t planned, there; /* samples; planned 0: nobody knows */
};

struct sweep {
  json_t *plan; /* without what differs between shards */
  uint32_t shards;
  struct sweep_part *parts;
  size_t count;
};

struct sweeps {
  struct sweep *sweeps;
  size_t count;
};

/* Where the samples behind a plan record count, until the next call. */
struct sweep_part *sweeps_add(struct sweeps *sweeps, const char *path,
                              size_t machine, const json_t *plan);

/* Say of each sweep what is not there, a line each; true where that is none. */
bool sweeps_complete(const struct sweeps *sweeps, const char *merged);
void sweeps_fini(struct sweeps *sweeps); /* zeroed is fine */
