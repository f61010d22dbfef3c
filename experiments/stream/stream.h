/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/stream/stream.h -- the addresses that an algorithm accesses.
 *
 * The algorithms are compiled a second time, each access a call (see
 * tsan_runtime.c).  One runs like the other, on the same input; the addresses
 * are those of its workspace, were it at `base`.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "experiments/cli/options.h"
#include "experiments/cli/progress.h"
#include "experiments/stream/stream_sink.h"

struct stream {
  const struct algo *algo; /* NULL: none was asked for */
  uint64_t n, seed, base;
  const char *generator;         /* NULL: its first */
  const char *parameters;        /* as in struct algo_run */
  const struct algo_data *given; /* in place of a generated input, or NULL */
  /* Told when the run, apart from setup and check, begins and has ended, for
   * benchmarks; NULL: nobody. */
  void (*watch)(bool running);
};

/* --algo, --n, --seed, --generator and --base, of a struct stream. */
extern const struct option_row stream_rows[];

/* Does it fit, if it has an algorithm?  An exit code, having printed why. */
int stream_check(const struct stream *stream);

/* The workspace's last address. */
uint64_t stream_last_address(const struct stream *stream);

/*
 * Set up, run and check.  An exit code: take's, or having printed why.  While
 * signals are armed (interrupt.h) one ends it at once, between two calls of
 * take: VAT_FAILED, and nothing is printed.
 */
int stream_run(const struct stream *stream, const struct stream_sink *sink);

/* Leave instruction fetches out of `count` accesses; how many are left. */
size_t stream_without_fetches(const struct vat_accesses *block, size_t count);

/*
 * How much of a stream has come.  How many accesses an algorithm makes is known
 * only at its end.  An operation of its RAM complexity makes about as many on a
 * small input, which takes milliseconds and is tried where a terminal is there
 * to be drawn on.
 */
struct stream_progress {
  struct progress *progress; /* the caller's, who clears it */
  const char *algo;
  double accesses, expected, start_s;
};

/* About how many accesses there will be; 0: nobody knows. */
double stream_expected(const struct stream *stream);

void stream_progress_init(struct stream_progress *progress,
                          struct progress *bar, const struct stream *stream);
/* `accesses` more have come. */
void stream_progress_add(struct stream_progress *progress, uint64_t accesses);
