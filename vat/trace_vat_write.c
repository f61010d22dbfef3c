/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes vat's own format. */
#include "vat/trace_vat_write.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "vat/trace_checksum.h"
#include "vat/trace_vat.h"
#include "vat/trace_vat_steps.h"

enum {
  LEVEL = 1,     /* more take longer and save 2 % */
  SAMPLE = 4096, /* accesses that tell how to write their block */
  RING = VAT_PLACES - VAT_PLACE_RING,
  NEAR_BITS = 16, /* of a delta: of 12 to 24 the best for real programs */
  BLOCK_MOST_BYTES = VAT_BLOCK_HEADER + VAT_SHAPE_BYTES * VAT_SHAPES_MOST +
                     VAT_STEP_BYTES * VAT_STEP_CODED +
                     (2 + VAT_DELTA_MOST) * VAT_BLOCK_MOST + VAT_CHECKSUM_BYTES
};

struct vat_encoder {
  ZSTD_CCtx *packer;
  off_t start; /* of the file header; -1: not to be rewritten */
  uint64_t before;
  /* The block: */
  uint32_t accesses, shapes;
  unsigned shape; /* the last one */
  uint32_t shape_size[VAT_SHAPES_MOST];
  uint8_t shape_kind[VAT_SHAPES_MOST];
  uint8_t numbers[VAT_BLOCK_MOST];
  uint64_t addresses[VAT_BLOCK_MOST];
  /* While it is encoded: */
  uint64_t newest;          /* address of the last access that began a place */
  unsigned begun;           /* places */
  unsigned last;            /* place of the last load or store */
  uint8_t next[VAT_PLACES]; /* the place that came after, the last time */
  uint64_t places[VAT_PLACES];
  struct vat_steps steps;
  uint32_t delta_bytes;
  uint8_t operations[VAT_BLOCK_MOST];
  /* Eight bytes are written, whatever the delta takes. */
  uint8_t deltas[VAT_DELTA_MOST * (VAT_BLOCK_MOST + 1)];
};

static void begin_block(struct vat_encoder *vat) {
  vat->before += vat->accesses;
  vat->accesses = vat->shapes = 0;
}

static void make_header(uint8_t header[VAT_HEADER_BYTES], uint64_t count) {
  memcpy(header, VAT_FILE_MAGIC, VAT_HEADER_VERSION);
  trace_put32(header + VAT_HEADER_VERSION, VAT_FILE_VERSION);
  trace_put32(header + VAT_HEADER_FLAGS, VAT_FLAG_BYTE_ADDRESSES);
  trace_put64(header + VAT_HEADER_COUNT, count);
  trace_put64(header + VAT_HEADER_CHECKSUM,
              vat_trace_checksum(header, VAT_HEADER_CHECKSUM));
}

static int begin(struct trace_encoding *encoding) {
  struct vat_encoder *vat = encoding->state;
  int flags = fcntl(encoding->fd, F_GETFL);
  /* Pipes have no offset, and appending ignores the one asked for. */
  vat->start =
      flags >= 0 && !(flags & O_APPEND) ? lseek(encoding->fd, 0, SEEK_CUR) : -1;
  vat->packer = ZSTD_createCCtx();
  if (!vat->packer)
    return vat_trace_fail(encoding->error, ENOMEM, "out of memory");
  begin_block(vat);
  make_header(encoding->buffer, VAT_COUNT_UNKNOWN);
  encoding->used = VAT_HEADER_BYTES;
  return 0;
}

/* Packed only where it saves an eighth: unpacking takes longer than reading. */
static uint32_t pack(struct vat_encoder *vat, uint8_t *to, const uint8_t *from,
                     uint32_t count) {
  size_t most = count - count / 8;
  size_t packed =
      count ? ZSTD_compressCCtx(vat->packer, to, most, from, count, LEVEL) : 0;
  if (!ZSTD_isError(packed) && packed < count) return (uint32_t)packed;
  memcpy(to, from, count);
  return count;
}

/* Number of the shape; VAT_SHAPES_MOST where no more fit. */
static unsigned shape_of(struct vat_encoder *vat, uint32_t size, uint8_t kind) {
  unsigned i = vat->shape;
  if (i < vat->shapes && vat->shape_size[i] == size &&
      vat->shape_kind[i] == kind)
    return i;
  for (i = 0; i < vat->shapes; i++)
    if (vat->shape_size[i] == size && vat->shape_kind[i] == kind) return i;
  if (i == VAT_SHAPES_MOST) return i;
  vat->shape_size[i] = size;
  vat->shape_kind[i] = kind;
  vat->shapes++;
  return i;
}

