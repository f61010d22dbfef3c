// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels are written in: each word gives what CUDA says.
#include "tests/gpu_algos/device.h"
#include "tests/gpu_algos/reduce.h"

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

struct vote {
  unsigned ballot;
  int any, all;
};
// The halves of a warp, each with a mask of its own: no lane of the other has a
// vote.
static __global__ void vote_by_halves(vote *out) {
  unsigned lane = threadIdx.x % 32, half = lane < 16 ? 0xffffu : 0xffff0000u;
  out[threadIdx.x].ballot = __ballot_sync(half, lane % 3 == 0);
  out[threadIdx.x].any = __any_sync(half, lane == 20);
  out[threadIdx.x].all = __all_sync(half, lane != 31);
}
static __global__ void vote_by_those_left(vote *out) {
  if (threadIdx.x >= 5) return;
  out[threadIdx.x].ballot = __ballot_sync(0x1f, threadIdx.x != 3);
  out[threadIdx.x].any = __any_sync(0x1f, 0);
  out[threadIdx.x].all = __all_sync(0x1f, 7);
}

static void votes() {
  device_array<vote> out(64);
  LAUNCHED(vote_by_halves, 1, 64, 0, 0, out.at);
  for (unsigned i = 0; i < 64; i++) {
    vote got = out[i];
    bool low = i % 32 < 16;
    CU_ASSERT_EQUAL(got.ballot, low ? 0x9249u : 0x49240000u);
    CU_ASSERT_EQUAL(got.any != 0, !low);
    CU_ASSERT_EQUAL(got.all != 0, low);
  }
  LAUNCHED(vote_by_those_left, 1, 32, 0, 0, out.at);
  for (unsigned i = 0; i < 5; i++) {
    CU_ASSERT_EQUAL(out[i].ballot, 0x17);
    CU_ASSERT_EQUAL(out[i].any, 0);
    CU_ASSERT(out[i].all != 0);
  }
}
static void test_votes() { in_every_way(votes); }

struct counts {
  int of, any, all;
};
static __global__ void count_threads(counts *out) {
  int t = threadIdx.x;
  out[t].of = __syncthreads_count(t % 5 == 0);
  out[t].any = __syncthreads_or(t == 99);
  out[t].all = __syncthreads_and(t != 99);
}
static void barrier_votes() {
  device_array<counts> out(100);
  LAUNCHED(count_threads, 1, 100, 0, 0, out.at);
  for (unsigned i = 0; i < 100; i++) {
    CU_ASSERT_EQUAL(out[i].of, 20);
    CU_ASSERT(out[i].any != 0);
    CU_ASSERT_EQUAL(out[i].all, 0);
  }
}
static void test_barrier_votes() { in_every_way(barrier_votes); }

// Some threads end before others wait, some wait at once and some only at the
// second of the barriers.
static __global__ void stragglers(unsigned *out) {
  __shared__ unsigned here[96];
  if (threadIdx.x % 3 == 0) return;
  here[threadIdx.x] = threadIdx.x;
  __syncthreads();
  unsigned sum = 0;
  for (unsigned i = 0; i < 96; i++) sum += i % 3 ? here[i] : 0;
  __syncthreads();
  if (threadIdx.x % 3 == 1) return;
  here[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = here[95 - (threadIdx.x / 3) * 3];
}
static void some_end() {
  device_array<unsigned> out(96);
  LAUNCHED(stragglers, 2, 96, 0, 0, out.at);
  for (unsigned i = 2; i < 96; i += 3)
    CU_ASSERT_EQUAL(out[i], 95 * 96 / 2 - 3 * (31 * 32 / 2));
}
static void test_some_end() { in_every_way(some_end); }

static __global__ void add_one(int *a) { a[threadIdx.x]++; }

// A stream is in order, and an event lies between what is before and behind it.
static void test_streams_and_events() {
  device_array<int> a(32);
  cudaStream_t stream;
  cudaEvent_t from, to;
  float milliseconds = -1;
  int host[32];
  CU_ASSERT_EQUAL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                  cudaSuccess);
  CU_ASSERT_EQUAL(cudaEventCreate(&from), cudaSuccess);
  CU_ASSERT_EQUAL(cudaEventCreate(&to), cudaSuccess);
  CU_ASSERT_EQUAL(cudaEventElapsedTime(&milliseconds, from, to),
                  cudaErrorInvalidResourceHandle);
  CU_ASSERT_EQUAL(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  CU_ASSERT_EQUAL(cudaEventRecord(from, stream), cudaSuccess);
  for (int i = 0; i < 3; i++) LAUNCHED(add_one, 1, 32, 0, stream, a.at);
  CU_ASSERT_EQUAL(cudaEventRecord(to, stream), cudaSuccess);
  CU_ASSERT_EQUAL(
      cudaMemcpyAsync(host, a.at, sizeof host, cudaMemcpyDeviceToHost, stream),
      cudaSuccess);
  CU_ASSERT_EQUAL(cudaStreamWaitEvent(stream, to), cudaSuccess);
  CU_ASSERT_EQUAL(cudaEventSynchronize(to), cudaSuccess);
  CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), cudaSuccess);
  CU_ASSERT_EQUAL(host[31], 3);
  CU_ASSERT_EQUAL(cudaEventElapsedTime(&milliseconds, from, to), cudaSuccess);
  CU_ASSERT(milliseconds >= 0);
  CU_ASSERT_EQUAL(cudaEventDestroy(from), cudaSuccess);
  CU_ASSERT_EQUAL(cudaEventDestroy(to), cudaSuccess);
  CU_ASSERT_EQUAL(cudaStreamDestroy(stream), cudaSuccess);
}

static const struct check_test tests[] = {
    {"each thread has its own index", test_indices},
    {"a reduction adds up", test_reduce},
    {"lanes vote among those of their mask", test_votes},
    {"a block counts at a barrier", test_barrier_votes},
    {"a barrier waits for nobody who has ended", test_some_end},
    {"streams and events", test_streams_and_events},
    {NULL, NULL},
};

extern "C" const struct check_suite suite_simt_language;
const struct check_suite suite_simt_language = {SUITE(simt_language), tests,
                                                NULL};
