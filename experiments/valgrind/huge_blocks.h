/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/huge_blocks.h -- blocks of 2 MiB that could be huge
 * pages, for the what-if (flow.h). */
#pragma once
#include "experiments/valgrind/tool.h"

Bool vt_huge_is(Addr a);
void vt_huge_mapped(Addr a, SizeT bytes, Bool anonymous);
void vt_huge_grown(Addr a, SizeT bytes); /* memory of brk() */
void vt_huge_moved(Addr from, Addr to, SizeT bytes);
