/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/data/data_unpack.h"

#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/data/data_2bit.h"
#include "experiments/data/data_source.h"
#include "vat/trace_unpack.h"

struct unpacking {
  const struct trace_unpacker *unpacker;
  void *state;
  bool done;
};

static void unpacking_destroy(void *unpacking) {
  struct unpacking *u = unpacking;
  u->unpacker->destroy(u->state);
  free(u);
}

static ssize_t unpacking_read(struct data_source *source, char *to,
                              size_t room) {
  struct unpacking *u = source->unpacking;
  size_t left = room;
  while (left == room && !u->done) {
    if (data_refill(source)) return -1;
    struct trace_unpacking step = {
        .in = source->packed + source->packed_at,
        .in_count = source->packed_end - source->packed_at,
        .in_ended = source->packed_ended,
        .out = (uint8_t *)to,
        .out_count = room};
    int code = u->unpacker->step(u->state, &step);
    source->packed_at = source->packed_end - step.in_count;
    left = step.out_count;
    if (code < 0) return data_refuse(source, "%s; pack it anew", step.error);
    u->done = !code;
  }
  return (ssize_t)(room - left);
}

static const struct data_unpacker unpacker_of_traces = {unpacking_read,
                                                        unpacking_destroy};

static struct unpacking *unpacking_create(const struct trace_unpacker *from) {
  struct unpacking *u = memory_zeroed(1, sizeof *u);
  u->unpacker = from;
  u->state = from->create(); /* NULL: no memory */
  if (!u->state) memory_exhausted();
  return u;
}

int data_unpack(struct data_source *source) {
  if (data_need(source)) return -1;
  const char *there = source->buffer + source->at;
  size_t count = source->end - source->at;
  const struct trace_unpacker *unpacker =
      vat_trace_unpacker_for((const uint8_t *)there, count);
  if (data_is_2bit(there, count)) {
    data_unpack_by(source, &data_2bit_unpacker, data_2bit_create());
  } else if (unpacker) {
    if (unpacker->mend)
      return data_refuse(source, "is packed by %s; pipe it in: `%s FILE | vat`",
                         unpacker->name, unpacker->mend);
    data_unpack_by(source, &unpacker_of_traces, unpacking_create(unpacker));
  }
  return 0;
}
