// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem 4.2 of Jurkiewicz's thesis: algorithm 9 merges, whatever the streams
// are.  Tables of few rows have it go many rounds with few keys.
#include "gpu_algos/sort/warp_merge.h"
#include "tests/gpu_algos/device.h"
#include "tests/gpu_algos/wrong.h"

namespace {

enum { WARPS = 4, STREAMS = 3, SYMBOLS = 4, PATTERNS = 6000 };

// Every interleaving of K sorted streams of up to `most` symbols, in which any
// may be equal: which value the symbols of each stream have.
struct patterns {
  struct one {
    uint8_t length[STREAMS], value[STREAMS][SYMBOLS];
  } all[PATTERNS];
  int count;
};

// How many symbols of each stream are to have the next value: any number, but
// not none of all of them.
void extend(patterns &all, patterns::one &part, int k, int most, int value) {
  CU_ASSERT_FATAL(all.count < PATTERNS);
  all.all[all.count++] = part;
  int choices = 1;
  for (int i = 0; i < k; i++) choices *= most + 1;
  for (int choice = 1; choice < choices; choice++) {
    patterns::one longer = part;
    bool fits = true;
    for (int i = 0, rest = choice; i < k; i++, rest /= most + 1)
      for (int more = rest % (most + 1); more && fits; more--) {
        fits = longer.length[i] < most;
        if (fits) longer.value[i][longer.length[i]++] = (uint8_t)value;
      }
    if (fits) extend(all, longer, k, most, value + 1);
  }
}

// A warp a pattern: stream i of it is in[places[i] .. places[i + 1]).
template <int K, int ROWS>
__global__ void merge_patterns(const uint64_t *in, const uint32_t *places,
                               int count, uint64_t *out) {
  int pattern = (int)(blockIdx.x * WARPS + threadIdx.x / 32);
  if (pattern >= count) return;
  places += pattern * (STREAMS + 1);
  stream<pairs32> mine(0, 0);
  if (lane_id() < K)
    mine = stream<pairs32>(places[lane_id()], places[lane_id() + 1]);
  warp_merge<pairs32, K, ROWS>(in, mine, out, places[0], places[K]);
}

struct merging {
  uint32_t places[PATTERNS][STREAMS + 1];
  uint64_t *in, *out, *expected;
  uint32_t keys;
};

// A symbol is `unit` equal keys, whose values are their places.
void lay_out(const patterns &all, int k, int unit, merging *to) {
  uint32_t at = 0;
  for (int p = 0; p < all.count; p++) {
    const patterns::one &one = all.all[p];
    for (int i = 0; i <= STREAMS; i++) {
      to->places[p][i] = at;
      for (int s = 0; i < k && s < one.length[i] * unit; s++, at++)
        to->in[at] = (uint64_t)one.value[i][s / unit] << 32 | at;
    }
    // In the order of keys, and of places where they are equal.
    uint32_t next = to->places[p][0];
    for (uint32_t value = 0; next < at; value++)
      for (uint32_t i = to->places[p][0]; i < at; i++)
        if (to->in[i] >> 32 == value) to->expected[next++] = to->in[i];
  }
  to->keys = at;
}

template <int K, int ROWS>
void every_pattern_is_merged(int most, int unit) {
  static patterns all;
  static merging host;
  patterns::one none = {};
  all.count = 0;
  extend(all, none, K, most, 0);
  size_t bytes = (size_t)all.count * K * most * unit * sizeof(uint64_t);
  host.in = (uint64_t *)malloc(3 * bytes);
  CU_ASSERT_PTR_NOT_NULL_FATAL(host.in);
  host.out = host.in + bytes / sizeof *host.in;
  host.expected = host.out + bytes / sizeof *host.out;
  lay_out(all, K, unit, &host);
  device_array<uint64_t> in(host.keys), out(host.keys);
  device_array<uint32_t> places(sizeof host.places / sizeof(uint32_t));
  upload(in.at, host.in, host.keys * sizeof *host.in);
  upload(places.at, host.places, sizeof host.places);
  LAUNCHED(merge_patterns<K, ROWS>, (all.count + WARPS - 1) / WARPS, WARPS * 32,
           0, 0, in.at, places.at, all.count, out.at);
  cudaMemcpy(host.out, out.at, host.keys * sizeof *host.out,
             cudaMemcpyDeviceToHost);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < host.keys; i++)
    wrong += host.out[i] != host.expected[i];
  CU_ASSERT_EQUAL(wrong, 0);
  free(host.in);
}

