/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/part_pivots.h -- between the phases of two_phase.h: samples of
 * P sorted parts, and by the pivots among them, P partitions of a piece of each
 * part. */
#pragma once
#include "gpu_algos/sort/warp_range.h"

namespace {

/* P, and where the parts begin. */
struct parts {
  uint32_t n, count;
};

__device__ __forceinline__ uint32_t part_at(const parts &all, uint32_t part) {
  return (uint32_t)((uint64_t)all.n * part / all.count);
}

/* Sample j of a part is the last element of its (j + 1)-th P-th. */
template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    take_samples(const typename KIND::stored *sorted, parts all,
                 ulonglong2 *samples) {
  uint32_t i = blockIdx.x * SORT_BLOCK + threadIdx.x, part = i / all.count;
  if (part >= all.count) return;
  uint32_t begin = part_at(all, part), end = part_at(all, part + 1);
  uint64_t place = (uint64_t)(end - begin) * (i % all.count + 1) / all.count;
  uint32_t at = begin + (uint32_t)place - 1;
  samples[i] = make_ulonglong2(KIND::key(sorted[at]), at);
}

/* cuts[p * P + i]: where the p-th partition begins in part i; p = P: its end.
 * What is before a pivot goes to the partitions before it. */
template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    cut_parts(const typename KIND::stored *sorted, parts all,
              const ulonglong2 *samples, uint32_t *cuts) {
  uint32_t cut = blockIdx.x * SORT_BLOCK + threadIdx.x;
  uint32_t p = cut / all.count, part = cut % all.count;
  if (p > all.count) return;
  uint32_t low = part_at(all, part), high = part_at(all, part + 1);
  if (p == 0) high = low;
  if (p == all.count) low = high;
  ulonglong2 pivot = make_ulonglong2(0, 0);
  if (low < high) pivot = samples[p * all.count - 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    uint64_t key = KIND::key(sorted[middle]);
    if (key < pivot.x || (key == pivot.x && middle < pivot.y))
      low = middle + 1;
    else
      high = middle;
  }
  cuts[cut] = low;
}

/* places[p * (P + 1) + i]: where in the output the piece of partition p that
 * part i has begins; i = P: where the partition ends.  A warp a partition. */
static __global__ void __launch_bounds__(SORT_BLOCK)
    place_pieces(parts all, const uint32_t *cuts, uint32_t *places) {
  uint32_t p = warp_id(), place = 0;
  if (p >= all.count) return;
  const uint32_t *begin = cuts + p * all.count, *end = begin + all.count;
  for (uint32_t i = lane_id(); i < all.count; i += 32)
    place += begin[i] - part_at(all, i);
  place = sum_of_lanes(place);
  uint32_t first_place = place;
  for (uint32_t first = 0; first < all.count; first += 32) {
    uint32_t i = first + lane_id();
    uint32_t size = i < all.count ? end[i] - begin[i] : 0;
    uint32_t through = sum_through_lanes(size);
    if (i < all.count) places[p * (all.count + 1) + i] = place + through - size;
    place += __shfl_sync(ALL_LANES, through, 31);
  }
  if (lane_id() == 0) places[p * (all.count + 1) + all.count] = place;
  /* Of P samples, and one more in the last partition; and of each part what
   * lies before the next sample: P-ths of parts. */
  uint32_t part = (all.n + all.count - 1) / all.count;
  uint32_t each = (part + all.count - 1) / all.count;
  GPU_ASSERT(place - first_place <= (2 * all.count + 1) * each);
}

}  // namespace
