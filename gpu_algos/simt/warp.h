/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/warp.h -- operations of a warp, as kernels spell them. */
#pragma once
#include <string.h>

#include "gpu_algos/simt/kernel_words.h"

static __forceinline__ void __syncwarp(unsigned mask = 0xffffffffu,
                                       SIMT_CALLED_AT) {
  simt_warp(0, mask, SIMT_HOW(SIMT_SYNC, 32), 0, {file, line});
}
static __forceinline__ unsigned __ballot_sync(unsigned mask, int predicate,
                                              SIMT_CALLED_AT) {
  return (unsigned)simt_warp((unsigned)predicate, mask, SIMT_HOW(SIMT_VOTE, 32),
                             0, {file, line});
}
static __forceinline__ int __any_sync(unsigned mask, int predicate,
                                      SIMT_CALLED_AT) {
  return __ballot_sync(mask, predicate, file, line) != 0;
}
static __forceinline__ int __all_sync(unsigned mask, int predicate,
                                      SIMT_CALLED_AT) {
  return __ballot_sync(mask, predicate, file, line) == mask;
}

/* The bits of a value that a lane can hand on. */
template <class T>
static __forceinline__ uint64_t simt_bits(T value) {
  static_assert(sizeof(T) <= 8, "lanes hand on at most 8 bytes");
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
static __forceinline__ T simt_value(uint64_t bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

#define SIMT_SHUFFLE_CALL(name, op, type)                               \
  template <class T>                                                    \
  static __forceinline__ T name(unsigned mask, T value, type lane,      \
                                int width = 32, SIMT_CALLED_AT) {       \
    return simt_value<T>(simt_warp(simt_bits(value), mask,              \
                                   SIMT_HOW(op, width), (unsigned)lane, \
                                   {file, line}));                      \
  }
SIMT_SHUFFLE_CALL(__shfl_sync, SIMT_SHUFFLE, int)
SIMT_SHUFFLE_CALL(__shfl_up_sync, SIMT_SHUFFLE_UP, unsigned)
SIMT_SHUFFLE_CALL(__shfl_down_sync, SIMT_SHUFFLE_DOWN, unsigned)
SIMT_SHUFFLE_CALL(__shfl_xor_sync, SIMT_SHUFFLE_XOR, int)

template <class T>
static __forceinline__ unsigned __match_any_sync(unsigned mask, T value,
                                                 SIMT_CALLED_AT) {
  return (unsigned)simt_warp(simt_bits(value), mask,
                             SIMT_HOW(SIMT_MATCH_ANY, 32), 0, {file, line});
}
template <class T>
static __forceinline__ unsigned __match_all_sync(unsigned mask, T value,
                                                 int *all, SIMT_CALLED_AT) {
  unsigned lanes = (unsigned)simt_warp(
      simt_bits(value), mask, SIMT_HOW(SIMT_MATCH_ALL, 32), 0, {file, line});
  *all = lanes != 0;
  return lanes;
}

#define SIMT_REDUCE_CALL(name, op)                                    \
  static __forceinline__ unsigned name(unsigned mask, unsigned value, \
                                       SIMT_CALLED_AT) {              \
    return (unsigned)simt_warp(value, mask, SIMT_HOW(op, 32), 0,      \
                               {file, line});                         \
  }
SIMT_REDUCE_CALL(__reduce_add_sync, SIMT_REDUCE_ADD)
SIMT_REDUCE_CALL(__reduce_min_sync, SIMT_REDUCE_MIN)
SIMT_REDUCE_CALL(__reduce_max_sync, SIMT_REDUCE_MAX)
SIMT_REDUCE_CALL(__reduce_and_sync, SIMT_REDUCE_AND)
SIMT_REDUCE_CALL(__reduce_or_sync, SIMT_REDUCE_OR)
SIMT_REDUCE_CALL(__reduce_xor_sync, SIMT_REDUCE_XOR)

/* Signed values in the order of unsigned ones: the sign bit turned over. */
static __forceinline__ unsigned simt_ordered(int value) {
  return (unsigned)value ^ 0x80000000u;
}
static __forceinline__ int __reduce_add_sync(unsigned mask, int value,
                                             SIMT_CALLED_AT) {
  return (int)__reduce_add_sync(mask, (unsigned)value, file, line);
}
static __forceinline__ int __reduce_min_sync(unsigned mask, int value,
                                             SIMT_CALLED_AT) {
  return (int)simt_ordered(
      (int)__reduce_min_sync(mask, simt_ordered(value), file, line));
}
static __forceinline__ int __reduce_max_sync(unsigned mask, int value,
                                             SIMT_CALLED_AT) {
  return (int)simt_ordered(
      (int)__reduce_max_sync(mask, simt_ordered(value), file, line));
}
