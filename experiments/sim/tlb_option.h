/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/tlb_option.h -- the shape of TLBs as --tlb has it, and
 * printed. */
#pragma once
#include <jansson.h>

#include "vat/tlb.h"

/*
 * "l1=64x4,l2=1536x12,pwc=32x4": entries and ways; l2 and pwc may be missing,
 * and in any order.  "here": those of this processor.  0, or -1 if it is no
 * such shape or one that cannot be, or this processor does not tell.
 */
int tlb_shape_parse(const char *text, struct tlb_shape *shape);

enum { TLB_SHAPE_TEXT = 64 };
/* The other way round, without "here". */
const char *tlb_shape_text(const struct tlb_shape *shape,
                           char text[TLB_SHAPE_TEXT]);

/* The value of --tlb into the struct tlb_shape `at`: for rows of options. */
#define TLB_OPTION_HELP                                                        \
  "simulate TLBs instead of a TC: entries x ways of the first-level TLB, the " \
  "second-level TLB and the page-walk cache of each layer, for example "       \
  "l1=64x4,l2=1536x12,pwc=32x4; here: the TLBs of this processor"
int tlb_option_set(void *at, const char *option, const char *text);

/* {"policy":"tlb","tlb":{"l1":[entries,ways],...}}; null: there is none. */
json_t *sim_tlb_json(const struct tlb_shape *tlb);
void sim_tlb_print(const struct tlb_shape *tlb);
