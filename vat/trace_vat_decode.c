/* SPDX-License-Identifier: BSD-2-Clause */
/* The loops that reading a vat trace takes its time in. */
#include "vat/trace_vat_decode.h"

#include <string.h>

enum { RING_MASK = VAT_PLACES - VAT_PLACE_RING - 1 };

void vat_block_init(struct vat_block *block) {
  for (unsigned i = 0; i < 256; i++) {
    unsigned place = i >> 3, bytes = vat_delta_bytes[i & 7];
    bool fresh = place == VAT_PLACE_NEW;
    block->operation[i] = (struct vat_operation){
        .mask = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1,
        .unit = vat_delta_unit[i & 7],
        .fresh = fresh ? UINT64_MAX : 0,
        .bytes = (uint8_t)bytes,
        .place = (uint8_t)(fresh ? VAT_PLACE_RING : place),
    };
  }
}

/* A number that names no shape, which is not looked for, is a load. */
int vat_block_shapes(struct vat_block *block, const uint8_t *from,
                     uint32_t count) {
  memset(block->shapes, 0, sizeof block->shapes);
  for (uint32_t i = 0; i < count; i++, from += VAT_SHAPE_BYTES) {
    block->shapes[i] = (struct vat_shape){trace_get32(from), from[4]};
    if (from[4] >= VAT_ACCESS_KINDS) return -1;
  }
  block->shape_count = count;
  return 0;
}

/* A number that names no step, which is not looked for, is a step of 0. */
void vat_block_steps(struct vat_block *block, const uint8_t *from,
                     uint32_t count) {
  const struct vat_operation *coded = block->operation;
  memset(block->step, 0, VAT_STEP_CODED * sizeof *block->step);
  for (uint32_t i = 0; i < count; i++)
    block->step[i].step = trace_get64(from + VAT_STEP_BYTES * i);
  for (unsigned i = VAT_STEP_CODED; i < 256; i++, coded++)
    block->step[i] =
        (struct vat_named_step){0, coded->mask, coded->unit, coded->bytes};
  block->step_count = count;
}

void vat_block_begin(struct vat_block *block, uint32_t accesses,
                     uint32_t delta_bytes) {
  block->done = 0;
  block->accesses = accesses;
  block->delta = block->deltas;
  block->delta_end = block->deltas + delta_bytes;
  block->newest = block->begun_places = 0;
  memset(block->places, 0, sizeof block->places);
}

static inline uint64_t delta_at(const uint8_t *bytes, uint64_t mask,
                                uint64_t unit) {
  uint64_t folded = trace_get64(bytes) & mask;
  return (folded >> 1 ^ (0 - (folded & 1))) * unit;
}

/* `count` accesses of one operation: the address stays in a register, where one
 * after the other would wait for the last one's store. */
static void take_run(struct vat_block *block, struct vat_operation operation,
                     uint64_t *to, size_t count) {
  uint64_t *home =
      operation.fresh ? &block->newest : &block->places[operation.place];
  uint64_t address = *home;
  const uint8_t *delta = block->delta;
  for (size_t i = 0; i < count; i++, delta += operation.bytes)
    to[i] = address += delta_at(delta, operation.mask, operation.unit);
  *home = address;
  block->delta = delta;
  if (!operation.fresh) return;
  for (size_t i = count > RING_MASK ? count - RING_MASK - 1 : 0; i < count; i++)
    block->places[VAT_PLACE_RING + ((block->begun_places + i) & RING_MASK)] =
        to[i];
  block->begun_places += count;
}

