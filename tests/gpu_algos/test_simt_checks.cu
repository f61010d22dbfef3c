// SPDX-License-Identifier: GPL-3.0-or-later
// What counted kernels are told that no plain one can be.
#include "tests/gpu_algos/wrong.h"

enum { TOUCH = __LINE__ };
static __global__ void touch(int *a, long long at) { a[at + threadIdx.x] = 1; }
static __global__ void look(const int *a, int *out, long long at) {
  out[threadIdx.x] = a[at + threadIdx.x];
}

static void global_bounds() {
  device_array<int> a(100), out(32);
  LAUNCHED(touch, 1, 32, 0, 0, a.at, 68ll);
  FAILS(cudaErrorIllegalAddress,
        "global memory out of bounds: 4 bytes at "
        "offset 400 of an allocation of 400",
        touch, 1, 32, 0, 0, a.at, 69ll);
  says("thread (31,0,0) at ");
  SAYS_LINE(TOUCH + 1);
  FAILS(cudaErrorIllegalAddress, "global memory out of bounds", look, 1, 32, 0,
        0, a.at, out.at, -1ll);
  says("look: ");
}

struct __align__(1) bytes {
  unsigned char of[64];
};
static __global__ void misplaced(bytes *a, int by) { *(int *)(a->of + by) = 1; }
static __global__ void misplaced_shared(int by) {
  __shared__ float4 words[4];
  *(float2 *)((char *)words + by) = make_float2(1, 2);
}
static void alignment() {
  device_array<bytes> a(1);
  LAUNCHED(misplaced, 1, 1, 0, 0, a.at, 4);
  FAILS(cudaErrorMisalignedAddress,
        "misaligned address: 4 bytes at a multiple "
        "of 2",
        misplaced, 1, 1, 0, 0, a.at, 6);
  LAUNCHED(misplaced_shared, 1, 1, 0, 0, 8);
  FAILS(cudaErrorMisalignedAddress, "misaligned", misplaced_shared, 1, 1, 0, 0,
        4);
}

static __global__ void dynamic(int *out) {
  extern __shared__ unsigned char smem[];
  int *words = (int *)smem;
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x ^ 1];
}
static void shared_bounds() {
  device_array<int> out(64);
  LAUNCHED(dynamic, 1, 64, 256, 0, out.at);
  CU_ASSERT_EQUAL(out[5], 4);
  FAILS(cudaErrorIllegalAddress, "shared memory out of bounds", dynamic, 1, 64,
        252, 0, out.at);
  says("thread (63,0,0) at ");
}

// What is behind an array is another, but not its own.
enum { NEIGHBOURS = __LINE__ };
static __global__ void neighbours(int *out, int by) {
  __shared__ int first[32], second[32], square[4][8];
  first[threadIdx.x] = second[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x + by];
  square[threadIdx.x / 8][threadIdx.x % 8 + by] = second[threadIdx.x];
  out[threadIdx.x] += square[threadIdx.x / 8][threadIdx.x % 8];
}
static __global__ void own_array(int *out, int by) {
  int own[4] = {1, 2, 3, 4};
  out[threadIdx.x] = own[threadIdx.x % 4 + by];
}
static void array_bounds() {
  device_array<int> out(32);
  LAUNCHED(neighbours, 1, 32, 0, 0, out.at, 0);
  FAILS(cudaErrorIllegalAddress, "array out of bounds: index 32 of 'int [32]'",
        neighbours, 1, 32, 0, 0, out.at, 1);
  says("thread (31,0,0) at ");
  SAYS_LINE(NEIGHBOURS + 5);
  FAILS(cudaErrorIllegalAddress, "index 8 of 'int [8]'", neighbours, 1, 8, 0, 0,
        out.at, 1);
  LAUNCHED(own_array, 1, 32, 0, 0, out.at, 0);
  FAILS(cudaErrorIllegalAddress, "index 4 of 'int [4]'", own_array, 1, 32, 0, 0,
        out.at, 1);
}

