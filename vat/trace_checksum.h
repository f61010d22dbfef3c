/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/trace_checksum.h -- XXH64 with seed 0 (Collet, "xxHash fast digest
 * algorithm", 0.1.1), as the `vat` trace format uses it.
 *
 * Each step is a bijection of each of its inputs, so a change within one
 * 8-byte word is always seen, and any other with probability 1 - 2^-64.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

uint64_t vat_trace_checksum(const uint8_t *bytes, size_t count);
