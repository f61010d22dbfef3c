// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of an array, written for nothing but read bandwidth: four sums of
// vectors of each width, alone and with prefetches 4 KiB ahead.
#include "tests/peers/peers.h"

// n of at least `vector` keys; what is over goes one by one.
#define READ_KERNEL(name, attributes, vector_bytes, ahead)                  \
  attributes static void name(algo_run *run) {                              \
    typedef uint64_t vector __attribute__((vector_size(vector_bytes)));     \
    const uint64_t lanes = vector_bytes / 8, n = run->n;                    \
    const uint64_t *keys = reinterpret_cast<uint64_t *>(run->memory);       \
    vector sum[4] = {};                                                     \
    uint64_t i = 0;                                                         \
    for (; i + 4 * lanes <= n; i += 4 * lanes) {                            \
      const vector *next = reinterpret_cast<const vector *>(keys + i);      \
      if (ahead)                                                            \
        for (uint64_t line = 0; line < 4 * vector_bytes; line += 64)        \
          __builtin_prefetch(reinterpret_cast<const char *>(next) + ahead + \
                             line);                                         \
      sum[0] += next[0];                                                    \
      sum[1] += next[1];                                                    \
      sum[2] += next[2];                                                    \
      sum[3] += next[3];                                                    \
    }                                                                       \
    uint64_t result = 0;                                                    \
    for (const vector &part : sum)                                          \
      for (uint64_t lane = 0; lane < lanes; lane++) result += part[lane];   \
    for (; i < n; i++) result += keys[i];                                   \
    run->result = result;                                                   \
  }

#define PLAIN
READ_KERNEL(read_8, PLAIN, 8, 0)
READ_KERNEL(read_16, PLAIN, 16, 0)
READ_KERNEL(read_16_ahead, PLAIN, 16, 4096)
#if defined __x86_64__
READ_KERNEL(read_32, __attribute__((target("avx2"))), 32, 0)
READ_KERNEL(read_32_ahead, __attribute__((target("avx2"))), 32, 4096)
READ_KERNEL(read_64, __attribute__((target("avx512f"))), 64, 0)
READ_KERNEL(read_64_ahead, __attribute__((target("avx512f"))), 64, 4096)

static bool has_avx2() { return __builtin_cpu_supports("avx2"); }
static bool has_avx512() { return __builtin_cpu_supports("avx512f"); }
#endif

std::vector<peer_kernel> read_kernels() {
  return {
    {"8 bytes", read_8, nullptr}, {"16 bytes", read_16, nullptr},
        {"16 bytes, prefetched", read_16_ahead, nullptr},
#if defined __x86_64__
        {"32 bytes", read_32, has_avx2},
        {"32 bytes, prefetched", read_32_ahead, has_avx2},
        {"64 bytes", read_64, has_avx512},
        {"64 bytes, prefetched", read_64_ahead, has_avx512},
#endif
  };
}
