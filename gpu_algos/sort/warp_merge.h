/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/warp_merge.h -- a warp merges sorted streams in its registers:
 * Jurkiewicz, PhD thesis, algorithm 9 (k-merge).
 *
 * A block is a row of 32.  Whenever there is room, a block is read from the
 * stream whose last element read, its rank, is the smallest; then all that the
 * registers hold is sorted, and all but the K - 1 largest blocks are put out
 * (theorem 4.2: no stream can have anything smaller).  Streams are filled up
 * with what is behind everything else, which is never put out.
 */
#pragma once
#include "gpu_algos/sort/warp_sort.h"

namespace {

/* Of a lane: the stream in[at .. end), what is left of it. */
template <class KIND>
struct stream {
  uint32_t at, end;
  typename KIND::held rank; /* all up to here is read */

  /* Nothing is: what the kind has that is before all else would do, but as
   * equal ranks are told apart by the stream, so does the least number. */
  __device__ __forceinline__ stream(uint32_t begin, uint32_t behind)
      : at(begin), end(behind), rank() {}
  __device__ __forceinline__ bool open() const { return at < end; }
};

/* Elements at `at` .. `at` + 32, those that are before `end`. */
template <class KIND>
__device__ __forceinline__ typename KIND::held read_block(
    const typename KIND::stored *in, uint32_t at, uint32_t end) {
  uint32_t place = at + lane_id();
  return place < end ? KIND::take(in[place], place) : KIND::last();
}

template <class KIND>
__device__ __forceinline__ void write_block(typename KIND::stored *out,
                                            uint32_t at, uint32_t end,
                                            typename KIND::held block) {
  uint32_t place = at + lane_id();
  if (place < end) out[place] = KIND::give(block);
}

/* Lines 5 and 6.  Nothing but what is behind all where no stream is open. */
template <class KIND>
__device__ __forceinline__ typename KIND::held read_next(
    const typename KIND::stored *in, stream<KIND> &mine) {
  uint32_t open = __ballot_sync(ALL_LANES, mine.open());
  if (!open) return KIND::last();
  uint32_t next = __ffs((int)KIND::least(open, mine.rank)) - 1;
  typename KIND::held block =
      read_block<KIND>(in, __shfl_sync(ALL_LANES, mine.at, (int)next),
                       __shfl_sync(ALL_LANES, mine.end, (int)next));
  typename KIND::held largest = KIND::of_lane(block, 31);
  if (lane_id() == next) {
    mine.at += 32;
    mine.rank = largest;
  }
  return block;
}

/*
 * By a whole warp: lane i < K has the i-th stream of `in`, the others empty
 * ones; out[at .. end) gets them merged, and is as long as all of them.  Equal
 * elements that can be told apart come in the order of where they lie, which
 * has to be that of the streams.  No stream goes beyond 2^32 - 64.
 *
 * Not inline, as is sort_tile(): thousands of instructions once they are
 * unrolled.
 */
template <class KIND, int K, int ROWS>
__device__ __noinline__ void warp_merge(const typename KIND::stored *in,
                                        stream<KIND> mine,
                                        typename KIND::stored *out, uint32_t at,
                                        uint32_t end) {
  static_assert(ROWS >= K && K <= 32, "memory can fit at least K blocks");
  enum { FREE = ROWS - (K - 1) };
  typename KIND::held rows[ROWS];
  GPU_ASSERT(__reduce_add_sync(ALL_LANES, mine.end - mine.at) == end - at);
  if (at == end) return;
#pragma unroll
  for (int i = FREE; i < ROWS; i++) rows[i] = KIND::last();
  bool first = true;
  typename KIND::held written = typename KIND::held(); /* to be asserted */
  for (;;) {
#pragma unroll
    for (int i = 0; i < ROWS; i++)
      if (i < FREE || first) rows[i] = read_next<KIND>(in, mine);
    warp_sort<KIND>(rows);
    /* Theorem 4.2. */
    GPU_ASSERT(lane_id() || first || !KIND::before(rows[0], written));
    if (GPU_ASSERTS) written = KIND::of_lane(rows[FREE - 1], 31);
    first = false;
    bool more = __any_sync(ALL_LANES, mine.open());
#pragma unroll
    for (int i = 0; i < ROWS; i++)
      if (i < FREE || !more)
        write_block<KIND>(out, at + 32 * (uint32_t)i, end, rows[i]);
    if (!more) return;
    at += 32 * FREE;
  }
}

}  // namespace
