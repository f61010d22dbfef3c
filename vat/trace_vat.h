/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/trace_vat.h -- the layout of vat's own trace format, version 1.
 *
 * doc/trace-format.md describes it; here are its numbers.  Everything is
 * little-endian; a checksum covers what comes before it in its part.
 */
#pragma once
#include <stdint.h>

/* As PNG's: it shows that a transfer took the file for text. */
#define VAT_FILE_MAGIC "\x89VAT\r\n\x1a\n"
#define VAT_BLOCK_MAGIC UINT32_C(0x4b4c4256) /* "VBLK" */
#define VAT_COUNT_UNKNOWN UINT64_MAX         /* when the header was written */

enum {
  VAT_FILE_VERSION = 1,
  VAT_FLAG_BYTE_ADDRESSES = 1, /* whole addresses, whatever the page size */

  /* File header: magic 8, version 4, flags 4, count 8, checksum 8. */
  VAT_HEADER_VERSION = 8,
  VAT_HEADER_FLAGS = 12,
  VAT_HEADER_COUNT = 16,
  VAT_HEADER_CHECKSUM = 24,
  VAT_HEADER_BYTES = 32,

  /* Block: this header, shapes, steps, the three streams, checksum.  One
   * without accesses is the trailer. */
  VAT_BLOCK_ACCESSES = 4, /* u32 after the magic */
  VAT_BLOCK_FIRST = 8,    /* u64: accesses before it */
  VAT_BLOCK_SHAPES = 16,  /* u32 */
  VAT_BLOCK_DELTAS = 20,  /* u32: bytes of deltas, unpacked */
  VAT_BLOCK_STORED = 24,  /* u32 each: stored bytes of the streams */
  VAT_BLOCK_STEPS = 36,   /* u32 */
  VAT_BLOCK_HEADER = 40,
  VAT_CHECKSUM_BYTES = 8,

  /* Streams: an operation for each access; the number of its shape, none where
   * there is but one; its delta.  The shapes stand before them. */
  VAT_STREAMS = 3,
  VAT_BLOCK_MOST = 65536, /* accesses: unpacked streams stay in L2 */
  VAT_DELTA_MOST = 8,
  VAT_SHAPES_MOST = 256,
  VAT_SHAPE_BYTES = 5, /* size 4, kind 1 */

  /* A block with steps: an operation is the number of a step, or VAT_STEP_CODED
   * + code of the length of the delta, which then is the step.  An access is at
   * the one before plus its step. */
  VAT_STEP_CODED = 248,
  VAT_STEP_BYTES = 8,

  /* A block without steps: an operation is place << 3 | code of the length of
   * the delta.  An access is at its place plus delta, and moves the place
   * there.  With VAT_PLACE_NEW it is at the last such access plus delta, and
   * moves the next place of the ring. */
  VAT_PLACE_NEW = 0,
  VAT_PLACE_FETCH = 1, /* where vat puts instructions */
  VAT_PLACE_RING = 16, /* to VAT_PLACES - 1, a power of two of them */
  VAT_PLACES = 32
};

/* By code: bytes of a delta, and what it is a multiple of.  Far ones are mostly
 * whole words: 32 bits reach 16 GiB to either side. */
static const uint8_t vat_delta_bytes[8] = {0, 1, 2, 3, 4, 4, 6, 8};
static const uint8_t vat_delta_unit[8] = {1, 1, 1, 1, 8, 1, 1, 1};
