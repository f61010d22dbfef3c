/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/tlb_here.h -- the TLBs of a processor, as it tells of
 * them.
 *
 * Programs that go by powers of two, such as a binary search, find most of a
 * set-associative TLB closed to them: their pages belong to few of its sets.
 */
#pragma once
#include "vat/mixed_tlb.h"

/* eax, ebx, ecx, edx of a leaf; zeros where there is none. */
typedef void tlb_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/* Both levels for data on 4 KiB pages.  0, or -1 with errno ENOTSUP if it does
 * not tell of any. */
int tlb_of_cpuid(struct tlb_shape *shape, tlb_cpuid *cpuid);
int tlb_here(struct tlb_shape *shape);

/* That of instruction fetches, for pages of 4 KiB and, from[0], of 2 MiB; no
 * second level where it is that of data.  As above. */
int itlb_of_cpuid(struct mixed_tlb_shape *shape, tlb_cpuid *cpuid);
int itlb_here(struct mixed_tlb_shape *shape);
