/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linked lists: the successor of each element a line, counted from 0; -1 at the
 * end of the list.  Ranks are written in the same form. */
#include <inttypes.h>
#include <stdlib.h>

#include "experiments/data/data_sink.h"
#include "experiments/data/data_source.h"

static int read_lines(struct data_source *source, struct data_array *list) {
  int end;
  source->expected = "one successor a line, counted from 0, or -1 at the end";
  while (!(end = data_at_end(source))) {
    if (data_make_room(source, list) || data_next_word(source) < 0) return -1;
    int64_t *successor = (int64_t *)list->items + list->count;
    if (data_take_i64(source, successor)) return -1;
    if (*successor < -1)
      return data_refuse(source, "%" PRId64 " is negative; %s", *successor,
                         source->expected);
    if (data_end_line(source)) return -1;
    list->count++;
  }
  return end < 0 ? -1 : 0;
}

/* An element is its line, less one. */
static int check_range(struct data_source *source,
                       const struct data_array *list) {
  const int64_t *successors = list->items;
  for (size_t i = 0; i < list->count; i++) {
    if (successors[i] < (int64_t)list->count) continue;
    source->line = i + 1;
    return data_refuse(source,
                       "successor %" PRId64
                       " is none of the %zu elements, which are counted from 0",
                       successors[i], list->count);
  }
  return 0;
}

static int read_list(struct data_source *source, struct data *data) {
  struct data_array list = {0};
  int failed = read_lines(source, &list) || check_range(source, &list);
  data_give(&list, &data->part[0]);
  return failed ? -1 : 0;
}

static void write_list(struct data_sink *sink, const struct algo_data *answer) {
  const int64_t *numbers = answer->items;
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    if (numbers[i] < 0) data_put(sink, "-", 1);
    data_put_u64(sink,
                 numbers[i] < 0 ? -(uint64_t)numbers[i] : (uint64_t)numbers[i]);
    data_put(sink, "\n", 1);
  }
}

const struct data_kind data_list = {
    .name = "list",
    .words = 1,
    .read = read_list,
    .write = write_list,
};
