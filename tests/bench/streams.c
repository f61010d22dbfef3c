/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/bench/streams.h"

#include <stdio.h>
#include <time.h>

double bench_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool bench_verdict(double rate, double bar) {
  bool holds = rate >= bar;
  if (bar)
    printf(" %6.0f %s\n", bar, holds ? "holds" : "BELOW");
  else
    printf(" %6s\n", "-");
  fflush(stdout);
  return holds;
}

uint64_t stream_seed;

uint64_t stream_random(uint64_t below) { /* splitmix64 */
  uint64_t z = stream_seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint64_t)((unsigned __int128)(z ^ z >> 31) * below >> 64);
}

uint64_t stream_search(uint64_t i) {
  static uint64_t low, high, key;
  if (i == 0 || low >= high) {
    low = 0;
    high = UINT64_C(1) << 26;
    key = stream_random(high);
  }
  uint64_t middle = low + (high - low) / 2;
  if (middle < key)
    low = middle + 1;
  else
    high = middle;
  return middle;
}
