/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads vat's own format.  Everything is checked before it is believed: sizes
 * against limits before the checksum, the rest after it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "vat/trace_checksum.h"
#include "vat/trace_format.h"
#include "vat/trace_vat.h"
#include "vat/trace_vat_write.h"

struct block {
  uint32_t accesses, shapes;
  uint32_t raw[VAT_STREAMS], stored[VAT_STREAMS];
  size_t bytes; /* stored, in all */
};

enum { RING_MASK = VAT_PLACES - VAT_PLACE_RING - 1 };

/* An operation, ready for use without a branch. */
struct operation {
  uint64_t mask, unit;  /* of the delta */
  uint64_t fresh;       /* all bits where it begins a place, else none */
  uint8_t bytes, place; /* of the delta; of the access, or the ring's first */
};

struct vat_state {
  ZSTD_DCtx *unpacker;
  bool begun, ended;
  uint64_t promised; /* accesses, by the header */
  uint64_t before;   /* accesses before the block */
  size_t done, accesses;
  const uint8_t *delta, *delta_end;
  uint64_t newest; /* address of the last access that began a place */
  uint64_t begun_places;
  uint32_t shape_count;
  uint64_t places[VAT_PLACES];
  struct shape {
    uint32_t size, kind;
  } shapes[VAT_SHAPES_MOST];
  struct operation operation[256];
  uint8_t operations[VAT_BLOCK_MOST], numbers[VAT_BLOCK_MOST];
  /* Wide loads end behind the last delta, wherever a wrong sum leads. */
  uint8_t deltas[VAT_DELTA_MOST * (VAT_BLOCK_MOST + 1)];
};

static void prepare_operations(struct operation operations[256]) {
  for (unsigned i = 0; i < 256; i++) {
    unsigned place = i >> 3, bytes = vat_delta_bytes[i & 7];
    bool fresh = place == VAT_PLACE_NEW;
    operations[i] = (struct operation){
        .mask = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1,
        .unit = vat_delta_unit[i & 7],
        .fresh = fresh ? UINT64_MAX : 0,
        .bytes = (uint8_t)bytes,
        .place = (uint8_t)(fresh ? VAT_PLACE_RING : place),
    };
  }
}

static int refuse(struct trace_decoding *decoding, const char *why) {
  return vat_trace_fail(decoding->error, EINVAL, "%s: offset %llu: %s",
                        decoding->input.name,
                        (unsigned long long)decoding->input.offset, why);
}

/* Have `count` bytes in the window, or refuse. */
static int need(struct trace_decoding *decoding, size_t count) {
  struct trace_input *input = &decoding->input;
  if (input->have < count && vat_trace_input_fill(input, decoding->error))
    return -1;
  return input->have >= count
             ? 0
             : refuse(
                   decoding,
                   "cut off: a copy broke off, or what wrote it never ended");
}

static int check_sum(struct trace_decoding *decoding, size_t count) {
  const uint8_t *bytes = decoding->input.data;
  return vat_trace_checksum(bytes, count) == trace_get64(bytes + count)
             ? 0
             : refuse(decoding, "damaged: the checksum is wrong");
}

static int read_header(struct trace_decoding *decoding) {
  struct vat_state *vat = decoding->state;
  if (need(decoding, VAT_HEADER_BYTES)) return -1;
  const uint8_t *header = decoding->input.data;
  if (memcmp(header, VAT_FILE_MAGIC, VAT_HEADER_VERSION))
    return refuse(decoding, "no vat trace");
  if (check_sum(decoding, VAT_HEADER_CHECKSUM)) return -1;
  if (trace_get32(header + VAT_HEADER_VERSION) != VAT_FILE_VERSION ||
      trace_get32(header + VAT_HEADER_FLAGS) != VAT_FLAG_BYTE_ADDRESSES)
    return refuse(decoding, "of a newer version of the format than 1");
  vat->promised = trace_get64(header + VAT_HEADER_COUNT);
  if (vat->promised != VAT_COUNT_UNKNOWN) decoding->claimed = vat->promised;
  trace_input_skip(&decoding->input, VAT_HEADER_BYTES);
  vat->unpacker = ZSTD_createDCtx();
  if (!vat->unpacker)
    return vat_trace_fail(decoding->error, ENOMEM, "%s: out of memory",
                          decoding->input.name);
  prepare_operations(vat->operation);
  vat->begun = true;
  return 0;
}

