/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of data that are lines of numbers.
 *
 * keys: a whole number of 64 bits without a sign; or little-endian.
 * list: of a linked list the successor of each element, counted from 0; -1 at
 * the end of the list.  Ranks are written in the same form.
 * points, signal: two numbers, x and y of points of the plane, or real and
 * imaginary part.
 */
#include <endian.h>
#include <inttypes.h>
#include <string.h>

#include "experiments/data/data_sink.h"
#include "experiments/data/data_source.h"

/* Push the next number; 0, or -1 having refused. */
typedef int push_number(struct data_source *source, struct data_array *numbers);

static int push_lines(struct data_source *source, struct data_array *numbers,
                      unsigned words, push_number *push) {
  int end;
  while (!(end = data_at_end(source))) {
    for (unsigned i = 0; i < words; i++)
      if (push(source, numbers)) return -1;
    if (!source->binary && data_end_line(source)) return -1;
  }
  return end < 0 ? -1 : 0;
}

/* `words` a line. */
static int read_lines(struct data_source *source, struct algo_data *part,
                      unsigned words, push_number *push) {
  struct data_array numbers = {0};
  int failed = push_lines(source, &numbers, words, push);
  data_give(&numbers, part);
  part->count /= words;
  return failed;
}

static int push_key(struct data_source *source, struct data_array *keys) {
  uint64_t key;
  return data_take_u64(source, &key) ? -1 : data_push(source, keys, key);
}

static int push_binary(struct data_source *source, struct data_array *keys) {
  uint64_t number;
  if (source->end - source->at < sizeof number)
    return data_refuse(
        source,
        "%llu bytes, not a multiple of 8: the last number is incomplete",
        (unsigned long long)source->bytes);
  memcpy(&number, source->buffer + source->at, sizeof number);
  source->at += sizeof number;
  return data_push(source, keys, le64toh(number));
}

static int read_keys(struct data_source *source, struct algo_data *part) {
  source->expected = "write one whole number from 0 to 2^64 - 1 a line";
  return read_lines(source, part, 1, source->binary ? push_binary : push_key);
}

static void write_keys(struct data_sink *sink, const struct algo_data *answer) {
  const uint64_t *keys = answer->items;
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    uint64_t number = htole64(keys[i]);
    if (sink->binary)
      data_put(sink, &number, sizeof number);
    else
      data_put_u64(sink, keys[i], "\n");
  }
}

static int push_successor(struct data_source *source, struct data_array *list) {
  int64_t successor;
  if (data_take_i64(source, &successor)) return -1;
  if (successor < -1)
    return data_refuse(source, "%" PRId64 " is negative; %s", successor,
                       source->expected);
  return data_push(source, list, (uint64_t)successor);
}

/* An element is its line, less one. */
static int check_range(struct data_source *source,
                       const struct algo_data *list) {
  const int64_t *successors = list->items;
  for (size_t i = 0; i < list->count; i++) {
    if (successors[i] < (int64_t)list->count) continue;
    source->line = i + 1;
    return data_refuse(source,
                       "successor %" PRId64 " is not one of the %" PRIu64
                       " elements, which are numbered from 0",
                       successors[i], list->count);
  }
  return 0;
}

static int read_list(struct data_source *source, struct algo_data *part) {
  source->expected =
      "write one successor a line, numbered from 0, or -1 at the end";
  if (read_lines(source, part, 1, push_successor)) return -1;
  return check_range(source, part);
}

static void write_list(struct data_sink *sink, const struct algo_data *answer) {
  const int64_t *numbers = answer->items;
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++)
    data_put_i64(sink, numbers[i], "\n");
}

static int read_points(struct data_source *source, struct algo_data *part) {
  source->expected =
      "write two numbers a line, x and y, and a blank between them";
  return read_lines(source, part, 2, data_push_double);
}

static int read_signal(struct data_source *source, struct algo_data *part) {
  source->expected =
      "write two numbers a line, the real and the imaginary part, and a "
      "blank between them";
  return read_lines(source, part, 2, data_push_double);
}

static void write_pairs(struct data_sink *sink,
                        const struct algo_data *answer) {
  const double *point = answer->items;
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    data_put_double(sink, point[2 * i], " ");
    data_put_double(sink, point[2 * i + 1], "\n");
  }
}

const struct data_kind data_keys = {.name = "keys",
                                    .words = 1,
                                    .binary = true,
                                    .read = read_keys,
                                    .write = write_keys};
const struct data_kind data_list = {
    .name = "list", .words = 1, .read = read_list, .write = write_list};
const struct data_kind data_points = {
    .name = "points", .words = 2, .read = read_points, .write = write_pairs};
const struct data_kind data_signal = {
    .name = "signal", .words = 2, .read = read_signal, .write = write_pairs};