enum { NO_BARRIER = __LINE__ };
static __global__ void no_barrier(int *out) {
  __shared__ int words[64];
  words[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = words[63 - threadIdx.x];
}
static __global__ void no_second_barrier(int *out) {
  __shared__ int words[64];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int mine = words[63 - threadIdx.x];
  words[threadIdx.x] = mine;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x];
}
static __global__ void last_warp(int *out) {
  __shared__ int words[32];
  words[threadIdx.x] = 1;
  __syncwarp();
  for (int d = 16; d; d /= 2)
    if ((int)threadIdx.x < d) words[threadIdx.x] += words[threadIdx.x + d];
  out[0] = words[0];
}
static __global__ void wrong_part(int *out) {
  __shared__ int words[32];
  words[threadIdx.x] = 1;
  if (threadIdx.x < 16) __syncwarp(0xffff);
  out[threadIdx.x] = words[(threadIdx.x + 8) % 32];
}
static __global__ void two_writers(int *out) {
  __shared__ int words[32];
  words[threadIdx.x / 2] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x / 2];
}
static __global__ void plain_and_atomic(int *out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 0;
  atomicAdd(&word, 1);
  __syncthreads();
  out[threadIdx.x] = word;
}
static __global__ void shuffles_order_nothing(int *out) {
  __shared__ int words[32];
  words[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
  int all = __all_sync(0xffffffffu, 1);
  out[threadIdx.x] = words[31 - threadIdx.x] + all;
}
/* By the third warp, of a word that two have read, and one that was written. */
static __global__ void wide_read(int *out) {
  __shared__ int2 pair;
  int mine = pair.x;
  if (threadIdx.x == 0) pair.y = 1;
  if (threadIdx.x == 64) {
    int2 both = pair;
    mine = both.x + both.y;
  }
  out[threadIdx.x] = mine;
}

static void races() {
  device_array<int> out(96);
  FAILS(cudaErrorLaunchFailure, "shared memory race", no_barrier, 1, 64, 0, 0,
        out.at);
  SAYS_LINE(NO_BARRIER + 3);
  SAYS_LINE(NO_BARRIER + 4);
  FAILS(cudaErrorLaunchFailure, "shared memory race", no_second_barrier, 1, 64,
        0, 0, out.at);
  FAILS(cudaErrorLaunchFailure, "shared memory race", last_warp, 1, 32, 0, 0,
        out.at);
  FAILS(cudaErrorLaunchFailure, "shared memory race", wrong_part, 1, 32, 0, 0,
        out.at);
  FAILS(cudaErrorLaunchFailure, "shared memory race", two_writers, 1, 32, 0, 0,
        out.at);
  FAILS(cudaErrorLaunchFailure, "shared memory race", plain_and_atomic, 1, 64,
        0, 0, out.at);
  FAILS(cudaErrorLaunchFailure, "shared memory race", shuffles_order_nothing, 1,
        32, 0, 0, out.at);
  FAILS(cudaErrorLaunchFailure, "shared memory race", wide_read, 1, 96, 0, 0,
        out.at);
}

static __global__ void ordered_warp(int *out) {
  __shared__ volatile int words[64];
  int lane = threadIdx.x % 32, first = threadIdx.x - lane;
  words[threadIdx.x] = 1;
  __syncwarp();
  for (int d = 16; d; d /= 2) {
    int sum = 0;
    if (lane < d) sum = words[threadIdx.x] + words[threadIdx.x + d];
    __syncwarp();
    if (lane < d) words[threadIdx.x] = sum;
    __syncwarp();
  }
  out[threadIdx.x] = words[first];
}
static __global__ void ordered_parts(int *out) {
  __shared__ int words[32];
  unsigned half = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
  words[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 16)
    __syncwarp(half);
  else
    __syncwarp(half);
  int mine = words[threadIdx.x ^ 5];
  __syncwarp(half);
  words[threadIdx.x ^ 5] = mine + 1;
  __syncwarp();
  out[threadIdx.x] = words[31 - threadIdx.x];
}
static __global__ void histogram(const unsigned char *keys, unsigned *out,
                                 int n) {
  __shared__ unsigned bins[16];
  __shared__ unsigned char marks[64];
  __shared__ int any;
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  if (keys[threadIdx.x] < 8) any = 1;
  marks[threadIdx.x] = 1;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&bins[keys[i] % 16], 1u);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x] * any * marks[0];
}
static __global__ void flag(int *out) {
  __shared__ int data;
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 42;
    __threadfence_block();
    ready = 1;
  }
  if (threadIdx.x == 32) {
    while (!ready) __nanosleep(10);
    __threadfence_block();
    out[0] = data;
  }
}

/* Arrays of vectors, in one and in two dimensions: g++ makes nothing of them.
 */
static __global__ void vectors(int *out) {
  __shared__ uint2 pairs[64];
  __shared__ float4 rows[2][32];
  unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  pairs[threadIdx.x] = make_uint2(threadIdx.x, 1);
  rows[warp][lane] = make_float4(0, 1, 2, (float)lane);
  __syncthreads();
  uint2 pair = pairs[63 - threadIdx.x];
  float4 row = rows[1 - warp][lane];
  out[threadIdx.x] = (int)(pair.x + pair.y) + (int)row.w;
}

static void no_races() {
  device_array<int> out(64);
  device_array<unsigned char> keys(1000);
  LAUNCHED(ordered_warp, 3, 64, 0, 0, out.at);
  CU_ASSERT_EQUAL(out[40], 32);
  LAUNCHED(ordered_parts, 1, 32, 0, 0, out.at);
  LAUNCHED(histogram, 1, 64, 0, 0, keys.at, (unsigned *)out.at, 1000);
  CU_ASSERT_EQUAL(out[0], 1000);
  LAUNCHED(vectors, 3, 64, 0, 0, out.at);
  CU_ASSERT_EQUAL(out[40], 63 - 40 + 1 + 8);
  LAUNCHED(flag, 1, 64, 0, 0, out.at);
  CU_ASSERT_EQUAL(out[0], 42);
}

static void test_global() { in_every_way(global_bounds); }
static void test_alignment() { in_every_way(alignment); }
static void test_shared() { in_every_way(shared_bounds); }
static void test_arrays() { in_every_way(array_bounds); }
static void test_races() { in_every_way(races); }
static void test_no_races() { in_every_way(no_races); }

static const struct check_test tests[] = {
    {"global memory ends where it was allocated", test_global},
    {"addresses are multiples of what is accessed", test_alignment},
    {"shared memory ends where it was launched", test_shared},
    {"and an array where the next begins", test_arrays},
    {"races, with both lines", test_races},
    {"what is ordered is no race", test_no_races},
    {NULL, NULL},
};

extern "C" const struct check_suite suite_simt_checks;
const struct check_suite suite_simt_checks = {SUITE(simt_checks), tests, NULL};
