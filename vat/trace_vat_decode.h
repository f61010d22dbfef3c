/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/trace_vat_decode.h -- the accesses of an unpacked block of a vat trace.
 *
 * Internal to vat.  Nothing here fails on what a block may hold: a checksum is
 * right, so what makes no sense was written so, and any accesses will do. */
#pragma once
#include "vat/trace_format.h"
#include "vat/trace_vat.h"

/* An operation, ready for use without a branch. */
struct vat_operation {
  uint64_t mask, unit;  /* of the delta */
  uint64_t fresh;       /* all bits where it begins a place, else none */
  uint8_t bytes, place; /* of the delta; of the access, or the ring's first */
};

/* The same of a block with steps. */
struct vat_named_step {
  uint64_t step, mask, unit; /* the step that is known; of the delta */
  size_t bytes;              /* of the delta */
};

struct vat_shape {
  uint32_t size, kind;
};

struct vat_block {
  size_t done, accesses;
  const uint8_t *delta, *delta_end;
  uint64_t newest; /* address of the last access that began a place; of the last
                      one where there are steps */
  uint64_t begun_places;
  uint32_t shape_count, step_count;
  uint64_t places[VAT_PLACES];
  struct vat_shape shapes[VAT_SHAPES_MOST];
  struct vat_operation operation[256];
  struct vat_named_step step[256];
  uint8_t operations[VAT_BLOCK_MOST], numbers[VAT_BLOCK_MOST];
  /* Wide loads end behind the last delta, wherever a wrong sum leads. */
  uint8_t deltas[VAT_DELTA_MOST * (VAT_BLOCK_MOST + 1)];
};

/* Once, before all blocks. */
void vat_block_init(struct vat_block *block);

/* Read the tables; -1 where a shape is of no kind. */
int vat_block_shapes(struct vat_block *block, const uint8_t *from,
                     uint32_t count);
void vat_block_steps(struct vat_block *block, const uint8_t *from,
                     uint32_t count);

/* Begin with the first access, now that tables and streams are there. */
void vat_block_begin(struct vat_block *block, uint32_t accesses,
                     uint32_t delta_bytes);

/* As many of the accesses left as there is room for. */
void vat_block_take(struct vat_block *block, struct trace_out *out);
