/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/sort_kinds.h -- what the sorts of this folder sort: their
 * templates take one of these kinds.
 *
 * A kind says what lies in memory (`stored`) and what a thread holds of it
 * while it sorts (`held`).  No two of those that differ are equal, as
 * Jurkiewicz, PhD thesis, proof of theorem 4.2, has it: where equal keys can be
 * told apart, what is held knows where it lay, so that what sorts by merging is
 * stable.
 */
#pragma once
#include "gpu_algos/warp/lanes.h"

namespace {

/* Those of `among` (one bit a lane, the same for all) whose word is least. */
__device__ __forceinline__ uint32_t least_lanes(uint32_t among, uint32_t word) {
  bool asked = among >> lane_id() & 1;
  uint32_t least = __reduce_min_sync(ALL_LANES, asked ? word : ~0u);
  return __ballot_sync(ALL_LANES, asked && word == least);
}

__device__ __forceinline__ uint32_t least_lanes(uint32_t among,
                                                uint64_t number) {
  among = least_lanes(among, (uint32_t)(number >> 32));
  return least_lanes(among, (uint32_t)number);
}

/* What is common to keys that are nothing but numbers: equal ones are the same.
 */
template <class NUMBER>
struct number_kind {
  typedef NUMBER stored;
  typedef NUMBER held;
  static __device__ __forceinline__ held take(stored key, uint32_t) {
    return key;
  }
  static __device__ __forceinline__ stored give(held key) { return key; }
  static __device__ __forceinline__ uint64_t key(stored key) { return key; }
  static __device__ __forceinline__ held last() { return (NUMBER) ~(NUMBER)0; }
  static __device__ __forceinline__ bool before(held a, held b) {
    return a < b;
  }
  static __device__ __forceinline__ held exchange(held key, int mask) {
    return __shfl_xor_sync(ALL_LANES, key, mask);
  }
  static __device__ __forceinline__ held of_lane(held key, uint32_t lane) {
    return __shfl_sync(ALL_LANES, key, (int)lane);
  }
  static __device__ __forceinline__ uint32_t least(uint32_t among, held key) {
    return least_lanes(among, key);
  }
};

typedef number_kind<uint32_t> keys32;
typedef number_kind<uint64_t> keys64;

/* A number of 64 bits and a word that goes with it. */
struct marked {
  uint64_t number;
  uint32_t word;
};

struct marked_kind {
  typedef marked held;
  static __device__ __forceinline__ held exchange(held a, int mask) {
    return {__shfl_xor_sync(ALL_LANES, a.number, mask),
            __shfl_xor_sync(ALL_LANES, a.word, mask)};
  }
  static __device__ __forceinline__ held of_lane(held a, uint32_t lane) {
    return {__shfl_sync(ALL_LANES, a.number, (int)lane),
            __shfl_sync(ALL_LANES, a.word, (int)lane)};
  }
  static __device__ __forceinline__ held last() { return {~(uint64_t)0, ~0u}; }
};

/* A key of 32 bits above a value of 32, by key.  What is held has the key above
 * the place, and the value apart. */
struct pairs32 : marked_kind {
  typedef uint64_t stored;
  static __device__ __forceinline__ held take(stored pair, uint32_t place) {
    return {pair >> 32 << 32 | place, (uint32_t)pair};
  }
  static __device__ __forceinline__ stored give(held a) {
    return a.number >> 32 << 32 | a.word;
  }
  static __device__ __forceinline__ uint64_t key(stored pair) {
    return pair >> 32;
  }
  static __device__ __forceinline__ bool before(held a, held b) {
    return a.number < b.number;
  }
  static __device__ __forceinline__ uint32_t least(uint32_t among, held a) {
    return least_lanes(among, a.number);
  }
};

/* Keys of up to 64 bits and, as equal ones are to be told apart, the place they
 * were taken from. */
struct samples64 : marked_kind {
  typedef ulonglong2 stored;
  static __device__ __forceinline__ held take(stored sample, uint32_t) {
    return {sample.x, (uint32_t)sample.y};
  }
  static __device__ __forceinline__ stored give(held a) {
    return make_ulonglong2(a.number, a.word);
  }
  static __device__ __forceinline__ bool before(held a, held b) {
    return a.number < b.number || (a.number == b.number && a.word < b.word);
  }
  static __device__ __forceinline__ uint32_t least(uint32_t among, held a) {
    return least_lanes(least_lanes(among, a.number), a.word);
  }
};

}  // namespace
