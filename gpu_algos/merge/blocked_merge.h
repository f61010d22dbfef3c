/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/merge/blocked_merge.h -- merging in blocks that fit shared memory:
 * Satish, Harris, Garland, IPDPS 2009, as in Ma, PhD thesis, section 4.4.1.
 *
 * Each of two runs, A and B, is cut in sections of Z / 4 keys.  Where each
 * section begins is looked up in the other run: so both are cut into as many
 * pieces as there are sections, of at most Z / 4 keys each, and pieces of the
 * same number hold neighbours of the answer.  A block merges two pieces, from
 * one half of its shared memory to the other: the rank of a key is its own
 * place and that in the other piece.  Of equal keys those of A come first.
 */
#pragma once
#include "gpu_algos/merge/shape.h"

namespace {

/* Runs of `run` keys side by side, of which each two are merged; the last one
 * may be shorter, or alone. */
struct merge_runs {
  uint32_t n, run;
  uint32_t section;  /* keys */
  uint32_t sections; /* of a run */
};

/* Two runs, and pieces of them. */
struct merge_pair {
  uint32_t first;        /* where the first begins, and the answer */
  uint32_t a_end, b_end; /* how many keys each has */
};

__device__ __host__ __forceinline__ merge_pair pair_of(const merge_runs &runs,
                                                       uint32_t pair) {
  uint64_t first = 2 * (uint64_t)runs.run * pair, left = runs.n - first;
  uint32_t a_end = left < runs.run ? (uint32_t)left : runs.run;
  left -= a_end;
  return {(uint32_t)first, a_end, left < runs.run ? (uint32_t)left : runs.run};
}

/* How many of `keys` come before a key: those below it, or, as they are of A
 * and it is of B, those no larger. */
template <class KEY>
__device__ __forceinline__ uint32_t rank_in(const KEY *keys, uint32_t count,
                                            KEY key, bool key_of_b) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    KEY other = keys[middle];
    if (other < key || (key_of_b && other == key))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* A thread a section: where it is cut off, in A and in B, goes to the number of
 * the piece, which is that of sections before it. */
template <class KEY>
__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    merge_cuts(const KEY *in, merge_runs runs, uint32_t pieces, uint2 *cuts) {
  uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number >= pieces) return;
  uint32_t pair = number / (2 * runs.sections);
  uint32_t section = number - pair * 2 * runs.sections;
  merge_pair both = pair_of(runs, pair);
  const KEY *a = in + both.first, *b = a + both.a_end;
  bool of_b = section >= runs.sections;
  uint32_t behind = of_b ? runs.sections : 0;
  uint32_t at = (section - behind) * runs.section;
  uint32_t other = of_b ? rank_in(a, both.a_end, b[at], true)
                        : rank_in(b, both.b_end, a[at], false);
  uint32_t before = (other + runs.section - 1) / runs.section;
  cuts[number - behind + before] =
      of_b ? make_uint2(other, at) : make_uint2(at, other);
}

/* A block a piece of A and one of B, side by side. */
template <class KEY>
__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    merge_pieces(const KEY *in, merge_runs runs, uint32_t pieces,
                 const uint2 *cuts, KEY *out) {
  KEY *keys = shared_keys<KEY>(), *merged = keys + 2 * runs.section;
  uint32_t pair = blockIdx.x / (2 * runs.sections), next = blockIdx.x + 1;
  merge_pair both = pair_of(runs, pair);
  uint2 from = cuts[blockIdx.x], to = make_uint2(both.a_end, both.b_end);
  if (next < pieces && next % (2 * runs.sections)) to = cuts[next];
  const KEY *a = in + both.first + from.x;
  const KEY *b = in + both.first + both.a_end + from.y;
  uint32_t of_a = to.x - from.x, of_b = to.y - from.y;
  for (uint32_t i = threadIdx.x; i < of_a + of_b; i += blockDim.x)
    keys[i] = i < of_a ? a[i] : b[i - of_a];
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < of_a + of_b; i += blockDim.x) {
    uint32_t other = i < of_a ? rank_in(keys + of_a, of_b, keys[i], false)
                              : rank_in(keys, of_a, keys[i], true);
    merged[i < of_a ? i + other : i - of_a + other] = keys[i];
  }
  __syncthreads();
  out += both.first + from.x + from.y;
  for (uint32_t i = threadIdx.x; i < of_a + of_b; i += blockDim.x)
    out[i] = merged[i];
}

/* Words for cuts of n keys, whatever runs they are in. */
inline uint64_t blocked_merge_words(uint64_t n) {
  return 2 * (n / (KEYS_LEAST / 4) + 2);
}

/* Each two runs of in[0 .. n) merged to out. */
template <class KEY>
void blocked_merge(const KEY *in, KEY *out, uint32_t n, uint32_t run,
                   uint2 *cuts, const merge_shape &shape) {
  merge_runs runs = {n, run, shape.keys / 4, gpu_blocks(run, shape.keys / 4)};
  uint32_t last = (uint32_t)((n - 1) / (2 * (uint64_t)run));
  merge_pair both = pair_of(runs, last);
  uint32_t pieces = last * 2 * runs.sections +
                    gpu_blocks(both.a_end, runs.section) +
                    gpu_blocks(both.b_end, runs.section);
  GPU_LAUNCH(merge_cuts<KEY>, gpu_blocks(pieces, shape.threads), shape.threads,
             in, runs, pieces, cuts);
  GPU_LAUNCH_SHARED(merge_pieces<KEY>, pieces, shape.threads,
                    shape.shared_bytes, in, runs, pieces, cuts, out);
}

}  // namespace
