/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/data/data_sink.h -- where an answer is written, through a buffer.
 *
 * The first error is kept, and everything after it is dropped: what writes
 * need not look at each number.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiments/cli/out_file.h"
#include "experiments/cli/progress.h"

enum { DATA_SINK = 1 << 16 };

struct data_sink {
  const char *path;
  int fd; /* that is opened, or written to */
  struct out_file output;
  bool binary;
  int error; /* errno of what went wrong; 0: nothing */
  char *buffer;
  size_t used, written; /* bytes in the buffer, and of these */
  uint64_t done, total; /* items, for the progress */
  struct progress progress;
};

/* As data_write() has it.  0, or -1 with sink->error; finish in either case. */
int data_sink_open(struct data_sink *sink, const char *path);
/* Make it appear, if all went well.  0, or -1 with sink->error. */
int data_sink_finish(struct data_sink *sink);

/* Is item i still to be put? */
static inline bool data_put_next(struct data_sink *sink, uint64_t i,
                                 uint64_t count) {
  sink->done = i;
  return i < count && !sink->error;
}

/* count <= DATA_SINK */
void data_put(struct data_sink *sink, const void *bytes, size_t count);
void data_put_text(struct data_sink *sink, const char *text);
/* A number, and what is behind it: "\n". */
void data_put_u64(struct data_sink *sink, uint64_t value, const char *behind);
void data_put_i64(struct data_sink *sink, int64_t value, const char *behind);
/* 17 digits tell any two doubles apart. */
void data_put_double(struct data_sink *sink, double value, const char *behind);
