/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads vat's own format.  Everything is checked before it is believed: sizes
 * against limits before the checksum, the rest after it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "vat/trace_checksum.h"
#include "vat/trace_format.h"
#include "vat/trace_vat_decode.h"
#include "vat/trace_vat_write.h"

/* Of a block in the file. */
struct layout {
  uint32_t accesses, shapes, steps;
  uint32_t raw[VAT_STREAMS], stored[VAT_STREAMS];
  size_t bytes; /* stored, in all */
};

struct vat_state {
  ZSTD_DCtx *unpacker;
  bool begun, ended;
  uint64_t promised; /* accesses, by the header */
  uint64_t before;   /* accesses before the block */
  struct vat_block block;
};

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
  return input->have >= count ? 0
                              : refuse(decoding,
                                       "cut off: the copy is incomplete, or "
                                       "the writer was stopped");
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
  vat_block_init(&vat->block);
  vat->begun = true;
  return 0;
}

/* False where a size is beyond what a block may have. */
static bool parse_layout(struct layout *layout, const uint8_t *header) {
  layout->accesses = trace_get32(header + VAT_BLOCK_ACCESSES);
  layout->shapes = trace_get32(header + VAT_BLOCK_SHAPES);
  layout->steps = trace_get32(header + VAT_BLOCK_STEPS);
  uint32_t deltas = trace_get32(header + VAT_BLOCK_DELTAS);
  if (layout->accesses > VAT_BLOCK_MOST || layout->shapes > VAT_SHAPES_MOST ||
      deltas > VAT_DELTA_MOST * layout->accesses ||
      layout->steps > VAT_STEP_CODED ||
      (layout->accesses != 0) != (layout->shapes != 0) ||
      (!layout->accesses && layout->steps))
    return false;
  layout->raw[0] = layout->accesses;
  layout->raw[1] = layout->shapes > 1 ? layout->accesses : 0;
  layout->raw[2] = deltas;
  layout->bytes = VAT_BLOCK_HEADER + layout->shapes * VAT_SHAPE_BYTES +
                  layout->steps * VAT_STEP_BYTES + VAT_CHECKSUM_BYTES;
  for (unsigned i = 0; i < VAT_STREAMS; i++) {
    layout->stored[i] = trace_get32(header + VAT_BLOCK_STORED + 4 * i);
    if (layout->stored[i] > layout->raw[i]) return false;
    layout->bytes += layout->stored[i];
  }
  return true;
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
static int unpack_block(struct vat_state *vat, const struct layout *layout,
                        const uint8_t *from) {
  struct vat_block *block = &vat->block;
  uint8_t *const to[VAT_STREAMS] = {block->operations, block->numbers,
                                    block->deltas};
  if (vat_block_shapes(block, from, layout->shapes)) return -1;
  from += layout->shapes * VAT_SHAPE_BYTES;
  vat_block_steps(block, from, layout->steps);
  from += layout->steps * VAT_STEP_BYTES;
  for (unsigned i = 0; i < VAT_STREAMS; from += layout->stored[i++])
    if (unpack_stream(vat, to[i], layout->raw[i], from, layout->stored[i]))
      return -1;
  vat_block_begin(block, layout->accesses, layout->raw[2]);
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
  struct layout layout;
  if (need(decoding, VAT_BLOCK_HEADER + VAT_CHECKSUM_BYTES)) return -1;
  if (trace_get32(decoding->input.data) != VAT_BLOCK_MAGIC ||
      !parse_layout(&layout, decoding->input.data))
    return refuse(decoding, "damaged: no header of a block");
  if (need(decoding, layout.bytes) ||
      check_sum(decoding, layout.bytes - VAT_CHECKSUM_BYTES))
    return -1;
  const uint8_t *bytes = decoding->input.data;
  vat->before += vat->block.accesses;
  if (trace_get64(bytes + VAT_BLOCK_FIRST) != vat->before)
    return refuse(decoding, "blocks are missing or not in their order");
  vat->block.accesses = vat->block.done = 0;
  if (!layout.accesses) return read_trailer(decoding);
  if (unpack_block(vat, &layout, bytes + VAT_BLOCK_HEADER))
    return refuse(decoding, "no block that vat writes");
  trace_input_skip(&decoding->input, layout.bytes);
  return 0;
}

static int decode(struct trace_decoding *decoding, struct trace_out *out) {
  struct vat_state *vat = decoding->state;
  const struct vat_block *block = &vat->block;
  if (!vat->begun && read_header(decoding)) return -1;
  while (out->count < out->room && !vat->ended) {
    if (block->done == block->accesses) {
      if (read_block(decoding)) return -1;
      continue;
    }
    vat_block_take(&vat->block, out);
    if (block->done == block->accesses && block->delta != block->delta_end)
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
    .ends = true,
};

const struct vat_trace_format vat_trace_vat = {
    .name = "vat",
    .summary = "vat's own: compact, checked, whole addresses",
    .tells_kinds = true,
    .binary = true,
    .reader = &reader,
    .encoder = &vat_trace_vat_encoder,
};
