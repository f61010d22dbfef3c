// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes that part meet again: a load or store that some lanes do together is
// one instruction, and what each lane does of its own adds no more than that.
#include "tests/gpu_algos/device.h"

enum { ROUNDS = 16, LANES = 32 };

// len[round][lane] decides about ways; a[] is for loads that mean nothing.
#define SHAPE(name) \
  static __global__ void name(const int *len, const int *a, int *out)
#define LEN(round) len[(round)*LANES + threadIdx.x]

SHAPE(loops) {
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < ROUNDS; r++) {
    int trips = LEN(r);
    for (int k = 0; k < trips; k++) sum += a[(r * LANES + k) * LANES + t];
  }
  out[t] = sum;
}

SHAPE(either) {
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < ROUNDS; r++) {
    if (LEN(r) & 1)
      sum += a[t];
    else
      sum -= a[1024 + t];
    sum ^= a[2048 + t];
  }
  out[t] = sum;
}

SHAPE(search) {
  int t = threadIdx.x;
  for (int r = 0; r < ROUNDS; r++) {
    int k = 0;
    while (k < 64) {
      if (a[k * LANES + t] >= 0 && k >= LEN(r)) break;
      k++;
    }
    out[r * LANES + t] = k;
  }
}

SHAPE(skip) {
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < ROUNDS; r++) {
    if (LEN(r) & 1) continue;
    sum += a[r * LANES + t];
  }
  out[t] = sum;
}

SHAPE(leave) {
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < ROUNDS; r++) {
    if (LEN(r) == 0) return;
    sum += a[r * LANES + t];
  }
  out[t] = sum;
}

SHAPE(three_ways) {
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < ROUNDS; r++) {
    switch (LEN(r) % 3) {
      case 0:
        sum += a[t];
        break;
      case 1:
        sum += a[t + 32];
        sum += a[t + 64];
        break;
      default:
        sum += a[t + 96];
    }
    out[r * LANES + t] = sum;
  }
}

__device__ __noinline__ int called(const int *a, int n) {
  int sum = 0;
  for (int k = 0; k < n; k++) sum += a[k * LANES];
  return sum;
}

SHAPE(calls) {
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < ROUNDS; r++) {
    int n = LEN(r);
    if (n & 1) sum += called(a + t, n);
    sum += a[t];
  }
  out[t] = sum;
}

// Lanes 0 to 15 meet among themselves on the way.
SHAPE(part_meets) {
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < ROUNDS; r++) {
    if (t < 16) {
      sum += a[t];
      __syncwarp(0xffff);
      sum += a[t + 32];
    } else {
      int n = LEN(r);
      for (int k = 0; k < n; k++) sum += a[k * LANES + t];
    }
    sum += a[t];
  }
  out[t] = sum;
}

static int lengths[ROUNDS][LANES];

// Like rand(), the same everywhere.
static void make_lengths() {
  unsigned state = 3;
  for (auto &round : lengths)
    for (int &length : round) {
      state = state * 1664525u + 1013904223u;
      length = (int)(state >> 24) % 32;
    }
}

// Over rounds: the longest way of any lane, from lane `first` on.
static int longest(int first, bool odd_only) {
  int sum = 0;
  for (const auto &round : lengths) {
    int most = 0;
    for (int t = first; t < LANES; t++)
      if ((!odd_only || round[t] % 2) && round[t] > most) most = round[t];
    sum += most;
  }
  return sum;
}

// Rounds in which some lane has a length that is `rest` modulo `by`.
static int with_rest(int by, int rest) {
  int sum = 0;
  for (const auto &round : lengths) {
    bool some = false;
    for (int length : round) some |= length % by == rest;
    sum += some;
  }
  return sum;
}

// Rounds that some lane is still there to begin, and to go on in.
static int begun(bool go_on) {
  int sum = 0;
  bool there[LANES];
  for (bool &lane : there) lane = true;
  for (const auto &round : lengths) {
    bool some = false, more = false;
    for (int t = 0; t < LANES; t++) {
      some |= there[t];
      there[t] = there[t] && round[t];
      more |= there[t];
    }
    sum += go_on ? more : some;
  }
  return sum;
}

static bool any_left() {
  for (int t = 0; t < LANES; t++) {
    bool stays = true;
    for (const auto &round : lengths) stays = stays && round[t];
    if (stays) return true;
  }
  return false;
}

typedef void (*shape)(const int *, const int *, int *);

static void expect(shape kernel, int loads, int stores) {
  device_array<int> len(ROUNDS * LANES), a(1 << 18), out(ROUNDS * LANES);
  simt_counters c;
  upload(len.at, lengths, sizeof lengths);
  simt_reset_counters();
  LAUNCHED(kernel, 1, LANES, 0, 0, len.at, a.at, out.at);
  simt_read_counters(&c);
  if ((int)c.loads != loads || (int)c.stores != stores)
    printf("\nloads %d, not %d; stores %d, not %d\n", (int)c.loads, loads,
           (int)c.stores, stores);
  CU_ASSERT_EQUAL((int)c.loads, loads);
  CU_ASSERT_EQUAL((int)c.stores, stores);
}

static void expect_all() {
  make_lengths();
  expect(loops, ROUNDS + longest(0, false), 1);
  expect(either, ROUNDS * 2 + with_rest(2, 0) + with_rest(2, 1), 1);
  // Each trip loads twice, since the second load depends on the first.
  expect(search, 2 * (ROUNDS + longest(0, false)), ROUNDS);
  expect(skip, ROUNDS + with_rest(2, 0), 1);
  expect(leave, begun(false) + begun(true), any_left());
  expect(three_ways,
         ROUNDS + with_rest(3, 0) + 2 * with_rest(3, 1) + with_rest(3, 2),
         ROUNDS);
  expect(calls, 2 * ROUNDS + longest(0, true), 1);
  expect(part_meets, ROUNDS * 4 + longest(16, false), 1);
}
static void test_shapes() { in_every_way(expect_all); }

static const struct check_test tests[] = {
    {"lanes that part meet again", test_shapes},
    {NULL, NULL},
};

extern "C" const struct check_suite suite_simt_shapes;
const struct check_suite suite_simt_shapes = {SUITE(simt_shapes), tests, NULL};