/* Small for small deltas of either sign. */
static uint64_t fold(uint64_t delta) {
  return delta << 1 ^ (0 - (delta >> 63));
}

static bool very_near(const struct vat_encoder *vat, uint64_t address,
                      unsigned place) {
  return fold(address - vat->places[place]) < 1 << 8;
}

/* Instructions have a place to themselves.  Data stay at the last place, or
 * move the one that came after it the last time, if that is very near; else
 * they move the nearest; what is far from all of them gets a new one.  So
 * streams that take turns keep their places. */
static unsigned place_of(const struct vat_encoder *vat, uint64_t address,
                         uint8_t kind) {
  uint64_t least = UINT64_MAX;
  unsigned nearest = VAT_PLACE_RING, next = vat->next[vat->last];
  if (kind == VAT_FETCH) return VAT_PLACE_FETCH;
  if (very_near(vat, address, vat->last)) return vat->last;
  if (very_near(vat, address, next)) return next;
  for (unsigned i = VAT_PLACE_RING; i < VAT_PLACES; i++) {
    uint64_t other = fold(address - vat->places[i]);
    if (other >= least) continue;
    least = other;
    nearest = i;
  }
  return least >> NEAR_BITS ? VAT_PLACE_NEW : nearest;
}

/* The least code for the delta, and what to write for it. */
static unsigned code_of(uint64_t delta, uint64_t *folded) {
  uint64_t whole = fold(delta);
  for (unsigned code = 0;; code++) {
    unsigned bits = 8 * vat_delta_bytes[code], unit = vat_delta_unit[code];
    *folded = whole;
    if (unit > 1) { /* a division takes longer than all the rest */
      if (delta % unit) continue;
      /* Signed, as the unit of 2^64 - 8 is -1. */
      *folded = fold((uint64_t)((int64_t)delta / (int)unit));
    }
    if (bits == 64 || !(*folded >> bits)) return code;
  }
}

/* Puts down the delta; returns its code. */
static unsigned put_delta(struct vat_encoder *vat, uint64_t delta) {
  uint64_t folded;
  unsigned code = code_of(delta, &folded);
  trace_put64(vat->deltas + vat->delta_bytes, folded);
  vat->delta_bytes += vat_delta_bytes[code];
  return code;
}

/* The operations and deltas of the first `count` accesses. */
static void encode_places(struct vat_encoder *vat, uint32_t count) {
  vat->delta_bytes = vat->begun = 0;
  vat->newest = 0;
  vat->last = VAT_PLACE_RING;
  memset(vat->places, 0, sizeof vat->places);
  memset(vat->next, VAT_PLACE_RING, sizeof vat->next);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t address = vat->addresses[i];
    uint8_t kind = vat->shape_kind[vat->numbers[i]];
    unsigned place = place_of(vat, address, kind);
    bool fresh = place == VAT_PLACE_NEW;
    uint64_t from = fresh ? vat->newest : vat->places[place];
    vat->operations[i] = (uint8_t)(place << 3 | put_delta(vat, address - from));
    if (fresh) {
      place = VAT_PLACE_RING + vat->begun++ % RING;
      vat->newest = address;
    }
    vat->places[place] = address;
    if (kind == VAT_FETCH || place == vat->last) continue;
    vat->next[vat->last] = (uint8_t)place;
    vat->last = place;
  }
}

/* The same, by steps. */
static void encode_steps(struct vat_encoder *vat, uint32_t count) {
  uint64_t before = 0;
  vat->delta_bytes = 0;
  for (uint32_t i = 0; i < count; before = vat->addresses[i++]) {
    uint64_t step = vat->addresses[i] - before;
    uint32_t number = vat_steps_number(&vat->steps, step);
    if (number == VAT_STEP_CODED) number += put_delta(vat, step);
    vat->operations[i] = (uint8_t)number;
  }
}

