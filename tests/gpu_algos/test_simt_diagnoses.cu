// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that are wrong fail their launch, and the line says of what.
#include <string.h>

#include "tests/gpu_algos/device.h"
#include "tests/gpu_algos/wrong.h"

enum { TWO_BARRIERS = __LINE__ };
static __global__ void two_barriers(int *a) {
  if (threadIdx.x < 16) {
    __syncthreads();
  } else {
    a[0] = 1;
    __syncthreads();
  }
}
static void divergent_barrier() {
  device_array<int> a(64);
  FAILS(cudaErrorLaunchFailure, "divergent barrier", two_barriers, 1, 64, 0, 0,
        a.at);
  says("two_barriers: ");
  SAYS_LINE(TWO_BARRIERS + 3);
  SAYS_LINE(TWO_BARRIERS + 6);
}

static __global__ void barrier_and_shuffle(int *a) {
  if (threadIdx.x < 16)
    __syncthreads();
  else
    a[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
}
static void barrier_against_shuffle() {
  device_array<int> a(64);
  FAILS(cudaErrorLaunchFailure, "divergent barrier", barrier_and_shuffle, 1, 32,
        0, 0, a.at);
}

static __global__ void early_exit(int *a) {
  if (threadIdx.x == 5) return;
  a[threadIdx.x] = __shfl_down_sync(0xffffffffu, (int)threadIdx.x, 1);
}
static void exited_lane() {
  device_array<int> a(64);
  FAILS(cudaErrorLaunchFailure, "has exited", early_exit, 1, 32, 0, 0, a.at);
  says("test_simt_diagnoses.cu:");
}

static __global__ void short_warp(int *a) {
  a[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
}
static void lanes_that_are_not() {
  device_array<int> a(64);
  FAILS(cudaErrorLaunchFailure, "fewer lanes", short_warp, 1, 48, 0, 0, a.at);
  FAILS(cudaErrorLaunchFailure, "fewer lanes", short_warp, 1, 1, 0, 0, a.at);
}

static __global__ void two_masks(int *a) {
  unsigned mask = threadIdx.x % 2 ? 0xfffffffbu : 0xffffffffu;
  a[threadIdx.x] = __ballot_sync(mask, 1);
}
static __global__ void others_mask(int *a) {
  a[threadIdx.x] = __ballot_sync(0xffff0000u, 1);
}
static __global__ void two_operations(int *a) {
  if (threadIdx.x < 16)
    a[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
  else
    a[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
}
static void wrong_masks() {
  device_array<int> a(64);
  FAILS(cudaErrorLaunchFailure, "wrong mask", two_masks, 1, 32, 0, 0, a.at);
  FAILS(cudaErrorLaunchFailure, "wrong mask", others_mask, 1, 32, 0, 0, a.at);
  FAILS(cudaErrorLaunchFailure, "different operations", two_operations, 1, 32,
        0, 0, a.at);
}

static __global__ void wait_for_ever(int *a) {
  while (atomicAdd(a, 0) == 0) __nanosleep(20);
}
static void endless_wait() {
  device_array<int> a(1);
  FAILS(cudaErrorLaunchFailure, "endless wait", wait_for_ever, 1, 32, 0, 0,
        a.at);
}

static __global__ void trap(int) {
  if (blockIdx.x == 3 && threadIdx.x == 7) __trap();
}
static void the_first_is_told() {
  FAILS(cudaErrorLaunchFailure, "__trap", trap, 8, 32, 0, 0, 0);
  says("block (3,0,0), thread (7,0,0) at ");
}

static __global__ void store_at(int *a, long long at) {
  a[at + threadIdx.x] = 1;
}

// Far from any allocation there is nothing, counted or not.
static void far_away() {
  device_array<int> a(1024);
  const long long offsets[] = {1ll << 24, -(1ll << 24)};
  for (long long far : offsets)
    FAILS(cudaErrorIllegalAddress, "global memory out of bounds", store_at, 1,
          32, 0, 0, a.at, far);
  FAILS(cudaErrorIllegalAddress, "no memory of the device", store_at, 1, 32, 0,
        0, nullptr, 0ll);
}

static __global__ void deep(volatile int *a, int n) {
  volatile char local[1 << 16];
  for (int i = (1 << 16) - 1; i >= 0; i--) local[i] = (char)n;
  a[0] = local[n];
}
static void too_deep() {
  device_array<int> a(1);
  FAILS(cudaErrorLaunchFailure, "stack", deep, 1, 1, 0, 0, a.at, 5);
}

static void bad_launches() {
  device_array<int> a(1);
  FAILS(cudaErrorInvalidConfiguration, "without threads", store_at, 0, 32, 0, 0,
        a.at, 0ll);
  FAILS(cudaErrorInvalidConfiguration, "1024 threads", store_at, 1, 2048, 0, 0,
        a.at, 0ll);
  FAILS(cudaErrorInvalidConfiguration, "shared memory", store_at, 1, 32, 50000,
        0, a.at, 0ll);
  CU_ASSERT_EQUAL(
      cudaFuncSetAttribute(store_at,
                           cudaFuncAttributeMaxDynamicSharedMemorySize, 50000),
      cudaSuccess);
  LAUNCHED(store_at, 1, 1, 50000, 0, a.at, 0ll);
}

// What failed leaves nothing behind.
static void test_after_failure() {
  device_array<int> a(64);
  launch(two_barriers, 4, 64, 0, 0, a.at);
  CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  CU_ASSERT_STRING_EQUAL(cudaGetErrorName(cudaGetLastError()),
                         "cudaErrorLaunchFailure");
  CU_ASSERT_EQUAL(cudaGetLastError(), cudaSuccess);
  LAUNCHED(store_at, 1, 64, 0, 0, a.at, 0ll);
  CU_ASSERT_STRING_EQUAL(simt_diagnosis(), "");
  CU_ASSERT_EQUAL(a[63], 1);
}

static __global__ void count_blocks(int *count) { atomicAdd(count, 1); }

static int asked;
static bool at_once() { return true; }
static bool not_at_once() { return asked++ > 0; }

// Blocks that have begun are done, and the next launch is none of its business.
static void test_stop() {
  device_array<int> count(1);
  simt_set_stop(at_once);
  FAILS(cudaErrorLaunchTimeout, "stopped before its last block", count_blocks,
        100, 1, 0, 0, count.at);
  CU_ASSERT_EQUAL(count[0], 0);
  asked = 0;
  simt_set_stop(not_at_once);
  FAILS(cudaErrorLaunchTimeout, "stopped before its last block", count_blocks,
        1 << 20, 1, 0, 0, count.at);
  int done = count[0];
  CU_ASSERT(done > 0 && done < 1 << 20);
  simt_set_stop(NULL);
  LAUNCHED(count_blocks, 100, 1, 0, 0, count.at);
  CU_ASSERT_EQUAL(count[0], done + 100);
}

static void test_barrier() {
  in_every_way(divergent_barrier);
  in_every_way(barrier_against_shuffle);
}
static void test_exited() {
  in_every_way(exited_lane);
  in_every_way(lanes_that_are_not);
}
static void test_masks() { in_every_way(wrong_masks); }
static void test_wait() { endless_wait(); }
static void test_trap() { in_every_way(the_first_is_told); }
static void test_bounds() {
  in_every_way(far_away);
  in_every_way(too_deep);
}

static const struct check_test tests[] = {
    {"a divergent barrier, with both lines", test_barrier},
    {"a lane that exited, or never was", test_exited},
    {"wrong masks", test_masks},
    {"a wait that nobody ends", test_wait},
    {"of several failures the first block's", test_trap},
    {"memory that is not there", test_bounds},
    {"launches that no device takes", bad_launches},
    {"the next launch is not spoilt", test_after_failure},
    {"no block begins after a stop", test_stop},
    {NULL, NULL},
};

extern "C" const struct check_suite suite_simt_diagnoses;
const struct check_suite suite_simt_diagnoses = {SUITE(simt_diagnoses), tests,
                                                 NULL};
