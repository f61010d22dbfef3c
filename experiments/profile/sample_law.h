/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/sample_law.h -- what each sample of a thread says by
 * itself, before misses are estimated: its page, whether a stream or a visit,
 * how popular its page is, and which bursts it may be in.
 */
#pragma once
#include <stdbool.h>

#include "experiments/profile/sample_bursts.h"
#include "experiments/profile/sample_pages.h"
#include "experiments/profile/sample_streams.h"

struct sample_law {
  const struct stream_set *streams;
  const struct perf_sample *sample;
  size_t count;
  unsigned bits;
  double page_bytes, entries;
  uint64_t *page;
  bool *visits;  /* not of a stream */
  double *reuse; /* of a stream: stream_reuse(), or since an earlier sample */
  double *share; /* sample_bursts_make() */
  double *alone; /* B of bursts that every instruction of a function is in */
  struct sample_bursts bursts;
  struct sample_pages all; /* that were sampled */
};

/* The streams are the caller's. */
void sample_law_make(struct sample_law *law, const struct stream_set *streams,
                     size_t count, unsigned bits, double entries);
void sample_law_fini(struct sample_law *law);

/* Programs have phases: into so many blocks of samples their time is cut; and
 * the first sample of one of them, or behind the last. */
size_t sample_law_blocks(const struct sample_law *law);
size_t sample_law_first(const struct sample_law *law, size_t block);
