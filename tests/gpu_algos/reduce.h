// SPDX-License-Identifier: GPL-3.0-or-later
// tests/gpu_algos/reduce.h -- a sum by loads, shuffles, a barrier and dynamic
// shared memory: 8 bytes of it a warp.
#pragma once
#include "gpu_algos/launch.h"

template <int threads>
static __global__ void __launch_bounds__(threads)
    reduce(const float *a, int n, double *out) {
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
