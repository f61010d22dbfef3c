/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/trace_vat_steps.h -- which steps a block of a vat trace should name.
 *
 * Internal to vat.  A step is an address less the one before, modulo 2^64. */
#pragma once
#include <stdint.h>

#include "vat/trace_vat.h"

enum {
  VAT_STEPS_SLOTS = 8192, /* a power of two */
  /* Different steps that a block may have to be worth a table: so many, and one
   * for so many accesses. */
  VAT_STEPS_FREE = 256,
  VAT_STEPS_EVERY = 16,
  VAT_STEPS_DIFFERENT = VAT_STEPS_FREE + VAT_BLOCK_MOST / VAT_STEPS_EVERY
};

struct vat_step {
  uint64_t step;
  uint32_t count;  /* accesses that take it; 0: a free slot */
  uint32_t number; /* VAT_STEP_CODED: none */
};

struct vat_steps {
  uint32_t different;
  uint32_t named; /* the first so many of `sorted` */
  struct vat_step slots[VAT_STEPS_SLOTS];
  struct vat_step sorted[VAT_STEPS_DIFFERENT];
};

/* Number the steps of these addresses that are worth it, most frequent first.
 * None are `named` where more than an eighth of the accesses would have none.
 */
void vat_steps_choose(struct vat_steps *steps, const uint64_t *addresses,
                      uint32_t count);

/* The number of a step that vat_steps_choose() saw. */
uint32_t vat_steps_number(const struct vat_steps *steps, uint64_t step);
