// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels are written in: each word gives what CUDA says.
#include "tests/gpu_algos/device.h"

static __global__ void indices(unsigned *out) {
  unsigned thread =
      threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned block =
      blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  atomicAdd(&out[block * threads + thread], block * threads + thread + 1);
}

static void test_indices() {
  dim3 grid(3, 2, 2), block(5, 4, 3);
  unsigned n = 12 * 60;
  device_array<unsigned> out(n);
  CU_ASSERT(launch(indices, grid, block, 0, 0, out.at) == cudaSuccess);
  for (unsigned i = 0; i < n; i++) CU_ASSERT_EQUAL(out[i], i + 1);
}

template <int threads>
static __global__ void reduce(const float *a, int n, double *out) {
  extern __shared__ unsigned char smem[];
  double *part = (double *)smem, sum = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n;
       i += threads * gridDim.x)
    sum += __ldg(&a[i]);
  for (int d = 16; d; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < threads / 32 ? part[threadIdx.x] : 0;
  for (int d = 16; d; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

static void test_reduce() {
  int n = 10000;
  device_array<float> a(n);
  device_array<double> out(1);
  float one = 1;
  for (int i = 0; i < n; i++)
    cudaMemcpy(a.at + i, &one, sizeof one, cudaMemcpyHostToDevice);
  CU_ASSERT(launch(reduce<256>, 7, 256, 8 * sizeof(double), 0, a.at, n,
                   out.at) == cudaSuccess);
  CU_ASSERT_EQUAL(out[0], n);
}

static const struct check_test tests[] = {
    {"each thread has its own index", test_indices},
    {"a reduction adds up", test_reduce},
    {NULL, NULL},
};

extern "C" const struct check_suite suite_simt_language;
const struct check_suite suite_simt_language = {SUITE(simt_language), tests,
                                                NULL};
