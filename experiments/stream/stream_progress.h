/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/stream/stream_progress.h -- how much of a stream has come.
 *
 * How many accesses an algorithm makes is known only at its end.  An operation
 * of its RAM complexity makes about as many on a small input, which takes
 * milliseconds and is tried where a terminal is there to be drawn on.
 */
#pragma once
#include "experiments/cli/progress.h"
#include "experiments/stream/stream.h"

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
