// SPDX-License-Identifier: GPL-3.0-or-later
// A reduction lives on shuffles, a tiled product on barriers and shared memory,
// Wyllie's list ranking on short threads and scattered loads.
#include <stdlib.h>

#include "gpu_algos/launch.h"
#include "tests/bench/simt_work.h"
#include "tests/gpu_algos/reduce.h"

// Blocks of 256 threads, 16 elements a thread.
static const char *run_reduce(int n) {
  float *host = (float *)malloc(n * sizeof *host), *a;
  double expected = 0, got = 0, *out;
  for (int i = 0; i < n; i++) expected += host[i] = (float)(i % 1000);
  cudaMalloc(&a, n * sizeof *a);
  cudaMalloc(&out, sizeof *out);
  cudaMemcpy(a, host, n * sizeof *a, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof *out);
  launch(reduce<256>, (n + 4095) / 4096, 256, 64, 0, a, n, out);
  cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(out);
  free(host);
  return got == expected ? nullptr : "the sum is another";
}
static const char *reduce_million() { return run_reduce(1000000); }
static const char *reduce_2_20() { return run_reduce(1 << 20); }

template <int tile>
__global__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float of_a[tile][tile + 1], of_b[tile][tile + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += tile) {
    of_a[tx][ty] = a[(size_t)row * n + k0 + tx];
    of_b[ty][tx] = b[(size_t)(k0 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < tile; k++) sum += of_a[k][ty] * of_b[k][tx];
    __syncthreads();
  }
  c[(size_t)row * n + col] = sum;
}

// a is the unit matrix twice over.
static const char *multiply_256() {
  enum { N = 256 };
  static float host[N * N], unit[N * N], product[N * N];
  float *m[3];
  for (int i = 0; i < N * N; i++) host[i] = (float)(i % 7);
  for (int i = 0; i < N; i++) unit[i * N + i] = 2;
  for (float *&matrix : m) cudaMalloc(&matrix, sizeof host);
  cudaMemcpy(m[0], unit, sizeof unit, cudaMemcpyHostToDevice);
  cudaMemcpy(m[1], host, sizeof host, cudaMemcpyHostToDevice);
  launch(multiply<32>, dim3(N / 32, N / 32), dim3(32, 32), 0, 0, m[0], m[1],
         m[2], (int)N);
  cudaMemcpy(product, m[2], sizeof product, cudaMemcpyDeviceToHost);
  for (float *matrix : m) cudaFree(matrix);
  for (int i = 0; i < N * N; i++)
    if (product[i] != 2 * host[i]) return "the product is another";
  return nullptr;
}

// x: the next of the list, y: the rank so far.
__global__ void jump(int n, const int2 *from, int2 *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int2 own = from[i];
  int2 next = from[own.x];
  to[i] = make_int2(next.x, own.y + next.y);
}

// The list 0, 77777, 2 * 77777 ... modulo the size, a power of two.
static const char *wyllie_2_18() {
  enum { N = 1 << 18, STEP = 77777 };
  int2 *host = (int2 *)malloc(N * sizeof *host), *list[2];
  const char *wrong = nullptr;
  for (unsigned k = 0; k < N; k++)
    host[k * STEP % N] = make_int2((k + 1) * STEP % N, 1);
  unsigned last = (N - 1u) * STEP % N;
  host[last] = make_int2((int)last, 0);
  for (int2 *&half : list) cudaMalloc(&half, N * sizeof *half);
  cudaMemcpy(list[0], host, N * sizeof *host, cudaMemcpyHostToDevice);
  int now = 0;
  for (int s = 1; s < N; s *= 2, now ^= 1)
    launch(jump, N / 256, 256, 0, 0, (int)N, list[now], list[1 - now]);
  cudaMemcpy(host, list[now], N * sizeof *host, cudaMemcpyDeviceToHost);
  for (unsigned k = 0; k < N; k++)
    if (host[k * STEP % N].y != (int)(N - 1 - k)) wrong = "a rank is another";
  for (int2 *half : list) cudaFree(half);
  free(host);
  return wrong;
}

extern "C" const struct simt_work simt_works[];
const struct simt_work simt_works[] = {
    {"reduce of 1e6", 25, reduce_million},
    {"reduce of 2^20", 50, reduce_2_20},
    {"matmul of 256^3", 64, multiply_256},
    {"Wyllie of 2^18", 92, wyllie_2_18},
    {NULL, 0, NULL},
};