/* Without a branch on the operation, which nothing could foretell. */
static void take_mixed(struct vat_block *block, const uint8_t *operations,
                       uint64_t *to, size_t count) {
  uint64_t newest = block->newest, begun = block->begun_places;
  uint64_t *places = block->places;
  const uint8_t *delta = block->delta;
  for (size_t i = 0; i < count; i++) {
    const struct vat_operation *operation = &block->operation[operations[i]];
    uint64_t fresh = operation->fresh;
    uint64_t address = places[operation->place] & ~fresh;
    address +=
        delta_at(delta, operation->mask, operation->unit) + (newest & fresh);
    newest = (newest & ~fresh) | (address & fresh);
    places[operation->place + (begun & fresh & RING_MASK)] = address;
    begun -= fresh;
    delta += operation->bytes;
    to[i] = address;
  }
  block->newest = newest;
  block->begun_places = begun;
  block->delta = delta;
}

/* The same where no operation begins a place, for less than half the work. */
static void take_known(struct vat_block *block, const uint8_t *operations,
                       uint64_t *to, size_t count) {
  uint64_t *places = block->places;
  const uint8_t *delta = block->delta;
  for (size_t i = 0; i < count; i++) {
    const struct vat_operation *operation = &block->operation[operations[i]];
    to[i] = places[operation->place] +=
        delta_at(delta, operation->mask, operation->unit);
    delta += operation->bytes;
  }
  block->delta = delta;
}

#define EACH_BYTE UINT64_C(0x0101010101010101)

/* How many of the next `count` operations, by eights, equal the first. */
static size_t run_length(const uint8_t *operations, size_t count) {
  uint64_t alike = operations[0] * EACH_BYTE;
  size_t length = 0;
  while (count - length >= 8 && trace_get64(operations + length) == alike)
    length += 8;
  return length;
}

/* Is one of these eight bytes below 8?  Subtracting borrows from its highest
 * bit, and first there. */
static bool any_below_8(uint64_t eight) {
  return (eight - 8 * EACH_BYTE) & ~eight & 0x80 * EACH_BYTE;
}

static void take_places(struct vat_block *block, const uint8_t *operations,
                        uint64_t *to, size_t count) {
  for (size_t i = 0, some; i < count; i += some) {
    some = run_length(operations + i, count - i);
    if (some) {
      take_run(block, block->operation[operations[i]], to + i, some);
      continue;
    }
    some = count - i < 8 ? count - i : 8;
    if (some < 8 || any_below_8(trace_get64(operations + i)))
      take_mixed(block, operations + i, to + i, some);
    else
      take_known(block, operations + i, to + i, some);
  }
}

/* By eights where all have names, which most have. */
static void take_steps(struct vat_block *block, const uint8_t *numbers,
                       uint64_t *to, size_t count) {
  uint64_t address = block->newest;
  const uint8_t *delta = block->delta;
  for (size_t i = 0; i < count;) {
    size_t end = count - i < 8 ? count : i + 8;
    if (end == i + 8 && !any_below_8(~trace_get64(numbers + i))) {
      for (; i < end; i++) to[i] = address += block->step[numbers[i]].step;
      continue;
    }
    for (; i < end; i++) {
      const struct vat_named_step *step = &block->step[numbers[i]];
      address += step->step + delta_at(delta, step->mask, step->unit);
      delta += step->bytes;
      to[i] = address;
    }
  }
  block->newest = address;
  block->delta = delta;
}

static void take_shapes(const struct vat_block *block, uint32_t *sizes,
                        uint8_t *kinds, size_t count) {
  const uint8_t *numbers = block->numbers + block->done;
  if (block->shape_count == 1) {
    uint32_t size = block->shapes[0].size;
    for (size_t i = 0; i < count; i++) sizes[i] = size;
    memset(kinds, (int)block->shapes[0].kind, count);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    struct vat_shape shape = block->shapes[numbers[i]];
    sizes[i] = shape.size;
    kinds[i] = (uint8_t)shape.kind;
  }
}

void vat_block_take(struct vat_block *block, struct trace_out *out) {
  size_t count = block->accesses - block->done, room = out->room - out->count;
  if (count > room) count = room;
  (block->step_count ? take_steps : take_places)(
      block, block->operations + block->done, out->addresses + out->count,
      count);
  take_shapes(block, out->sizes + out->count, out->kinds + out->count, count);
  block->done += count;
  out->count += count;
}
