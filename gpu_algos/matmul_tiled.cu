/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multiply two n x n matrices of floats, a tile of 16 x 16 elements a block.
 *
 * Kothapalli et al.: A performance prediction model for the CUDA GPGPU
 * platform, 2009, section 5.1: a thread an element of the product; tiles of
 * both factors lie in shared memory.  Elements are whole numbers from -8 to 7,
 * so that every sum of products is exact, in any order.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "cpu_algos/matmul.h"
#include "gpu_algos/words.h"
}

namespace {

enum { SIDE = 16 };

__global__ void __launch_bounds__(SIDE *SIDE)
    matmul_tiles(const float *a, const float *b, float *c, uint32_t n) {
  __shared__ float tile_a[SIDE][SIDE], tile_b[SIDE][SIDE];
  uint32_t x = threadIdx.x, y = threadIdx.y;
  uint32_t row = blockIdx.y * SIDE + y, column = blockIdx.x * SIDE + x;
  float sum = 0;
  for (uint32_t k0 = 0; k0 < n; k0 += SIDE) {
    bool in_a = row < n && k0 + x < n, in_b = k0 + y < n && column < n;
    tile_a[y][x] = in_a ? a[(uint64_t)row * n + k0 + x] : 0.0f;
    tile_b[y][x] = in_b ? b[(uint64_t)(k0 + y) * n + column] : 0.0f;
    __syncthreads();
    for (uint32_t k = 0; k < SIDE; k++) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  if (row < n && column < n) c[(uint64_t)row * n + column] = sum;
}

/* The workspace: a, b, c, then two vectors of n 64-bit words for check. */
float *matrix(const struct algo_run *run, unsigned index) {
  return (float *)(void *)run->memory +
         index * gpu_words_padded(run->n * run->n);
}

/* Sums are exact up to 2^24 = 64 * n. */
size_t bytes(uint64_t n) {
  return n > 1 << 15 ? 0 : gpu_words_bytes(n * n, 3, 4 * n + GPU_ALIGN);
}

int element(const struct algo_run *run, unsigned index, uint64_t i) {
  return (int)(gpu_word(run->seed, 2 * i + index) >> 28) - 8;
}

void restore(struct algo_run *run) {
  gpu_words_clear((uint32_t *)(void *)matrix(run, 2), run->n * run->n);
}

void setup(struct algo_run *run) {
  for (unsigned index = 0; index < 2; index++)
    for (uint64_t i = 0; i < run->n * run->n; i++)
      matrix(run, index)[i] = (float)element(run, index, i);
  restore(run);
}

void matmul(struct algo_run *run) {
  uint32_t tiles = gpu_blocks(run->n, SIDE);
  if (!tiles) return;
  GPU_LAUNCH(matmul_tiles, dim3(tiles, tiles), dim3(SIDE, SIDE), matrix(run, 0),
             matrix(run, 1), matrix(run, 2), (uint32_t)run->n);
}

/* c is a * b if c * r is a * (b * r) for random r, modulo 2^64, but for a
 * chance below 2^-32 (Freivalds): where they differ in an element by less than
 * 2^32, at most that share of all r hides it.  b * r goes to `product`. */
void multiply(const struct algo_run *run, uint64_t *product) {
  for (uint64_t i = 0; i < run->n; i++) {
    product[i] = 0;
    for (uint64_t j = 0; j < run->n; j++)
      product[i] += (uint64_t)(int64_t)element(run, 1, i * run->n + j) *
                    cpu_random_at(~run->seed, j);
  }
}

bool is_whole(float x) {
  return x > -0x1p24f && x < 0x1p24f && x == (float)(int32_t)x;
}

const char *check(const struct algo_run *run) {
  const uint64_t n = run->n;
  uint64_t *product = (uint64_t *)(void *)matrix(run, 3);
  multiply(run, product);
  for (uint64_t i = 0; i < n; i++) {
    uint64_t difference = 0;
    for (uint64_t j = 0; j < n; j++) {
      float c = matrix(run, 2)[i * n + j];
      if (!is_whole(c)) return "an element is no whole number";
      difference += (uint64_t)(int64_t)c * cpu_random_at(~run->seed, j) -
                    (uint64_t)(int64_t)element(run, 0, i * n + j) * product[j];
    }
    if (difference) return "the product is not that of the matrices";
  }
  return NULL;
}

}  // namespace

GPU_ALGO(matmul_tiled) = {
    .name = "matmul_tiled",
    .title = "matrix multiplication in tiles",
    .summary = "multiply two n x n matrices of floats, tiles in shared memory",
    .device = GPU_DEVICE,
    .complexity = "n^3",
    .ram_ops = cpu_ops_cube,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = matmul,
    .check = check,
};
