/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/merge.h -- several results files as one.
 *
 * Lines are copied as they stand, file by file: each machine record keeps its
 * samples behind it.  Of a sample no more is kept meanwhile than a hash, so
 * that files may be larger than the memory.
 *
 * Runs of one sweep have the same plan, but for the shard.  What a run should
 * have measured follows from its plan, where no time budget ended it.
 */
#pragma once
#include <stdio.h>

#include "experiments/results/results.h"

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

struct merge {
  FILE *out;
  const char *const *paths;
  size_t count, file; /* of paths; the one that is read */
  json_t **machines;  /* a record of each kind that was met */
  size_t machine_count, machine, runs;
  struct merge_sample *samples;
  size_t sample_count;
  struct sweep *sweeps;
  size_t sweep_count;
  struct sweep_part *part; /* of the run that is read; NULL: it has no plan */
  bool unwritten;          /* out failed, not a file that is read */
  char error[RESULTS_ERROR_SIZE];
};

/*
 * Copy the records of merge->paths to merge->out.  0, or -1 with `error` filled
 * and errno: a file that cannot be read, is of another schema, or has a sample
 * that another one or itself has, too, of the same machine; or `out`, which
 * cannot be written: `unwritten`.
 */
int merge_files(struct merge *merge);

/* Say of each sweep what is not there, a line each; true where that is none. */
bool merge_is_complete(const struct merge *merge, const char *merged);
void merge_fini(struct merge *merge);
