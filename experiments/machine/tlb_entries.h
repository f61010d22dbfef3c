/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/tlb_entries.h -- how many translations a processor
 * keeps: what stands for the W of its translation cache.
 */
#pragma once
#include <stdint.h>

#include "experiments/machine/cpu_id.h"

/* Entries of the second-level data TLB that 4 KiB pages may use; 1536, which
 * many have, for a processor that is not in the table. */
uint64_t tlb_entries(const struct cpu_id *id);
