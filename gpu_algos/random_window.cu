/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read words at random places of a window of memory, each read waiting for
 * nothing: what a GPU's address translation leaves of its memory's speed as the
 * window grows to all of it.  Random scan, the first program of Jurkiewicz's
 * figure 2.1, for GPUs.
 *
 * Places are spread over the whole window, or there is one in each piece as
 * large as a page, anywhere in it: so few lines that a cache holds them all,
 * of ever more pages.
 */
#include <string.h>

#include "gpu_algos/gpu.h"
extern "C" {
#include "gpu_algos/words.h"
}

namespace {

enum { BLOCK = 256, SHARE = 16 }; /* threads; reads of one */

/* As many as the window has words, but enough to keep a GPU busy, and no more
 * than can be checked in a second. */
enum : uint64_t { READS_LEAST = 1 << 20, READS_MOST = 1 << 26 };

/* Pieces, and their words. */
const struct {
  const char *name;
  uint32_t words;
} kinds[] = {{"uniform", 1},
             {"stride-4k", 1 << 10},
             {"stride-64k", 1 << 14},
             {"stride-2m", 1 << 19}};

struct window {
  const uint32_t *words;
  uint64_t n, seed, piece, pieces; /* words of one, and how many there are */
};

/* a * b / 2^64 */
__device__ __host__ __forceinline__ uint64_t high(uint64_t a, uint64_t b) {
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  __extension__ typedef unsigned __int128 wide;
  return (uint64_t)((wide)a * b >> 64);
#endif
}

/* cpu_random_at() */
__device__ __host__ __forceinline__ uint64_t random_at(uint64_t seed,
                                                       uint64_t i) {
  uint64_t z = seed + (i + 1) * CPU_RANDOM_STEP;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Of read i: a piece at random, and the same word of it each time. */
__device__ __host__ __forceinline__ uint64_t place_of(const window &window,
                                                      uint64_t i) {
  uint64_t piece = high(random_at(window.seed, i), window.pieces);
  uint64_t begin = piece * window.piece, left = window.n - begin;
  if (window.piece == 1) return begin;
  return begin + high(random_at(~window.seed, piece),
                      left < window.piece ? left : window.piece);
}

__global__ void __launch_bounds__(BLOCK)
    read_window(window window, uint32_t *sum) {
  uint64_t first = (uint64_t)blockIdx.x * BLOCK * SHARE + threadIdx.x;
  uint32_t mine = 0;
#pragma unroll 4
  for (uint32_t k = 0; k < SHARE; k++)
    mine += window.words[place_of(window, first + k * BLOCK)];
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

/* In whole blocks. */
uint64_t reads_of(uint64_t n) {
  uint64_t reads = n < READS_LEAST ? (uint64_t)READS_LEAST : n;
  if (reads > READS_MOST) reads = READS_MOST;
  return reads / (BLOCK * SHARE) * (BLOCK * SHARE);
}

double ram_ops(uint64_t n) { return (double)reads_of(n); }

/* 1 TiB: kernels that count in 32 bits take less. */
const uint64_t words_most = UINT64_C(1) << 38;

/* The workspace: words, then the sum of what was read. */
size_t bytes(uint64_t n) {
  if (n > words_most) return 0;
  return (gpu_words_padded(n) + GPU_ALIGN) * sizeof(uint32_t);
}

uint32_t *sum_of(const struct algo_run *run) { return gpu_words(run, 1); }

window window_of(const struct algo_run *run) {
  window window = {gpu_words(run, 0), run->n, run->seed, 1, run->n};
  for (const auto &kind : kinds)
    if (run->generator && !strcmp(run->generator, kind.name))
      window.piece = kind.words;
  window.pieces = (run->n + window.piece - 1) / window.piece;
  return window;
}

void restore(struct algo_run *run) { gpu_words_clear(sum_of(run), 1); }

void setup(struct algo_run *run) {
  window window = window_of(run);
  uint32_t sum = 0;
  gpu_words_fill(run, gpu_words(run, 0));
  for (uint64_t i = 0; run->n && i < reads_of(run->n); i++)
    sum += window.words[place_of(window, i)];
  run->fingerprint[0] = sum;
  run->fingerprint[1] = 0;
  restore(run);
}

void read_words(struct algo_run *run) {
  if (!run->n) return;
  GPU_LAUNCH(read_window, gpu_blocks(reads_of(run->n), BLOCK * SHARE), BLOCK,
             window_of(run), sum_of(run));
}

const char *check(const struct algo_run *run) {
  if (*sum_of(run) == run->fingerprint[0]) return NULL;
  return "the sum is not that of the words read";
}

const char *const generators[] = {kinds[0].name, kinds[1].name, kinds[2].name,
                                  kinds[3].name, NULL};

}  // namespace

GPU_ALGO(random_window) = {
    .name = "random_window",
    .title = "random window",
    .summary = "read words at random out of a window of n",
    .device = GPU_DEVICE,
    .complexity = "n, 2^20 to 2^26",
    .ram_ops = ram_ops,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = read_words,
    .check = check,
    .generators = generators,
};
