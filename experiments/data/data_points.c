/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two numbers a line: x and y of points of the plane, real and imaginary part
 * of the points of a signal.  17 digits tell any two doubles apart. */
#include <stdlib.h>

#include "experiments/data/data_sink.h"
#include "experiments/data/data_source.h"

static int read_lines(struct data_source *source, struct data_array *points) {
  int end;
  while (!(end = data_at_end(source))) {
    for (int i = 0; i < 2; i++) {
      if (data_make_room(source, points) || data_next_word(source) < 0)
        return -1;
      double *number = (double *)points->items + points->count;
      if (data_take_double(source, number)) return -1;
      points->count++;
    }
    if (data_end_line(source)) return -1;
  }
  return end < 0 ? -1 : 0;
}

static int read_pairs(struct data_source *source, struct data *data) {
  struct data_array points = {0};
  int failed = read_lines(source, &points);
  data_give(&points, &data->part[0]);
  data->part[0].count /= 2;
  return failed;
}

static int read_points(struct data_source *source, struct data *data) {
  source->expected = "two numbers a line, x and y";
  return read_pairs(source, data);
}

static int read_signal(struct data_source *source, struct data *data) {
  source->expected = "two numbers a line, the real and the imaginary part";
  return read_pairs(source, data);
}

static void write_pairs(struct data_sink *sink,
                        const struct algo_data *answer) {
  const double *point = answer->items;
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    data_put_double(sink, point[2 * i]);
    data_put(sink, " ", 1);
    data_put_double(sink, point[2 * i + 1]);
    data_put(sink, "\n", 1);
  }
}

const struct data_kind data_points = {
    .name = "points",
    .words = 2,
    .read = read_points,
    .write = write_pairs,
};

const struct data_kind data_signal = {
    .name = "signal",
    .words = 2,
    .read = read_signal,
    .write = write_pairs,
};
