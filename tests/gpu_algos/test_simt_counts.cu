// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of kernels that are small enough to count by hand.
#include "tests/gpu_algos/device.h"

static simt_counters counted() {
  simt_counters counters;
  simt_read_counters(&counters);
  simt_reset_counters();
  return counters;
}

static __global__ void copy(const int *from, int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

static void count_copy() {
  device_array<int> from(1024), to(1024);
  counted();
  LAUNCHED(copy, 8, 128, 0, 0, from.at, to.at);
  simt_counters c = counted();
  CU_ASSERT_EQUAL(c.loads, 32);
  CU_ASSERT_EQUAL(c.stores, 32);
  CU_ASSERT_EQUAL(c.accesses, 2 * 1024);
  CU_ASSERT_EQUAL(c.sectors_read, 32 * 4);
  CU_ASSERT_EQUAL(c.sectors_written, 32 * 4);
  CU_ASSERT_EQUAL(c.lines_read, 32);
  CU_ASSERT_EQUAL(c.lines_written, 32);
  CU_ASSERT_EQUAL(c.warp_instructions, 64);
  CU_ASSERT_EQUAL(c.blocks_issued, 32);
  CU_ASSERT_EQUAL(c.lanes_issued, 1024);
  CU_ASSERT_EQUAL(c.threads, 1024);
  CU_ASSERT_EQUAL(c.thread_blocks, 8);
  CU_ASSERT_EQUAL(c.launches, 1);
  CU_ASSERT_EQUAL(c.shared_instructions, 0);
  CU_ASSERT_EQUAL(c.atomics, 0);
}
static void test_copy() { in_every_way(count_copy); }

static __global__ void stride(int *a, int step) {
  a[(size_t)(blockIdx.x * blockDim.x + threadIdx.x) * step] = 1;
}

// 32 words `step` apart: sectors and lines as the span has them, until each
// lane has one of its own.
static void count_strides() {
  for (int step = 1; step <= 64; step *= 2) {
    device_array<int> a((size_t)64 * step);
    counted();
    LAUNCHED(stride, 1, 64, 0, 0, a.at, step);
    simt_counters c = counted();
    unsigned long long sectors = step < 8 ? 4ull * step : 32;
    unsigned long long lines = step < 32 ? 1ull * step : 32;
    CU_ASSERT_EQUAL(c.sectors_written, 2 * sectors);
    CU_ASSERT_EQUAL(c.lines_written, 2 * lines);
    CU_ASSERT_EQUAL(c.sectors_read, 0);
  }
}
static void test_strides() { in_every_way(count_strides); }

static __global__ void misplaced(const int *a, int *out) {
  out[threadIdx.x] = a[threadIdx.x + 1];
}

static void test_unaligned_warp() {
  device_array<int> a(64), out(32);
  counted();
  LAUNCHED(misplaced, 1, 32, 0, 0, a.at, out.at);
  simt_counters c = counted();
  CU_ASSERT_EQUAL(c.sectors_read, 5);
  CU_ASSERT_EQUAL(c.lines_read, 2);
}

static __global__ void wide(const float4 *from, float4 *to) {
  to[threadIdx.x] = from[threadIdx.x];
}
static __global__ void pairs(const int2 *from, int2 *to) {
  int2 pair = from[threadIdx.x];
  to[threadIdx.x] = make_int2(pair.y, pair.x);
}

// What a warp that moves 32 elements has read, it has also written.
static void moved(uint64_t instructions, uint64_t sectors, uint64_t lines) {
  simt_counters c = counted();
  CU_ASSERT_EQUAL(c.loads, instructions);
  CU_ASSERT_EQUAL(c.stores, instructions);
  CU_ASSERT_EQUAL(c.accesses, 64 * instructions);
  CU_ASSERT_EQUAL(c.sectors_read, sectors);
  CU_ASSERT_EQUAL(c.sectors_written, sectors);
  CU_ASSERT_EQUAL(c.lines_read, lines);
  CU_ASSERT_EQUAL(c.lines_written, lines);
}

static void test_vectors() {
  device_array<float4> from(32), to(32);
  counted();
  LAUNCHED(wide, 1, 32, 0, 0, from.at, to.at);
  moved(1, 16, 4);
  LAUNCHED(pairs, 1, 32, 0, 0, (const int2 *)from.at, (int2 *)to.at);
  moved(1, 8, 2);
}

struct five {
  double values[5];
};
static __global__ void structures(const five *from, five *to) {
  to[threadIdx.x] = from[threadIdx.x];
}

// 40 bytes, 8 at a time: each of the five loads has its lanes 40 bytes apart,
// so that each lane has a sector of its own, and 32 lanes span ten lines.
static void test_structures() {
  device_array<five> from(32), to(32);
  counted();
  LAUNCHED(structures, 1, 32, 0, 0, from.at, to.at);
  moved(5, 160, 50);
}

static __global__ void banks(int *out, int step) {
  extern __shared__ unsigned char smem[];
  int *words = (int *)smem;
  words[threadIdx.x * step] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = words[threadIdx.x * step];
}

// A bank has every 32nd word: lanes 2^k words apart meet in it 2^k at a time.
static void count_banks() {
  device_array<int> out(32);
  for (int step = 1; step <= 32; step *= 2) {
    counted();
    LAUNCHED(banks, 1, 32, (size_t)32 * step * 4, 0, out.at, step);
    simt_counters c = counted();
    CU_ASSERT_EQUAL(c.bank_waves, 2ull * step);
    CU_ASSERT_EQUAL(c.shared_instructions, 2);
    CU_ASSERT_EQUAL(c.shared_accesses, 64);
    CU_ASSERT_EQUAL(c.warp_operations, 1);
  }
  counted();
  LAUNCHED(banks, 1, 32, 32 * 33 * 4, 0, out.at, 33);
  CU_ASSERT_EQUAL(counted().bank_waves, 2);
}
static void test_banks() { in_every_way(count_banks); }

static __global__ void broadcast(int *out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 7;
  __syncthreads();
  out[threadIdx.x] = word;
}
static __global__ void wide_banks(double *out) {
  __shared__ double values[32];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[31 - threadIdx.x];
}
static __global__ void wider_banks(float4 *out) {
  __shared__ float4 values[32];
  values[threadIdx.x] = make_float4(0, 1, 2, (float)threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = values[31 - threadIdx.x];
}

static void test_broadcast_and_parts() {
  device_array<int> out(64);
  counted();
  LAUNCHED(broadcast, 1, 64, 0, 0, out.at);
  simt_counters c = counted();
  CU_ASSERT_EQUAL(c.bank_waves, 1 + 2);
  CU_ASSERT_EQUAL(c.barriers, 1);
  CU_ASSERT_EQUAL(out[63], 7);
  // A store, two loads, two barriers, two stores: of one warp or both.
  CU_ASSERT_EQUAL(c.warp_instructions, 1 + 2 + 2 + 2);
  device_array<double> doubles(32);
  LAUNCHED(wide_banks, 1, 32, 0, 0, doubles.at);
  CU_ASSERT_EQUAL(counted().bank_waves, 2 + 2);
  device_array<float4> vectors(32);
  LAUNCHED(wider_banks, 1, 32, 0, 0, vectors.at);
  c = counted();
  CU_ASSERT_EQUAL(c.bank_waves, 4 + 4);
  CU_ASSERT_EQUAL(c.shared_accesses, 2 * 32);
  CU_ASSERT_EQUAL(c.warp_instructions, 1 + 1 + 1 + 1);
}

static __global__ void atomics(unsigned *global, int width) {
  __shared__ unsigned bins[32];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % width], 1u);
  __syncthreads();
  atomicAdd(&global[threadIdx.x % width], bins[threadIdx.x]);
}

