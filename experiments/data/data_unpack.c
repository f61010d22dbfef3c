/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/data/data_unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/data/data_2bit.h"
#include "experiments/data/data_source.h"
#include "vat/trace_unpack.h"

enum { PACKED = 1 << 18 };

struct unpacking {
  const struct trace_unpacker *unpacker;
  void *state;
  uint8_t *packed; /* with room for PACKED, or for what was there at first */
  size_t at, end;
  bool read_all, done;
};

static void unpacking_destroy(void *unpacking) {
  struct unpacking *u = unpacking;
  if (u->state) u->unpacker->destroy(u->state);
  free(u->packed);
  free(u);
}

static int unpacking_refill(struct data_source *source, struct unpacking *u) {
  if (u->at < u->end || u->read_all) return 0;
  ssize_t got = data_read_some(source, (char *)u->packed, PACKED);
  if (got < 0) return -1;
  u->at = 0;
  u->end = (size_t)got;
  u->read_all = !got;
  return 0;
}

static ssize_t unpacking_read(struct data_source *source, char *to,
                              size_t room) {
  struct unpacking *u = source->unpacking;
  size_t left = room;
  while (left == room && !u->done) {
    if (unpacking_refill(source, u)) return -1;
    struct trace_unpacking step = {.in = u->packed + u->at,
                                   .in_count = u->end - u->at,
                                   .in_ended = u->read_all,
                                   .out = (uint8_t *)to,
                                   .out_count = room};
    int code = u->unpacker->step(u->state, &step);
    u->at = u->end - step.in_count;
    left = step.out_count;
    if (code < 0) return data_refuse(source, "%s; pack it anew", step.error);
    u->done = !code;
  }
  return (ssize_t)(room - left);
}

static const struct data_unpacker unpacker_of_traces = {unpacking_read,
                                                        unpacking_destroy};

static struct unpacking *unpacking_create(const struct data_source *source,
                                          const struct trace_unpacker *from) {
  size_t there = source->end - source->at;
  struct unpacking *u = memory_zeroed(1, sizeof *u);
  u->unpacker = from;
  u->packed = memory_get(there < PACKED ? PACKED : there);
  u->state = from->create(); /* NULL: no memory */
  if (!u->state) memory_exhausted();
  memcpy(u->packed, source->buffer + source->at, there);
  u->end = there;
  u->read_all = source->ended;
  return u;
}

int data_unpack(struct data_source *source) {
  if (data_need(source)) return -1;
  const char *there = source->buffer + source->at;
  size_t count = source->end - source->at;
  if (data_is_2bit(there, count)) {
    source->unpacker = &data_2bit_unpacker;
    source->unpacking = data_2bit_create(source);
  } else {
    const struct trace_unpacker *unpacker =
        vat_trace_unpacker_for((const uint8_t *)there, count);
    if (!unpacker) return 0;
    if (unpacker->mend)
      return data_refuse(source, "is packed by %s; pipe it in: `%s FILE | vat`",
                         unpacker->name, unpacker->mend);
    source->unpacker = &unpacker_of_traces;
    source->unpacking = unpacking_create(source, unpacker);
  }
  source->at = source->end = 0;
  source->ended = false;
  return 0;
}
