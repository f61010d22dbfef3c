/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/std_sort.h -- std::sort for C.  Only where ./configure found a C++
 * compiler whose library has it in headers (HAVE_STDSORT). */
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void cpu_std_sort(uint64_t *keys, uint64_t n); /* ascending */

#ifdef __cplusplus
}
#endif
