/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/atomics.h -- atomic operations of kernels, for exactly the
 * types that CUDA has them for.
 *
 * Atomic among host threads, too: blocks may run side by side.
 */
#pragma once
#include "gpu_algos/simt/kernel_words.h"

#ifdef SIMT_COUNTED
#define SIMT_ATOMIC static inline __noinline__ SIMT_UNSEEN
#define SIMT_NOTE_ATOMIC(at) \
  simt_note_atomic((at), sizeof *(at), __builtin_return_address(0))
#else
#define SIMT_ATOMIC static __forceinline__
#define SIMT_NOTE_ATOMIC(at)
#endif

#define SIMT_FETCH(name, type, builtin)          \
  SIMT_ATOMIC type name(type *at, type value) {  \
    SIMT_NOTE_ATOMIC(at);                        \
    return builtin(at, value, __ATOMIC_RELAXED); \
  }

/* What the processor has no instruction for: tried until nobody was between.
 * `next` is made of `old` and `value`. */
#define SIMT_UPDATE(name, type, next)                                         \
  SIMT_ATOMIC type name(type *at, type value) {                               \
    SIMT_NOTE_ATOMIC(at);                                                     \
    type old, changed;                                                        \
    __atomic_load(at, &old, __ATOMIC_RELAXED);                                \
    do {                                                                      \
      changed = next;                                                         \
    } while (!__atomic_compare_exchange(at, &old, &changed, true,             \
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
    return old;                                                               \
  }

#define SIMT_COMPARE(type)                                                   \
  SIMT_ATOMIC type atomicCAS(type *at, type compare, type value) {           \
    SIMT_NOTE_ATOMIC(at);                                                    \
    __atomic_compare_exchange(at, &compare, &value, false, __ATOMIC_RELAXED, \
                              __ATOMIC_RELAXED);                             \
    return compare;                                                          \
  }

SIMT_FETCH(atomicAdd, int, __atomic_fetch_add)
SIMT_FETCH(atomicAdd, unsigned, __atomic_fetch_add)
SIMT_FETCH(atomicAdd, unsigned long long, __atomic_fetch_add)
SIMT_UPDATE(atomicAdd, float, old + value)
SIMT_UPDATE(atomicAdd, double, old + value)
SIMT_FETCH(atomicSub, int, __atomic_fetch_sub)
SIMT_FETCH(atomicSub, unsigned, __atomic_fetch_sub)
SIMT_FETCH(atomicExch, int, __atomic_exchange_n)
SIMT_FETCH(atomicExch, unsigned, __atomic_exchange_n)
SIMT_FETCH(atomicExch, unsigned long long, __atomic_exchange_n)
SIMT_UPDATE(atomicExch, float, value)
SIMT_UPDATE(atomicInc, unsigned, old >= value ? 0 : old + 1)
SIMT_UPDATE(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)
SIMT_COMPARE(int)
SIMT_COMPARE(unsigned)
SIMT_COMPARE(unsigned long long)
SIMT_COMPARE(unsigned short)

#define SIMT_LOGIC(type)                          \
  SIMT_FETCH(atomicAnd, type, __atomic_fetch_and) \
  SIMT_FETCH(atomicOr, type, __atomic_fetch_or)   \
  SIMT_FETCH(atomicXor, type, __atomic_fetch_xor)
SIMT_LOGIC(int)
SIMT_LOGIC(unsigned)
SIMT_LOGIC(unsigned long long)

#define SIMT_EXTREME(type)                                \
  SIMT_UPDATE(atomicMin, type, value < old ? value : old) \
  SIMT_UPDATE(atomicMax, type, value > old ? value : old)
SIMT_EXTREME(int)
SIMT_EXTREME(unsigned)
SIMT_EXTREME(long long)
SIMT_EXTREME(unsigned long long)
