/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/data/data_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/memory.h"

static void step_open(void *context) {
  struct data_sink *sink = context;
  sink->fd = open(sink->path, O_WRONLY | O_CLOEXEC);
  if (sink->fd < 0) sink->error = errno;
}

/* A FIFO nobody reads yet makes us wait: where a signal can end that. */
static int open_fifo(struct data_sink *sink) {
  if (interruptible(step_open, sink) && sink->fd < 0) sink->error = EINTR;
  if (sink->fd < 0) return -1;
  sink->output.stream = memory_need(fdopen(sink->fd, "w"));
  sink->output.in_place = true;
  return 0;
}

int data_sink_open(struct data_sink *sink, const char *path) {
  struct stat file;
  *sink = (struct data_sink){.path = path, .fd = -1, .output.dir = -1};
  progress_init(&sink->progress);
  sink->buffer = memory_get(DATA_SINK);
  if (strcmp(path, "-") && !stat(path, &file) && S_ISFIFO(file.st_mode))
    return open_fifo(sink);
  if (!out_file_open(&sink->output, path)) return 0;
  sink->error = errno;
  return -1;
}

static void step_write(void *context) {
  struct data_sink *sink = context;
  ssize_t put =
      write(sink->fd, sink->buffer + sink->written, sink->used - sink->written);
  if (put >= 0)
    sink->written += (size_t)put;
  else if (errno != EINTR)
    sink->error = errno;
}

/* A file in the making is written with signals held back, so that it can be
 * removed; a pipe or a device, which may keep us waiting, may be abandoned in
 * the middle. */
static void flush(struct data_sink *sink) {
  bool in_place = sink->output.in_place;
  sink->fd = fileno(sink->output.stream);
  for (sink->written = 0; sink->written < sink->used && !sink->error;) {
    if (interrupt_pending() || (in_place && interruptible(step_write, sink)))
      sink->error = EINTR;
    else if (!in_place)
      step_write(sink);
  }
  sink->used = 0;
  if (sink->total)
    progress_draw_part(&sink->progress,
                       (double)sink->done / (double)sink->total,
                       sink->progress.start_s, "writing the answer");
}

int data_sink_finish(struct data_sink *sink) {
  if (sink->output.stream) flush(sink);
  progress_clear(&sink->progress);
  if (!sink->error && out_file_commit(&sink->output)) sink->error = errno;
  out_file_end(&sink->output);
  free(sink->buffer);
  return sink->error ? -1 : 0;
}

void data_put(struct data_sink *sink, const void *bytes, size_t count) {
  if (sink->used + count > DATA_SINK) flush(sink);
  memcpy(sink->buffer + sink->used, bytes, count);
  sink->used += count;
}

void data_put_text(struct data_sink *sink, const char *text) {
  data_put(sink, text, strlen(text));
}

void data_put_u64(struct data_sink *sink, uint64_t value, const char *behind) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  data_put(sink, digits + first, sizeof digits - first);
  data_put_text(sink, behind);
}

void data_put_i64(struct data_sink *sink, int64_t value, const char *behind) {
  if (value < 0) data_put_text(sink, "-");
  data_put_u64(sink, value < 0 ? -(uint64_t)value : (uint64_t)value, behind);
}

void data_put_double(struct data_sink *sink, double value, const char *behind) {
  char text[40];
  /* Whole numbers, which are frequent, come out the same and faster. */
  if (value >= 0 && value < 1e15 && !signbit(value) &&
      value - (double)(uint64_t)value <= 0) {
    data_put_u64(sink, (uint64_t)value, behind);
    return;
  }
  snprintf(text, sizeof text, "%.17g", value);
  data_put_text(sink, text);
  data_put_text(sink, behind);
}