/* False where a size is beyond what a block may have. */
static bool parse_block(struct block *block, const uint8_t *header) {
  block->accesses = trace_get32(header + VAT_BLOCK_ACCESSES);
  block->shapes = trace_get32(header + VAT_BLOCK_SHAPES);
  uint32_t deltas = trace_get32(header + VAT_BLOCK_DELTAS);
  if (block->accesses > VAT_BLOCK_MOST || block->shapes > VAT_SHAPES_MOST ||
      deltas > VAT_DELTA_MOST * block->accesses ||
      (block->accesses != 0) != (block->shapes != 0))
    return false;
  block->raw[0] = block->accesses;
  block->raw[1] = block->shapes > 1 ? block->accesses : 0;
  block->raw[2] = deltas;
  block->bytes =
      VAT_BLOCK_HEADER + block->shapes * VAT_SHAPE_BYTES + VAT_CHECKSUM_BYTES;
  for (unsigned i = 0; i < VAT_STREAMS; i++) {
    block->stored[i] = trace_get32(header + VAT_BLOCK_STORED + 4 * i);
    if (block->stored[i] > block->raw[i]) return false;
    block->bytes += block->stored[i];
  }
  return !trace_get32(header + VAT_BLOCK_RESERVED);
}

static int unpack_stream(struct vat_state *vat, uint8_t *to, uint32_t raw,
                         const uint8_t *from, uint32_t stored) {
  if (stored == raw) {
    memcpy(to, from, raw);
    return 0;
  }
  return ZSTD_decompressDCtx(vat->unpacker, to, raw, from, stored) == raw ? 0
                                                                          : -1;
}

/* -1 where what the checksum covers makes no sense all the same. */
static int unpack_block(struct vat_state *vat, const struct block *block,
                        const uint8_t *from) {
  uint8_t *const to[VAT_STREAMS] = {vat->operations, vat->numbers, vat->deltas};
  /* A number that names no shape, which is not looked for, is a load. */
  memset(vat->shapes, 0, sizeof vat->shapes);
  for (uint32_t i = 0; i < block->shapes; i++, from += VAT_SHAPE_BYTES) {
    vat->shapes[i] = (struct shape){trace_get32(from), from[4]};
    if (from[4] >= VAT_ACCESS_KINDS) return -1;
  }
  for (unsigned i = 0; i < VAT_STREAMS; from += block->stored[i++])
    if (unpack_stream(vat, to[i], block->raw[i], from, block->stored[i]))
      return -1;
  vat->done = 0;
  vat->accesses = block->accesses;
  vat->shape_count = block->shapes;
  vat->delta = vat->deltas;
  vat->delta_end = vat->deltas + block->raw[2];
  vat->newest = vat->begun_places = 0;
  memset(vat->places, 0, sizeof vat->places);
  return 0;
}

static int read_trailer(struct trace_decoding *decoding) {
  struct vat_state *vat = decoding->state;
  if (vat->promised != VAT_COUNT_UNKNOWN && vat->promised != vat->before)
    return refuse(decoding, "the header promises another number of accesses");
  trace_input_skip(&decoding->input, VAT_BLOCK_HEADER + VAT_CHECKSUM_BYTES);
  if (vat_trace_input_fill(&decoding->input, decoding->error)) return -1;
  if (decoding->input.have)
    return refuse(decoding, "bytes behind the end of the trace");
  vat->ended = true;
  return 0;
}

static int read_block(struct trace_decoding *decoding) {
  struct vat_state *vat = decoding->state;
  struct block block;
  if (need(decoding, VAT_BLOCK_HEADER + VAT_CHECKSUM_BYTES)) return -1;
  if (trace_get32(decoding->input.data) != VAT_BLOCK_MAGIC ||
      !parse_block(&block, decoding->input.data))
    return refuse(decoding, "damaged: no header of a block");
  if (need(decoding, block.bytes) ||
      check_sum(decoding, block.bytes - VAT_CHECKSUM_BYTES))
    return -1;
  const uint8_t *bytes = decoding->input.data;
  vat->before += vat->accesses;
  if (trace_get64(bytes + VAT_BLOCK_FIRST) != vat->before)
    return refuse(decoding, "blocks are missing or not in their order");
  vat->accesses = vat->done = 0;
  if (!block.accesses) return read_trailer(decoding);
  if (unpack_block(vat, &block, bytes + VAT_BLOCK_HEADER))
    return refuse(decoding, "no block that vat writes");
  trace_input_skip(&decoding->input, block.bytes);
  return 0;
}

static inline uint64_t delta_at(const uint8_t *bytes,
                                const struct operation *operation) {
  uint64_t folded = trace_get64(bytes) & operation->mask;
  return (folded >> 1 ^ (0 - (folded & 1))) * operation->unit;
}

/* `count` accesses of one operation: the address stays in a register, where one
 * after the other would wait for the last one's store. */
