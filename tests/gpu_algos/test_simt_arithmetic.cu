// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of kernels of which each round of a loop, or each side of a
// branch, can be counted by hand: of two launches that differ in that alone the
// difference.  What is around it is g++'s to choose.
#include <config.h>

#include "tests/gpu_algos/device.h"

enum { WARPS = 6, THREADS = WARPS / 2 * 32 };

#define ROUNDS(name) \
  static __global__ void name(unsigned *out, int rounds, unsigned y)

// A round counts itself and compares: two more.
ROUNDS(integers) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < rounds; i++) {
    x *= y;
    x ^= 0x9e3779b9u;
    x -= y;
  }
  out[threadIdx.x] = x;
}

ROUNDS(floats) {
  float x = (float)threadIdx.x, z = (float)y;
  for (int i = 0; i < rounds; i++) x = (x - z) * z;
  out[threadIdx.x] = (unsigned)x;
}

ROUNDS(bits) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < rounds; i++) x = (unsigned)__popc(x) ^ y;
  out[threadIdx.x] = x;
}

// An access that is a constant further computes nothing.
ROUNDS(loads) {
  unsigned x = 0;
  for (int i = 0; i < rounds; i++) {
    x += out[0];
    x ^= out[1];
    x += out[2];
  }
  out[threadIdx.x] = x + y;
}

// One more for the address; that the index is checked is not the kernel's.
ROUNDS(table) {
  __shared__ unsigned words[THREADS];
  unsigned x = 0;
  words[threadIdx.x] = y;
  __syncthreads();
  for (int i = 0; i < rounds; i++) x += words[i];
  out[threadIdx.x] = x;
}

// What the emulator does for a barrier or a shuffle is not the kernel's.
ROUNDS(meetings) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < rounds; i++) {
    __syncthreads();
    x = __shfl_xor_sync(0xffffffffu, x, 1);
  }
  out[threadIdx.x] = x + y;
}

ROUNDS(atomics) {
  for (int i = 0; i < rounds; i++) atomicAdd(out, y);
}

static uint64_t arithmetic() {
  simt_counters counters;
  simt_read_counters(&counters);
  simt_reset_counters();
  return counters.arithmetic;
}

typedef void rounds_kernel(unsigned *, int, unsigned);

static uint64_t of_rounds(rounds_kernel *kernel, int rounds) {
  device_array<unsigned> out(THREADS);
  arithmetic();
  LAUNCHED(kernel, 2, THREADS, 0, 0, out.at, rounds, 3u);
  return arithmetic();
}

static void a_round_has(rounds_kernel *kernel, unsigned operations) {
  uint64_t few = of_rounds(kernel, 3), many = of_rounds(kernel, 10);
  CU_ASSERT_EQUAL(many - few, 7ull * WARPS * operations);
}

static void count_rounds() {
  a_round_has(integers, 3 + 2);
  a_round_has(floats, 2 + 2);
  a_round_has(bits, 2 + 2);
  a_round_has(loads, 3 + 2);
  a_round_has(table, 1 + 1 + 2);
  a_round_has(meetings, 0 + 2);
  a_round_has(atomics, 0 + 2);
}
static void test_rounds() { in_every_way(count_rounds); }

// Lanes below `cut` take the one way, the others the other.
static __global__ void ways(unsigned *out, unsigned cut, unsigned y) {
  unsigned x = out[threadIdx.x];
  if (threadIdx.x % 32 < cut) {
    x *= y;
    x ^= y;
  } else {
    x -= y;
    x *= y;
    x ^= y;
    out[0] = x;
    x |= y;
    x += 5;
  }
  out[threadIdx.x] = x;
}

static uint64_t of_ways(unsigned cut) {
  device_array<unsigned> out(THREADS);
  arithmetic();
  LAUNCHED(ways, 2, THREADS, 0, 0, out.at, cut, 3u);
  return arithmetic();
}

// A warp that parts takes both.
static void count_ways() {
  uint64_t longer = of_ways(0), parted = of_ways(8), shorter = of_ways(32);
  CU_ASSERT_EQUAL(longer - shorter, 3 * WARPS);
  CU_ASSERT_EQUAL(parted - longer, 2 * WARPS);
}
static void test_ways() { in_every_way(count_ways); }

// 64 bits more than a float has are halved on one side of a branch that g++
// makes within the block: neither side counts, all behind them does.
static __global__ void converted(unsigned long long *values, float *out) {
  out[threadIdx.x] = (float)values[threadIdx.x];
}
static __global__ void converted_twice(unsigned long long *values, float *out) {
  float x = (float)values[threadIdx.x];
  out[threadIdx.x] = (x - 3) * x;
}

static void count_inner_branches() {
  device_array<unsigned long long> values(32);
  device_array<float> out(32);
  arithmetic();
  LAUNCHED(converted, 1, 32, 0, 0, values.at, out.at);
  uint64_t less = arithmetic();
  LAUNCHED(converted_twice, 1, 32, 0, 0, values.at, out.at);
  CU_ASSERT_EQUAL(arithmetic() - less, 2);
}
static void test_inner_branches() { in_every_way(count_inner_branches); }

static const struct check_test tests[] = {
    {"rounds have the arithmetic that is written", test_rounds},
    {"a warp that parts computes what both sides do", test_ways},
    {"branches within a block hide nothing behind them", test_inner_branches},
    {NULL, NULL},
};

#ifdef HAVE_EMU_ARITHMETIC
static const char *(*const skip)() = NULL;
#else
static const char *skip() { return "it is not counted here, see configure"; }
#endif

extern "C" const struct check_suite suite_simt_arithmetic;
const struct check_suite suite_simt_arithmetic = {SUITE(simt_arithmetic), tests,
                                                  skip};
