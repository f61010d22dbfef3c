/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/bplus_avx2.h -- searching a B+ tree by AVX2.
 *
 * CPU_BPLUS_AVX2 is 1 where the compiler can; whether the processor can is for
 * the caller to ask.  AVX-512 compares a node in two instructions, not four,
 * but into mask registers, of which processors have few: on a KVM guest of Zen
 * 5 at 2^27 keys a search takes 1.3 times as long.
 */
#pragma once
#include "cpu_algos/bplus.h"
#include "cpu_algos/widths.h"

#if defined __x86_64__ && !CPU_PLAIN_ACCESSES
#define CPU_BPLUS_AVX2 1
#include <immintrin.h>

#define CPU_AVX2 __attribute__((target("avx2,popcnt")))

/* A comparison leaves 64 equal bits; of each, 16 are kept where the others'
 * are not, so that bytes count twice. */
CPU_AVX2 static inline uint64_t cpu_bplus_count_avx2(const uint64_t *node,
                                                     uint64_t stored) {
  const __m256i_u *keys = (const __m256i_u *)(const void *)node;
  __m256i wanted = _mm256_set1_epi64x((long long)stored);
  __m256i a = _mm256_cmpgt_epi64(wanted, keys[0]);
  __m256i b = _mm256_cmpgt_epi64(wanted, keys[1]);
  __m256i c = _mm256_cmpgt_epi64(wanted, keys[2]);
  __m256i d = _mm256_cmpgt_epi64(wanted, keys[3]);
  __m256i ab = _mm256_blend_epi16(a, b, 0x22);
  __m256i cd = _mm256_blend_epi16(c, d, 0x88);
  int bytes = _mm256_movemask_epi8(_mm256_blend_epi16(ab, cd, 0xcc));
  return (uint64_t)_mm_popcnt_u64((uint32_t)bytes);
}

CPU_AVX2 static inline uint64_t cpu_bplus_position_avx2(
    const struct cpu_bplus_search *search, uint64_t wanted) {
  return cpu_bplus_descend(search, wanted, cpu_bplus_count_avx2);
}
#else
#define CPU_BPLUS_AVX2 0
#endif
