/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/branch.h -- to branch or not to branch, said to the compiler.
 *
 * On random keys a comparison goes either way.  A branch on it is mispredicted
 * every second time, but lets the processor run ahead and start the next cache
 * miss: good where keys come from memory.  A conditional move waits for its
 * operands, but wastes nothing: good where they come from the L1 cache.  gcc
 * and clang guess which is meant, each differently; here it is stated.
 */
#pragma once
#include <stdint.h>

#include "cpu_algos/widths.h"

/* Before a loop: its body is repeated this often, which saves instructions. */
#ifdef __clang__
#define CPU_UNROLL(times) CPU_PRAGMA(clang loop unroll_count(times))
#else
#define CPU_UNROLL(times) CPU_PRAGMA(GCC unroll times)
#endif
#define CPU_PRAGMA(text) _Pragma(#text)

/* First statement of an if's body: the if is compiled to a branch. */
#define CPU_BRANCH() __asm__ volatile("")

/*
 * a < b ? yes : no without a branch.  Not by a mask: `sbb r,r` makes one on
 * x86, and Intel's processors let that wait for the old r, which chains
 * searches together that could overlap (2.2 times slower on Emerald Rapids).
 */
static inline uint64_t cpu_select_less(uint64_t a, uint64_t b, uint64_t yes,
                                       uint64_t no) {
#if defined __x86_64__
  __asm__("cmpq %2, %1\n\tcmovbq %3, %0"
          : "+r"(no)
          : "r"(a), "r"(b), "r"(yes)
          : "cc");
  return no;
#else
  return a < b ? yes : no;
#endif
}

/* 2 * k + (a < b), the way down a tree, in two instructions where gcc and clang
 * take four: a search twice as short leaves room for the next beside it. */
static inline uint64_t cpu_double_less(uint64_t a, uint64_t b, uint64_t k) {
#if defined __x86_64__
  __asm__("cmpq %2, %1\n\tadcq %0, %0" : "+r"(k) : "r"(a), "r"(b) : "cc");
  return k;
#else
  return 2 * k + (a < b);
#endif
}

/* The same where a lies in memory, and is read by the comparison itself.  An
 * instrumented program has to see it read. */
static inline uint64_t cpu_double_less_at(const uint64_t *a, uint64_t b,
                                          uint64_t k) {
#if defined __x86_64__ && !CPU_PLAIN_ACCESSES
  __asm__("cmpq %2, %1\n\tadcq %0, %0" : "+r"(k) : "m"(*a), "r"(b) : "cc");
  return k;
#else
  return cpu_double_less(*a, b, k);
#endif
}
