/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_tlb.h -- the shape of simulated TLBs, printed. */
#pragma once
#include <jansson.h>

#include "vat/tlb.h"

/* {"policy":"tlb","tlb":{"l1":[entries,ways],...}}; null: there is none. */
json_t *sim_tlb_json(const struct tlb_shape *tlb);
void sim_tlb_print(const struct tlb_shape *tlb);