/* Encode the block in the way that packs its first accesses better. */
static void encode(struct vat_encoder *vat, uint8_t *scratch) {
  uint32_t sizes[2];
  vat->steps.named = 0;
  if (vat->accesses >= SAMPLE)
    vat_steps_choose(&vat->steps, vat->addresses, vat->accesses);
  for (int i = 0; i < 2 && vat->steps.named; i++) {
    (i ? encode_steps : encode_places)(vat, SAMPLE);
    sizes[i] = pack(vat, scratch, vat->operations, SAMPLE) +
               pack(vat, scratch, vat->deltas, vat->delta_bytes);
  }
  if (vat->steps.named && sizes[1] > sizes[0]) vat->steps.named = 0;
  (vat->steps.named ? encode_steps : encode_places)(vat, vat->accesses);
}

static uint8_t *put_tables(const struct vat_encoder *vat, uint8_t *to) {
  for (uint32_t i = 0; i < vat->shapes; i++, to += VAT_SHAPE_BYTES) {
    trace_put32(to, vat->shape_size[i]);
    to[4] = vat->shape_kind[i];
  }
  for (uint32_t i = 0; i < vat->steps.named; i++, to += VAT_STEP_BYTES)
    trace_put64(to, vat->steps.sorted[i].step);
  return to;
}

static int write_block(struct trace_encoding *encoding) {
  struct vat_encoder *vat = encoding->state;
  const uint8_t *const from[VAT_STREAMS] = {vat->operations, vat->numbers,
                                            vat->deltas};
  uint8_t *header = vat_trace_encoding_room(encoding, BLOCK_MOST_BYTES);
  if (!header) return -1;
  encode(vat, header);
  const uint32_t raw[VAT_STREAMS] = {
      vat->accesses, vat->shapes > 1 ? vat->accesses : 0, vat->delta_bytes};
  memset(header, 0, VAT_BLOCK_HEADER);
  trace_put32(header, VAT_BLOCK_MAGIC);
  trace_put32(header + VAT_BLOCK_ACCESSES, vat->accesses);
  trace_put64(header + VAT_BLOCK_FIRST, vat->before);
  trace_put32(header + VAT_BLOCK_SHAPES, vat->shapes);
  trace_put32(header + VAT_BLOCK_DELTAS, vat->delta_bytes);
  trace_put32(header + VAT_BLOCK_STEPS, vat->steps.named);
  uint8_t *p = put_tables(vat, header + VAT_BLOCK_HEADER);
  for (unsigned i = 0; i < VAT_STREAMS; i++) {
    uint32_t stored = pack(vat, p, from[i], raw[i]);
    trace_put32(header + VAT_BLOCK_STORED + 4 * i, stored);
    p += stored;
  }
  trace_put64(p, vat_trace_checksum(header, (size_t)(p - header)));
  encoding->used += (size_t)(p - header) + VAT_CHECKSUM_BYTES;
  begin_block(vat);
  return 0;
}

/* False where the access needs a new block. */
static bool add(struct vat_encoder *vat, uint64_t address, uint32_t size,
                uint8_t kind) {
  unsigned shape = shape_of(vat, size, kind);
  if (shape == VAT_SHAPES_MOST || vat->accesses == VAT_BLOCK_MOST) return false;
  vat->addresses[vat->accesses] = address;
  vat->numbers[vat->accesses++] = (uint8_t)shape;
  vat->shape = shape;
  return true;
}

static int write_accesses(struct trace_encoding *encoding,
                          const struct vat_accesses *from, size_t count) {
  struct vat_encoder *vat = encoding->state;
  for (size_t i = 0; i < count;) {
    if (add(vat, from->addresses[i], from->sizes[i], from->kinds[i]))
      i++;
    else if (write_block(encoding))
      return -1;
  }
  return 0;
}

/* Now that the count is known, tell it in front where that can be done. */
static int finish(struct trace_encoding *encoding) {
  struct vat_encoder *vat = encoding->state;
  uint8_t header[VAT_HEADER_BYTES];
  if (vat->accesses && write_block(encoding)) return -1;
  if (write_block(encoding) || vat_trace_encoding_flush(encoding)) return -1;
  make_header(header, vat->before);
  if (vat->start < 0 ||
      pwrite(encoding->fd, header, sizeof header, vat->start) == sizeof header)
    return 0;
  int code = errno;
  return vat_trace_fail(encoding->error, code, "%s: %s", encoding->name,
                        strerror(code));
}

static void fini(void *state) {
  struct vat_encoder *vat = state;
  ZSTD_freeCCtx(vat->packer);
}

const struct trace_encoder vat_trace_vat_encoder = {
    .state_bytes = sizeof(struct vat_encoder),
    .begin = begin,
    .write = write_accesses,
    .finish = finish,
    .fini = fini,
};