static void count_atomics() {
  device_array<unsigned> out(32);
  for (int width = 1; width <= 32; width *= 2) {
    counted();
    LAUNCHED(atomics, 1, 32, 0, 0, out.at, width);
    simt_counters c = counted();
    CU_ASSERT_EQUAL(c.atomics, 64);
    CU_ASSERT_EQUAL(c.atomic_instructions, 2);
    CU_ASSERT_EQUAL(c.atomic_conflicts, 2ull * (32 - width));
    CU_ASSERT_EQUAL(c.atomic_sectors, width <= 8 ? 1ull : width / 8);
    CU_ASSERT_EQUAL(c.bank_waves, 1 + 32ull / width + 1);
    CU_ASSERT_EQUAL(c.barriers, 2);
    CU_ASSERT_EQUAL(c.loads + c.stores, 0);
  }
}
static void test_atomics() { in_every_way(count_atomics); }

__constant__ int table[64];
static __global__ void constants(int *out, int step) {
  out[threadIdx.x] = table[threadIdx.x * step];
}

static void test_constants() {
  int values[64];
  for (int i = 0; i < 64; i++) values[i] = i * i;
  cudaMemcpyToSymbol(table, values, sizeof values);
  device_array<int> out(32);
  counted();
  LAUNCHED(constants, 1, 32, 0, 0, out.at, 0);
  simt_counters c = counted();
  CU_ASSERT_EQUAL(c.constant_instructions, 1);
  CU_ASSERT_EQUAL(c.constant_waves, 1);
  CU_ASSERT_EQUAL(c.loads, 0);
  LAUNCHED(constants, 1, 32, 0, 0, out.at, 2);
  CU_ASSERT_EQUAL(counted().constant_waves, 32);
  CU_ASSERT_EQUAL(out[5], 100);
}

