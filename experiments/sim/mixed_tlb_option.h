/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/mixed_tlb_option.h -- --tlb of `vat sim`: as tlb_option.h has
 * it, and caches for larger pages, and coalescing:
 * "l1=64x4,l1-2m=32x4,l1-1g=4x4,l2=1536x12,l2-1g=16x4,coalesce=16k". */
#pragma once
#include <jansson.h>

#include "vat/mixed_tlb.h"

/* 0, or -1 with errno as of tlb_shape_parse(); also if a file is named. */
int mixed_tlb_parse(const char *text, struct mixed_tlb_shape *shape);

/* The value of --tlb into the struct mixed_tlb_shape `at`; "coalesce=FILE" is
 * as the calibration FILE tells. */
int mixed_tlb_option_set(void *at, const char *option, const char *text);

/* As sim_tlb_json(), with "l1-2m":[entries,ways], ... and "coalesce_bits" in
 * "tlb" where they are. */
json_t *mixed_tlb_json(const struct mixed_tlb_shape *shape);
void mixed_tlb_print(const struct mixed_tlb_shape *shape);
