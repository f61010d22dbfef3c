/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All prefix sums of n words, modulo 2^32, in a single pass over them.
 *
 * Merrill, Garland: Single-pass Parallel Prefix Scan with Decoupled Look-back,
 * NVIDIA, 2016.  A block takes the next tile, tells the sum of it, then looks
 * back over what earlier tiles told until it meets one that knows the sum of
 * all before, and tells its own.  Tiles are taken by ticket: whichever block
 * runs first, the one that it waits for runs already.
 */
#include "gpu_algos/gpu.h"
#include "gpu_algos/rows.h"
extern "C" {
#include "cpu_algos/keys.h"
#include "gpu_algos/words.h"
}

namespace {

enum {
  BLOCK = 256,
  WARPS = BLOCK / 32,
  ROWS = 4,
  WARP_TILE = 32 * ROWS, /* vectors */
  TILE = BLOCK * ROWS
};

/* What a tile tells: how much it knows, above the sum.  In one word of 64 bits,
 * which is stored at once, so that no fence is needed. */
enum : uint64_t { NOTHING = 0, OWN = 1, ALL = 2 };

__device__ __forceinline__ uint64_t state_of(uint64_t knows, uint32_t sum) {
  return knows << 32 | sum;
}

struct states {
  uint64_t *tiles;
  uint32_t *ticket;
};

__global__ void scan_clear(states states, uint32_t tiles) {
  uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < tiles) states.tiles[i] = state_of(NOTHING, 0);
  if (i == 0) *states.ticket = 0;
}

__device__ uint64_t wait_for(const uint64_t *tiles, int64_t tile) {
  if (tile < 0) return state_of(ALL, 0);
  const volatile uint64_t *at = tiles + tile;
  for (;;) {
    uint64_t state = *at;
    if (state >> 32 != NOTHING) return state;
    __nanosleep(32);
  }
}

/* By a whole warp: the sum of all tiles before `tile`. */
__device__ uint32_t look_back(const uint64_t *tiles, uint32_t tile) {
  uint32_t lane = threadIdx.x % 32, sum = 0;
  for (int64_t last = (int64_t)tile - 1;; last -= 32) {
    uint64_t state = wait_for(tiles, last - lane);
    uint32_t all = __ballot_sync(~0u, state >> 32 == ALL);
    /* The nearest that knows all makes those before it superfluous. */
    uint32_t nearest = all ? __ffs((int)all) - 1 : 31;
    sum += __reduce_add_sync(~0u, lane <= nearest ? (uint32_t)state : 0);
    if (all) return sum;
  }
}

/* Inclusive sums of the lanes of a warp. */
__device__ __forceinline__ uint32_t scan_lanes(uint32_t value) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    uint32_t before = __shfl_up_sync(~0u, value, distance);
    if (threadIdx.x % 32 >= (uint32_t)distance) value += before;
  }
  return value;
}

/* Sums within the rows of a warp; the sum of them all. */
__device__ __forceinline__ uint32_t scan_rows(uint4 (&rows)[ROWS]) {
  uint32_t carry = 0;
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    rows[r].y += rows[r].x;
    rows[r].z += rows[r].y;
    rows[r].w += rows[r].z;
    uint32_t through = scan_lanes(rows[r].w);
    uint32_t before = carry + through - rows[r].w;
    rows[r].x += before;
    rows[r].y += before;
    rows[r].z += before;
    rows[r].w += before;
    carry += __shfl_sync(~0u, through, 31);
  }
  return carry;
}

/* The first warp: tell what the tile sums to, and give what is before it. */
__device__ __forceinline__ uint32_t exchange(uint64_t *tiles, uint32_t tile,
                                             uint32_t sum) {
  volatile uint64_t *mine = tiles + tile;
  if (threadIdx.x == 0) *mine = state_of(tile ? OWN : ALL, sum);
  if (tile == 0) return 0;
  uint32_t before = look_back(tiles, tile);
  if (threadIdx.x == 0) *mine = state_of(ALL, before + sum);
  return before;
}

__global__ void __launch_bounds__(BLOCK)
    scan_tiles(const uint4 *in, uint4 *out, states states, uint32_t vectors) {
  __shared__ uint32_t warp_sums[WARPS];
  __shared__ uint32_t tile_taken, before_tile;
  if (threadIdx.x == 0) tile_taken = atomicAdd(states.ticket, 1u);
  __syncthreads();
  uint32_t tile = tile_taken, warp = threadIdx.x / 32;
  uint32_t first = tile * TILE + warp * WARP_TILE + threadIdx.x % 32;
  uint4 rows[ROWS];
  rows_load<32>(rows, in, first, vectors);
  uint32_t sum = scan_rows(rows);
  if (threadIdx.x % 32 == 0) warp_sums[warp] = sum;
  __syncthreads();
  uint32_t before = 0, all = 0;
  for (uint32_t w = 0; w < WARPS; w++) {
    if (w == warp) before = all;
    all += warp_sums[w];
  }
  if (warp == 0) {
    uint32_t earlier = exchange(states.tiles, tile, all);
    if (threadIdx.x == 0) before_tile = earlier;
  }
  __syncthreads();
  before += before_tile;
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    rows[r].x += before;
    rows[r].y += before;
    rows[r].z += before;
    rows[r].w += before;
  }
  rows_store<32>(rows, out, first, vectors);
}

/* The workspace: words, their prefix sums, then the states and the ticket,
 * which a run sets: that is a part of its work. */
uint32_t tiles_of(uint64_t n) { return gpu_blocks(rows_vectors(n), TILE); }

size_t bytes(uint64_t n) {
  return gpu_words_bytes(n, 2, 2 * (uint64_t)tiles_of(n) + 2);
}

struct states states_of(const struct algo_run *run) {
  uint64_t *tiles = (uint64_t *)(void *)gpu_words(run, 2);
  return {tiles, (uint32_t *)(tiles + tiles_of(run->n))};
}

void scan(struct algo_run *run) {
  uint32_t tiles = tiles_of(run->n);
  if (!tiles) return;
  struct states states = states_of(run);
  GPU_LAUNCH(scan_clear, gpu_blocks(tiles, BLOCK), BLOCK, states, tiles);
  GPU_LAUNCH(scan_tiles, tiles, BLOCK, rows_of(gpu_words(run, 0)),
             rows_of(gpu_words(run, 1)), states, rows_vectors(run->n));
}

const char *check(const struct algo_run *run) {
  const uint32_t *out = gpu_words(run, 1);
  uint32_t sum = 0;
  for (uint64_t i = 0; i < run->n; i++)
    if (out[i] != (sum += gpu_word(run->seed, i)))
      return "a sum is not that of the words so far";
  return NULL;
}

}  // namespace

GPU_ALGO(scan) = {
    .name = "scan",
    .title = "scan",
    .summary = "all prefix sums of n 32-bit words, in one pass",
    .device = GPU_DEVICE,
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = bytes,
    .setup = gpu_word_pairs_setup,
    .restore = gpu_word_pairs_restore,
    .run = scan,
    .check = check,
};