// Two pages from one warp's stride: 4 MiB apart each.
static void count_pages() {
  device_array<int> a((size_t)64 << 20 >> 2);
  counted();
  LAUNCHED(stride, 1, 32, 0, 0, a.at, 1 << 19);
  simt_counters c = counted();
  CU_ASSERT_EQUAL(c.pages, 32);
  CU_ASSERT_EQUAL(c.page_requests, 32);
  LAUNCHED(stride, 4, 32, 0, 0, a.at, 1);
  c = counted();
  CU_ASSERT_EQUAL(c.pages, 1);
  CU_ASSERT_EQUAL(c.page_requests, 4);
}
static void test_pages() {
  in_every_way(count_pages);
  CU_ASSERT_EQUAL(simt_set_page_bytes(3 << 20), -1);
  CU_ASSERT_EQUAL(simt_set_page_bytes(4096), 0);
  device_array<int> a(4096);
  LAUNCHED(stride, 1, 64, 0, 0, a.at, 64);
  CU_ASSERT_EQUAL(counted().pages, 4);
  CU_ASSERT_EQUAL(simt_set_page_bytes(2 << 20), 0);
}

// What the lanes do between two barriers is more than a log holds.
static __global__ void long_way(const int *a, int *out, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += a[i];
  out[threadIdx.x] = sum;
}

static void count_long_way() {
  int n = 32 * 5000;
  device_array<int> a(n), out(32);
  counted();
  LAUNCHED(long_way, 1, 32, 0, 0, a.at, out.at, n);
  simt_counters c = counted();
  CU_ASSERT_EQUAL(c.loads, 5000);
  CU_ASSERT_EQUAL(c.accesses, 32 * 5000 + 32);
  CU_ASSERT_EQUAL(c.sectors_read, 4 * 5000);
}
static void test_long_way() { in_every_way(count_long_way); }

static __noinline__ __device__ void add_between_barriers(int *a) {
  __syncthreads();
  a[threadIdx.x] += 1;
  __syncthreads();
}
static __global__ void some_return(int *a, unsigned first) {
  if (threadIdx.x - first < 16) return;
  add_between_barriers(a);
}

// Half of one warp is within a call when the other warp goes on, of which all
// are, or the other way round.
static void count_calls() {
  device_array<int> a(64);
  for (unsigned first = 0; first < 64; first += 32) {
    counted();
    LAUNCHED(some_return, 1, 64, 0, 0, a.at, first);
    simt_counters c = counted();
    CU_ASSERT_EQUAL(c.loads, 2);
    CU_ASSERT_EQUAL(c.stores, 2);
    CU_ASSERT_EQUAL(c.accesses, 2 * 48);
  }
}
static void test_calls() { in_every_way(count_calls); }

static const struct check_test tests[] = {
    {"a copy reads and writes each sector once", test_copy},
    {"strided stores spread over sectors and lines", test_strides},
    {"a warp off its line touches one more", test_unaligned_warp},
    {"vectors are one access", test_vectors},
    {"structures are one for each 8 bytes", test_structures},
    {"banks have as many waves as lanes meet in one", test_banks},
    {"one word is for all, 8 bytes go by halves", test_broadcast_and_parts},
    {"atomics conflict where lanes have one word", test_atomics},
    {"constant memory gives word by word", test_constants},
    {"pages are counted once", test_pages},
    {"logs that fill up change nothing", test_long_way},
    {"barriers within calls part no warp", test_calls},
    {NULL, NULL},
};

extern "C" const struct check_suite suite_simt_counts;
const struct check_suite suite_simt_counts = {SUITE(simt_counts), tests, NULL};
