/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys: a whole number of 64 bits without a sign a line, or little-endian. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/data/data_sink.h"
#include "experiments/data/data_source.h"

static int read_text(struct data_source *source, struct data_array *keys) {
  int end;
  source->expected = "one whole number from 0 to 2^64 - 1 a line";
  while (!(end = data_at_end(source))) {
    if (data_make_room(source, keys) || data_next_word(source) < 0) return -1;
    uint64_t *key = (uint64_t *)keys->items + keys->count;
    if (data_take_u64(source, key) || data_end_line(source)) return -1;
    keys->count++;
  }
  return end < 0 ? -1 : 0;
}

static int read_binary(struct data_source *source, struct data_array *keys) {
  int end;
  while (!(end = data_at_end(source))) {
    uint64_t number;
    if (data_make_room(source, keys)) return -1;
    if (source->end - source->at < sizeof number)
      return data_refuse(source,
                         "%llu bytes, which is no multiple of 8: the last "
                         "number is cut short",
                         (unsigned long long)source->bytes);
    memcpy(&number, source->buffer + source->at, sizeof number);
    ((uint64_t *)keys->items)[keys->count++] = le64toh(number);
    source->at += sizeof number;
  }
  return end < 0 ? -1 : 0;
}

static int read_keys(struct data_source *source, struct data *data) {
  struct data_array keys = {0};
  int failed =
      source->binary ? read_binary(source, &keys) : read_text(source, &keys);
  data_give(&keys, &data->part[0]);
  return failed;
}

static void write_keys(struct data_sink *sink, const struct algo_data *answer) {
  const uint64_t *keys = answer->items;
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    if (sink->binary) {
      uint64_t number = htole64(keys[i]);
      data_put(sink, &number, sizeof number);
    } else {
      data_put_u64(sink, keys[i]);
      data_put(sink, "\n", 1);
    }
  }
}

const struct data_kind data_keys = {
    .name = "keys",
    .words = 1,
    .binary = true,
    .read = read_keys,
    .write = write_keys,
};
