/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/warp_sort.h -- a warp sorts what its registers hold.
 *
 * Jurkiewicz, PhD thesis, section 4.2.1: registers are a table of ROWS rows and
 * 32 columns, a lane a column.  Columns are sorted by a sorting network whose
 * wires are registers, Batcher's; then sorted columns are merged two by two,
 * each time by steps between lanes, which shuffle (bitonic, horizontal), and
 * steps within them (vertical).  No address depends on data, so that the table
 * stays in registers once loops are unrolled, and no shared memory is used.
 *
 * Shuffles of a row: 15 to sort and log2 ROWS / 2 to turn columns into rows.
 */
#pragma once
#include "gpu_algos/sort/sort_kinds.h"

namespace {

/* 2^ROWS_LG = ROWS. */
template <int ROWS>
struct rows_lg {
  enum { value = 1 + rows_lg<ROWS / 2>::value };
};
template <>
struct rows_lg<1> {
  enum { value = 0 };
};

/*
 * What is sorted lies, in the end, row by row.  So that this takes no more than
 * exchanging each bit of the row's number for one of the lane's, the lanes are
 * sorted in the order of their bits rotated: the low ones, as many as rows
 * have, count most.  The bit of a lane that counts as 2^place:
 */
template <int ROWS>
__device__ __forceinline__ constexpr int lane_bit(int place) {
  int low = 5 - rows_lg<ROWS>::value;
  return 1 << (place >= low ? place - low : place + rows_lg<ROWS>::value);
}

/* All that count as 2^place or less. */
template <int ROWS>
__device__ __forceinline__ constexpr int lane_bits(int place) {
  int bits = 0;
  for (int i = 0; i <= place; i++) bits |= lane_bit<ROWS>(i);
  return bits;
}

template <class KIND>
__device__ __forceinline__ void put_in_order(typename KIND::held &a,
                                             typename KIND::held &b) {
  bool wrong = KIND::before(b, a);
  typename KIND::held first = wrong ? b : a;
  b = wrong ? a : b;
  a = first;
}

/* The lower or the higher of mine and the other lane's; that one does the
 * opposite, and keeps its own where they are the same. */
template <class KIND>
__device__ __forceinline__ typename KIND::held keep(typename KIND::held mine,
                                                    typename KIND::held other,
                                                    bool lower) {
  return KIND::before(other, mine) == lower ? other : mine;
}

/* Batcher's odd-even merge sort: Knuth, The Art of Computer Programming 3,
 * 5.2.2, algorithm M: groups of P become groups of 2 P, at distances K. */
template <class KIND, int P, int K, int ROWS>
__device__ __forceinline__ void sort_columns(
    typename KIND::held (&rows)[ROWS]) {
#pragma unroll
  for (int i = K % P; i + K < ROWS; i++)
    if (!((i - K % P) & K) && (i & -2 * P) == ((i + K) & -2 * P))
      put_in_order<KIND>(rows[i], rows[i + K]);
  if constexpr (K > 1)
    sort_columns<KIND, P, K / 2>(rows);
  else if constexpr (2 * P < ROWS)
    sort_columns<KIND, 2 * P, 2 * P>(rows);
}

/* Columns that are bitonic. */
template <class KIND, int D, int ROWS>
__device__ __forceinline__ void merge_columns(
    typename KIND::held (&rows)[ROWS]) {
#pragma unroll
  for (int i = 0; i < ROWS; i++)
    if (!(i & D)) put_in_order<KIND>(rows[i], rows[i + D]);
  if constexpr (D > 1) merge_columns<KIND, D / 2>(rows);
}

/* Groups of 2^(PLACE + 1) lanes that are bitonic, row by row. */
template <class KIND, int PLACE, int ROWS>
__device__ __forceinline__ void merge_rows(typename KIND::held (&rows)[ROWS]) {
  constexpr int bit = lane_bit<ROWS>(PLACE);
  bool lower = !(lane_id() & bit);
#pragma unroll
  for (int i = 0; i < ROWS; i++)
    rows[i] = keep<KIND>(rows[i], KIND::exchange(rows[i], bit), lower);
  if constexpr (PLACE > 0) merge_rows<KIND, PLACE - 1>(rows);
}

/* Groups of 2^PLACE lanes, after those that are smaller, become groups of twice
 * as many: what is i-th from the left meets what is i-th from the right; then
 * both halves are bitonic, and everything in the one is before all of the
 * other. */
template <class KIND, int PLACE, int ROWS>
__device__ __forceinline__ void merge_lanes(typename KIND::held (&rows)[ROWS]) {
  if constexpr (PLACE > 0) merge_lanes<KIND, PLACE - 1>(rows);
  constexpr int across = lane_bits<ROWS>(PLACE);
  bool lower = !(lane_id() & lane_bit<ROWS>(PLACE));
#pragma unroll
  for (int i = 0; i < ROWS / 2; i++) {
    typename KIND::held &top = rows[i], &bottom = rows[ROWS - 1 - i];
    typename KIND::held of_bottom = KIND::exchange(bottom, across);
    typename KIND::held of_top = KIND::exchange(top, across);
    top = keep<KIND>(top, of_bottom, lower);
    bottom = keep<KIND>(bottom, of_top, lower);
  }
  if constexpr (PLACE > 0) merge_rows<KIND, PLACE - 1>(rows);
  merge_columns<KIND, ROWS / 2>(rows);
}

/* Exchanges bit by bit the number of the row for that of the lane. */
template <class KIND, int BIT, int ROWS>
__device__ __forceinline__ void columns_to_rows(
    typename KIND::held (&rows)[ROWS]) {
  bool high = lane_id() & BIT;
#pragma unroll
  for (int i = 0; i < ROWS; i++) {
    if (i & BIT) continue;
    typename KIND::held top = rows[i], bottom = rows[i + BIT];
    typename KIND::held got = KIND::exchange(high ? top : bottom, BIT);
    rows[i] = high ? got : top;
    rows[i + BIT] = high ? bottom : got;
  }
  if constexpr (2 * BIT < ROWS) columns_to_rows<KIND, 2 * BIT>(rows);
}

/* By a whole warp, 2 to 32 rows, a power of two: row by row, and in a row lane
 * by lane, they ascend. */
template <class KIND, int ROWS>
__device__ __forceinline__ void warp_sort(typename KIND::held (&rows)[ROWS]) {
  static_assert(ROWS >= 2 && ROWS <= 32 && !(ROWS & (ROWS - 1)),
                "rows are exchanged for lanes by bits");
  sort_columns<KIND, 1, 1>(rows);
  merge_lanes<KIND, 4>(rows);
  columns_to_rows<KIND, 1>(rows);
}

}  // namespace