static void take_run(struct vat_state *vat, struct operation operation,
                     uint64_t *to, size_t count) {
  uint64_t *home =
      operation.fresh ? &vat->newest : &vat->places[operation.place];
  uint64_t address = *home;
  const uint8_t *delta = vat->delta;
  for (size_t i = 0; i < count; i++, delta += operation.bytes)
    to[i] = address += delta_at(delta, &operation);
  *home = address;
  vat->delta = delta;
  if (!operation.fresh) return;
  for (size_t i = count > RING_MASK ? count - RING_MASK - 1 : 0; i < count; i++)
    vat->places[VAT_PLACE_RING + ((vat->begun_places + i) & RING_MASK)] = to[i];
  vat->begun_places += count;
}

/* Without a branch on the operation, which nothing could foretell. */
static void take_mixed(struct vat_state *vat, const uint8_t *operations,
                       uint64_t *to, size_t count) {
  uint64_t newest = vat->newest, begun = vat->begun_places;
  uint64_t *places = vat->places;
  const uint8_t *delta = vat->delta;
  for (size_t i = 0; i < count; i++) {
    const struct operation *operation = &vat->operation[operations[i]];
    uint64_t fresh = operation->fresh;
    uint64_t address = places[operation->place] & ~fresh;
    address += delta_at(delta, operation) + (newest & fresh);
    newest = (newest & ~fresh) | (address & fresh);
    places[operation->place + (begun & fresh & RING_MASK)] = address;
    begun -= fresh;
    delta += operation->bytes;
    to[i] = address;
  }
  vat->newest = newest;
  vat->begun_places = begun;
  vat->delta = delta;
}

/* The same where no operation begins a place, for less than half the work. */
static void take_known(struct vat_state *vat, const uint8_t *operations,
                       uint64_t *to, size_t count) {
  uint64_t *places = vat->places;
  const uint8_t *delta = vat->delta;
  for (size_t i = 0; i < count; i++) {
    const struct operation *operation = &vat->operation[operations[i]];
    to[i] = places[operation->place] += delta_at(delta, operation);
    delta += operation->bytes;
  }
  vat->delta = delta;
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

/* Is one of these eight below 8, that is, of place 0?  Subtracting borrows from
 * its highest bit, and first there. */
static bool any_new(const uint8_t operations[8]) {
  uint64_t eight = trace_get64(operations);
  return (eight - 8 * EACH_BYTE) & ~eight & 0x80 * EACH_BYTE;
}

static void take_addresses(struct vat_state *vat, uint64_t *to, size_t count) {
  const uint8_t *operations = vat->operations + vat->done;
  for (size_t i = 0, some; i < count; i += some) {
    some = run_length(operations + i, count - i);
    if (some) {
      take_run(vat, vat->operation[operations[i]], to + i, some);
      continue;
    }
    some = count - i < 8 ? count - i : 8;
    if (some < 8 || any_new(operations + i))
      take_mixed(vat, operations + i, to + i, some);
    else
      take_known(vat, operations + i, to + i, some);
  }
}

static void take_shapes(const struct vat_state *vat, uint32_t *sizes,
                        uint8_t *kinds, size_t count) {
  const uint8_t *numbers = vat->numbers + vat->done;
  if (vat->shape_count == 1) {
    uint32_t size = vat->shapes[0].size;
    for (size_t i = 0; i < count; i++) sizes[i] = size;
    memset(kinds, (int)vat->shapes[0].kind, count);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    struct shape shape = vat->shapes[numbers[i]];
    sizes[i] = shape.size;
    kinds[i] = (uint8_t)shape.kind;
  }
}

static int decode(struct trace_decoding *decoding, struct trace_out *out) {
  struct vat_state *vat = decoding->state;
  if (!vat->begun && read_header(decoding)) return -1;
  while (out->count < out->room && !vat->ended) {
    if (vat->done == vat->accesses) {
      if (read_block(decoding)) return -1;
      continue;
    }
    size_t count = vat->accesses - vat->done, room = out->room - out->count;
    if (count > room) count = room;
    take_addresses(vat, out->addresses + out->count, count);
    take_shapes(vat, out->sizes + out->count, out->kinds + out->count, count);
    vat->done += count;
    out->count += count;
    if (vat->done == vat->accesses && vat->delta != vat->delta_end)
      return refuse(decoding, "no block that vat writes");
  }
  return 0;
}

static unsigned probe(const uint8_t *head, size_t count, bool whole) {
  (void)whole;
  return count >= 8 && !memcmp(head, VAT_FILE_MAGIC, 8) ? TRACE_SURE + 1 : 0;
}

static void fini(void *state) {
  struct vat_state *vat = state;
  ZSTD_freeDCtx(vat->unpacker);
}

static const struct trace_reader reader = {
    .probe = probe,
    .decode = decode,
    .state_bytes = sizeof(struct vat_state),
    .fini = fini,
};

const struct vat_trace_format vat_trace_vat = {
    .name = "vat",
    .summary = "vat's own: compact, checked, whole addresses",
    .tells_kinds = true,
    .binary = true,
    .reader = &reader,
    .encoder = &vat_trace_vat_encoder,
};
