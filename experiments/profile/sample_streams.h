/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/sample_streams.h -- instructions that walk through
 * memory, found in samples of a thread.
 *
 * Successive samples of an instruction that scans lie on a line: addresses over
 * the accesses of the whole thread.  A run is a sequence of them that one line
 * fits, and that is too long to be by chance: where addresses are random among
 * R bytes, the next one is within d of where a line leads with probability
 * 2 d / R.  A scan that starts again begins another run.
 *
 * A run of speed s enters a page of P bytes every P / s accesses, for which it
 * needs no sample there.  When another run was on that page before, the access
 * misses only if that was longer ago than an entry stays in the TLB.  Of runs
 * side by side, as of a load and a store, one enters and the others follow.
 */
#pragma once
#include "experiments/profile/perf_samples.h"

struct stream_run {
  size_t first, count; /* in stream_set.order */
  double speed;        /* bytes per access of the thread; never 0 */
  double begin, end;   /* times; half a gap before the first, after the last */
  double low, high;    /* addresses then */
  double gap;          /* accesses of the thread from one of its own to the next
                        */
};

struct stream_set {
  const struct perf_sample *sample; /* of the thread, the caller's */
  size_t *order;                    /* samples by instruction, then time */
  struct stream_run *run;           /* by begin */
  size_t runs;
  uint32_t *of; /* each sample: its run + 1, or 0 */
};

void stream_set_make(struct stream_set *set, const struct perf_sample *sample,
                     size_t count);
void stream_set_fini(struct stream_set *set);

/* The probability that an access of the run is the first on its page of so many
 * bytes. */
double stream_entry(const struct stream_run *run, double page_bytes);

/* When the run of sample `i` came to its page. */
double stream_came(const struct stream_set *set, size_t i, double page_bytes);

/* How many accesses before the run of sample `i` came to its page another run
 * was there: 0: it is there now, and comes first; INFINITY: none was. */
double stream_reuse(const struct stream_set *set, size_t i, double page_bytes);
