/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/itlb_option.h -- --itlb: the TLB of instruction fetches, as
 * mixed_tlb_option.h has shapes, for pages of 4 KiB and of 2 MiB:
 * "l1=128x8,l1-2m=8x8" where fetches and data share the second level,
 * "l1=64x64,l2=512x8" where fetches have one of their own.  "here": that of
 * this processor. */
#pragma once
#include <jansson.h>
#include <stdio.h>

#include "vat/mixed_tlb.h"

#define ITLB_OPTION_HELP                                                      \
  "the TLB of instruction fetches: entries x ways of the first level, and "   \
  "with l1-2m that for pages of 2 MiB, for example l1=128x8,l1-2m=8x8; with " \
  "l2, fetches have a second level of their own, without it they share that " \
  "of data; here, the default: the TLB of this processor"

/* 0, or -1 with errno as of tlb_shape_parse(). */
int itlb_shape_parse(const char *text, struct mixed_tlb_shape *shape);

/* The value of --itlb into the struct mixed_tlb_shape `at`. */
int itlb_option_set(void *at, const char *option, const char *text);

enum { ITLB_SHAPE_TEXT = 96 };
/* The other way round, without "here". */
const char *itlb_shape_text(const struct mixed_tlb_shape *shape,
                            char text[ITLB_SHAPE_TEXT]);

/* {"l1":[entries,ways],"l1-2m":...,"l2":...,"l2-2m":...}; null: of "-2m", as
 * for 4 KiB; of l2, that of data. */
json_t *itlb_json(const struct mixed_tlb_shape *shape);
