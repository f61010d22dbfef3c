/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/sampled.h -- `vat profile --from SAMPLES`: an estimate of
 * the TLB misses of a program that perf sampled while it ran.
 */
#pragma once
#include <stdbool.h>
#include <stdio.h>

#include "experiments/profile/perf_samples.h"
#include "experiments/profile/profile_request.h"
#include "experiments/profile/sample_misses.h"

enum { SAMPLED_SIZES = 2 };
extern const struct sampled_size {
  const char *name;
  unsigned bits;
} sampled_sizes[SAMPLED_SIZES]; /* smallest first */

struct sampled_row {
  const char *function;
  double accesses;
  struct miss_sum sum[SAMPLED_SIZES];
};

struct sampled {
  struct perf_samples samples;
  double entries;                       /* of the TLB */
  struct miss_value all[SAMPLED_SIZES]; /* misses */
  struct sampled_row *row;              /* functions, most misses first */
  size_t rows;
};

/* Is `file`, which stays where it is, anything but a profile of --save? */
bool sampled_is(FILE *file);

/* Read the samples and estimate.  Returns an exit code; what is wrong has been
 * told then.  sampled_fini() in any case. */
int sampled_make(struct sampled *sampled, const struct profile_request *request,
                 FILE *file);
/* Of samples that were read. */
void sampled_estimate(struct sampled *sampled);
void sampled_fini(struct sampled *sampled);

/* Exit codes. */
int sampled_print(const struct sampled *sampled, FILE *to);
int sampled_json(const struct sampled *sampled, FILE *to);