// Of what the emulator has merged plainly, and with its own switches.
bool few() { return SIMT_IS_COUNTED || check_is_brief(); }

// A table of no more than K blocks puts one out for each that it reads; symbols
// that are no whole blocks end in the midst of them.
void two_streams() { every_pattern_is_merged<2, 2>(few() ? 2 : 4, 24); }
void two_streams_in_more_memory() {
  every_pattern_is_merged<2, 4>(few() ? 2 : 3, 40);
}
void three_streams() { every_pattern_is_merged<3, 4>(few() ? 1 : 2, 48); }

// Of two streams that are halves of in[0 .. n).
__global__ void merge_halves(const uint64_t *in, uint32_t n, uint32_t end,
                             uint64_t *out) {
  stream<pairs32> mine(0, 0);
  if (lane_id() < 2)
    mine = stream<pairs32>(lane_id() * n / 2, (lane_id() + 1) * n / 2);
  warp_merge<pairs32, 2, 2>(in, mine, out, 0, end);
}

// What a merge relies on, and what the theorem says of it, is asserted: streams
// as long as what they become, and that they ascend.
void wrong_streams_are_found() {
  enum { N = 256 };
  device_array<uint64_t> in(N), out(N);
  for (uint32_t i = 0; i < N; i++) in.set(i, (uint64_t)(i % (N / 2)) << 32 | i);
  LAUNCHED(merge_halves, 1, 32, 0, 0, in.at, N, N, out.at);
  FAILS(cudaErrorLaunchFailure, "__trap", merge_halves, 1, 32, 0, 0, in.at, N,
        N - 1, out.at);
  for (uint32_t i = 0; i < N; i++) in.set(i, (uint64_t)(N - i) << 32 | i);
  FAILS(cudaErrorLaunchFailure, "__trap", merge_halves, 1, 32, 0, 0, in.at, N,
        N, out.at);
}

template <class KIND, int ROWS>
__global__ void sort_table(const typename KIND::stored *in,
                           typename KIND::stored *out) {
  typename KIND::held rows[ROWS];
  for (int i = 0; i < ROWS; i++)
    rows[i] = read_block<KIND>(in, 32 * (uint32_t)i, 32 * ROWS);
  warp_sort<KIND>(rows);
  for (int i = 0; i < ROWS; i++)
    write_block<KIND>(out, 32 * (uint32_t)i, 32 * ROWS, rows[i]);
}

// Networks that sort zeros and ones sort everything; here every number of ones,
// in three orders.
template <int ROWS>
void zeros_and_ones() {
  device_array<uint32_t> in(32 * ROWS), out(32 * ROWS);
  uint32_t keys[32 * ROWS], sorted[32 * ROWS];
  for (uint32_t ones = 0; ones <= 32 * ROWS; ones += ROWS > 4 ? 13 : 1)
    for (uint32_t step = 1; step < 1000; step = step * 31 + 2) {
      for (uint32_t i = 0; i < 32 * ROWS; i++)
        keys[i] = i * step % (32 * ROWS) < ones;
      uint32_t have = 0, wrong = 0;
      for (uint32_t key : keys) have += key;
      upload(in.at, keys, sizeof keys);
      LAUNCHED(sort_table<keys32, ROWS>, 1, 32, 0, 0, in.at, out.at);
      cudaMemcpy(sorted, out.at, sizeof sorted, cudaMemcpyDeviceToHost);
      for (uint32_t i = 0; i < 32 * ROWS; i++)
        wrong += sorted[i] != (i >= 32 * ROWS - have);
      CU_ASSERT_EQUAL(wrong, 0);
    }
}

void tables_are_sorted() {
  zeros_and_ones<2>();
  zeros_and_ones<4>();
  if (few()) return;
  zeros_and_ones<16>();
  zeros_and_ones<32>();
}

const struct check_test tests[] = {
    {"every interleaving of two streams is merged", two_streams},
    {"and in more memory", two_streams_in_more_memory},
    {"and of three streams", three_streams},
    {"streams that are none are found", wrong_streams_are_found},
    {"tables of any number of rows are sorted", tables_are_sorted},
    {nullptr, nullptr},
};

}  // namespace

extern "C" const struct check_suite suite_k_merge;
const struct check_suite suite_k_merge = {SUITE(k_merge), tests, nullptr};
