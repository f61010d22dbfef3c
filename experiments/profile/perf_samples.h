/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/perf_samples.h -- accesses of a program that perf
 * sampled, of the text that `perf script` made of them.
 *
 * The sum of the periods of a thread is its clock: it counts accesses.  Samples
 * whose address the processor did not tell only move it.  Those of the kernel's
 * memory are left out.
 */
#pragma once
#include <stdint.h>
#include <stdio.h>

#include "experiments/profile/profile_texts.h"

struct perf_sample {
  uint64_t address, ip, tid;
  size_t order;         /* in the file */
  double at;            /* accesses of its thread up to it */
  double stands_for;    /* accesses */
  const char *function; /* its symbol, or OBJECT+IP */
};

struct perf_samples {
  struct perf_sample *sample; /* by thread, then by time */
  size_t count;
  size_t threads;
  double accesses; /* of all threads */
  size_t nowhere;  /* samples without an address */
  size_t kernel;   /* of the kernel's memory */
  size_t lost;     /* lines about samples that perf lost */
  size_t large;    /* on pages of 2 MiB and more while sampled */
  struct profile_texts *texts;
};

/* Read all of `file`, called `path` in messages.  Returns an exit code; what is
 * wrong has been told then.  perf_samples_fini() in any case. */
int perf_samples_read(struct perf_samples *samples, FILE *file,
                      const char *path);
/* What perf_samples_read() does: add one, whose function is not known yet; then
 * sort and weigh them. */
struct perf_sample *perf_samples_add(struct perf_samples *samples, uint64_t tid,
                                     double period, uint64_t address,
                                     uint64_t ip);
void perf_samples_finish(struct perf_samples *samples);
/* Behind `from`, the first sample of another thread. */
size_t perf_samples_thread_end(const struct perf_samples *samples, size_t from);
void perf_samples_fini(struct perf_samples *samples);
