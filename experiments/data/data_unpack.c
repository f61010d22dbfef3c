/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/data/data_unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/data/data_2bit.h"
#include "experiments/data/data_source.h"
#include "vat/trace_unpack.h"

enum { PACKED = 1 << 18 };

struct data_unpacking {
  struct data_2bit *twobit; /* NULL: the others are it */
  const struct trace_unpacker *unpacker;
  void *state;
  uint8_t *packed; /* with room for PACKED, or for what was there at first */
  size_t at, end;
  bool read_all, done;
};

void data_unpacking_destroy(struct data_unpacking *unpacking) {
  if (!unpacking) return;
  if (unpacking->state) unpacking->unpacker->destroy(unpacking->state);
  data_2bit_destroy(unpacking->twobit);
  free(unpacking->packed);
  free(unpacking);
}

static int unpack_2bit(struct data_source *source) {
  struct data_unpacking *u = calloc(1, sizeof *u);
  source->unpacking = u;
  if (u) u->twobit = data_2bit_create(source);
  if (!u || !u->twobit) return data_refuse(source, "%s", strerror(ENOMEM));
  source->at = source->end = 0;
  source->ended = false;
  return 0;
}

int data_source_unpack(struct data_source *source) {
  if (data_need(source)) return -1;
  if (data_is_2bit(source->buffer + source->at, source->end - source->at))
    return unpack_2bit(source);
  const struct trace_unpacker *unpacker = vat_trace_unpacker_for(
      (const uint8_t *)source->buffer + source->at, source->end - source->at);
  if (!unpacker) return 0;
  if (unpacker->mend)
    return data_refuse(source, "is packed by %s; pipe it in: `%s FILE | vat`",
                       unpacker->name, unpacker->mend);
  size_t there = source->end - source->at;
  struct data_unpacking *u = calloc(1, sizeof *u);
  source->unpacking = u;
  if (!u) return data_refuse(source, "%s", strerror(ENOMEM));
  u->unpacker = unpacker;
  u->packed = malloc(there < PACKED ? PACKED : there);
  u->state = unpacker->create();
  if (!u->packed || !u->state)
    return data_refuse(source, "%s", strerror(ENOMEM));
  memcpy(u->packed, source->buffer + source->at, there);
  u->end = there;
  u->read_all = source->ended;
  source->at = source->end = 0;
  source->ended = false;
  return 0;
}

static int refill(struct data_source *source, struct data_unpacking *u) {
  if (u->at < u->end || u->read_all) return 0;
  ssize_t got = data_read_some(source, (char *)u->packed, PACKED);
  if (got < 0) return -1;
  u->at = 0;
  u->end = (size_t)got;
  u->read_all = !got;
  return 0;
}

ssize_t data_unpack(struct data_source *source, char *to, size_t room) {
  struct data_unpacking *u = source->unpacking;
  if (u->twobit) return data_2bit_unpack(u->twobit, source, to, room);
  size_t left = room;
  while (left == room && !u->done) {
    if (refill(source, u)) return -1;
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
