/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/trace_checksum.h"

#include "vat/trace_format.h"

#define P1 UINT64_C(0x9e3779b185ebca87)
#define P2 UINT64_C(0xc2b2ae3d27d4eb4f)
#define P3 UINT64_C(0x165667b19e3779f9)
#define P4 UINT64_C(0x85ebca77c2b2ae63)
#define P5 UINT64_C(0x27d4eb2f165667c5)

static inline uint64_t rotate(uint64_t value, unsigned bits) {
  return value << bits | value >> (64 - bits);
}

static inline uint64_t mix(uint64_t lane, uint64_t word) {
  return rotate(lane + word * P2, 31) * P1;
}

/* The bytes that fill no stripe of 32. */
static uint64_t mix_rest(uint64_t sum, const uint8_t *bytes, size_t count) {
  for (; count >= 8; bytes += 8, count -= 8)
    sum = rotate(sum ^ mix(0, trace_get64(bytes)), 27) * P1 + P4;
  for (; count >= 4; bytes += 4, count -= 4)
    sum = rotate(sum ^ trace_get32(bytes) * P1, 23) * P2 + P3;
  for (; count; bytes++, count--) sum = rotate(sum ^ *bytes * P5, 11) * P1;
  return sum;
}

uint64_t vat_trace_checksum(const uint8_t *bytes, size_t count) {
  const uint8_t *end = bytes + count;
  uint64_t sum = P5;
  if (count >= 32) {
    uint64_t lanes[4] = {P1 + P2, P2, 0, 0 - P1};
    for (; end - bytes >= 32; bytes += 32)
      for (unsigned i = 0; i < 4; i++)
        lanes[i] = mix(lanes[i], trace_get64(bytes + 8 * i));
    sum = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) +
          rotate(lanes[3], 18);
    for (unsigned i = 0; i < 4; i++) sum = (sum ^ mix(0, lanes[i])) * P1 + P4;
  }
  sum = mix_rest(sum + count, bytes, (size_t)(end - bytes));
  sum = (sum ^ sum >> 33) * P2;
  sum = (sum ^ sum >> 29) * P3;
  return sum ^ sum >> 32;
}
