/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/vector_types.h -- int2, float4 and their like.
 *
 * Those that a device loads and stores at once (of 2, 4, 8 or 16 bytes, and
 * aligned so) are copied by one access here, too: g++ would copy one component
 * after the other, and four accesses would be counted.
 */
#pragma once
#include <stdint.h>

#include "gpu_algos/simt/kernel_words.h"

template <int bytes>
struct simt_word;
template <>
struct simt_word<2> {
  typedef uint16_t type __attribute__((may_alias));
};
template <>
struct simt_word<4> {
  typedef uint32_t type __attribute__((may_alias));
};
template <>
struct simt_word<8> {
  typedef uint64_t type __attribute__((may_alias));
};
template <>
struct simt_word<16> {
  typedef uint64_t type __attribute__((vector_size(16), may_alias));
};

#define SIMT_COPIED_AT_ONCE(name)                            \
  name() = default;                                          \
  __forceinline__ name(const name &other) { *this = other; } \
  __forceinline__ name &operator=(const name &other) {       \
    typedef simt_word<sizeof(name)>::type word;              \
    *(word *)this = *(const word *)&other;                   \
    return *this;                                            \
  }

#define SIMT_VECTOR2(name, T)                          \
  struct alignas(2 * sizeof(T)) name {                 \
    T x, y;                                            \
    __forceinline__ name(T vx, T vy) : x(vx), y(vy) {} \
    SIMT_COPIED_AT_ONCE(name)                          \
  };                                                   \
  static __forceinline__ name make_##name(T x, T y) { return name(x, y); }

#define SIMT_VECTOR4(name, T)                                   \
  struct alignas(4 * sizeof(T)) name {                          \
    T x, y, z, w;                                               \
    __forceinline__ name(T vx, T vy, T vz, T vw)                \
        : x(vx), y(vy), z(vz), w(vw) {}                         \
    SIMT_COPIED_AT_ONCE(name)                                   \
  };                                                            \
  static __forceinline__ name make_##name(T x, T y, T z, T w) { \
    return name(x, y, z, w);                                    \
  }

/* Three components are three accesses on a device, too. */
#define SIMT_VECTOR3(name, T) \
  struct name {               \
    T x, y, z;                \
  };                          \
  static __forceinline__ name make_##name(T x, T y, T z) { return {x, y, z}; }

#define SIMT_VECTOR1(name, T) \
  struct name {               \
    T x;                      \
  };                          \
  static __forceinline__ name make_##name(T x) { return {x}; }

#define SIMT_VECTORS(name, T) \
  SIMT_VECTOR1(name##1, T)    \
  SIMT_VECTOR2(name##2, T)    \
  SIMT_VECTOR4(name##4, T)

SIMT_VECTORS(char, signed char)
SIMT_VECTORS(uchar, unsigned char)
SIMT_VECTORS(short, short)
SIMT_VECTORS(ushort, unsigned short)
SIMT_VECTORS(int, int)
SIMT_VECTORS(uint, unsigned)
SIMT_VECTORS(float, float)
SIMT_VECTOR3(char3, signed char)
SIMT_VECTOR3(uchar3, unsigned char)
SIMT_VECTOR3(short3, short)
SIMT_VECTOR3(ushort3, unsigned short)
SIMT_VECTOR3(int3, int)
SIMT_VECTOR3(float3, float)
SIMT_VECTOR3(double3, double)
SIMT_VECTOR1(double1, double)
SIMT_VECTOR2(double2, double)
SIMT_VECTOR2(longlong2, long long)
SIMT_VECTOR2(ulonglong2, unsigned long long)

static __forceinline__ uint3 make_uint3(unsigned x, unsigned y, unsigned z) {
  return {x, y, z};
}
