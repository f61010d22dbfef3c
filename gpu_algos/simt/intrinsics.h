/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/intrinsics.h -- CUDA's small functions of a single thread. */
#pragma once
#include <math.h>
#include <string.h>
#include <time.h>

#include "gpu_algos/simt/kernel_words.h"

/* Hints for caches: loads and stores as any other. */
#define SIMT_LOAD(name)                        \
  template <class T>                           \
  static __forceinline__ T name(const T *at) { \
    return *at;                                \
  }
#define SIMT_STORE(name)                             \
  template <class T>                                 \
  static __forceinline__ void name(T *at, T value) { \
    *at = value;                                     \
  }
SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldcv)
SIMT_LOAD(__ldlu)
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwb)
SIMT_STORE(__stwt)

static __forceinline__ int __popc(unsigned x) { return __builtin_popcount(x); }
static __forceinline__ int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
static __forceinline__ int __clz(int x) {
  return x ? __builtin_clz((unsigned)x) : 32;
}
static __forceinline__ int __clzll(long long x) {
  return x ? __builtin_clzll((unsigned long long)x) : 64;
}
static __forceinline__ int __ffs(int x) { return __builtin_ffs(x); }
static __forceinline__ int __ffsll(long long x) { return __builtin_ffsll(x); }

static __forceinline__ unsigned long long __brevll(unsigned long long x) {
  x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
  x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
  return __builtin_bswap64(x);
}
static __forceinline__ unsigned __brev(unsigned x) {
  return (unsigned)(__brevll(x) >> 32);
}
static __forceinline__ unsigned __funnelshift_l(unsigned low, unsigned high,
                                                unsigned shift) {
  return (unsigned)(((uint64_t)high << 32 | low) << (shift & 31) >> 32);
}
static __forceinline__ unsigned __funnelshift_r(unsigned low, unsigned high,
                                                unsigned shift) {
  return (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31));
}
static __forceinline__ unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)((uint64_t)a * b >> 32);
}
static __forceinline__ int __mulhi(int a, int b) {
  return (int)((int64_t)a * b >> 32);
}
static __forceinline__ unsigned long long __umul64hi(unsigned long long a,
                                                     unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}

/* The same bits as another type. */
template <class To, class From>
static __forceinline__ To simt_bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "as many bits");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
static __forceinline__ unsigned __float_as_uint(float x) {
  return simt_bits_as<unsigned>(x);
}
static __forceinline__ int __float_as_int(float x) {
  return simt_bits_as<int>(x);
}
static __forceinline__ float __uint_as_float(unsigned x) {
  return simt_bits_as<float>(x);
}
static __forceinline__ float __int_as_float(int x) {
  return simt_bits_as<float>(x);
}
static __forceinline__ long long __double_as_longlong(double x) {
  return simt_bits_as<long long>(x);
}
static __forceinline__ double __longlong_as_double(long long x) {
  return simt_bits_as<double>(x);
}

static __forceinline__ float __fmaf_rn(float a, float b, float c) {
  return fmaf(a, b, c);
}
static __forceinline__ double __fma_rn(double a, double b, double c) {
  return fma(a, b, c);
}
static __forceinline__ float rsqrtf(float x) { return 1 / sqrtf(x); }

template <class A, class B>
static __forceinline__ constexpr auto min(A a, B b)
    -> decltype(a < b ? A(a) : B(b)) {
  return b < a ? b : a;
}
template <class A, class B>
static __forceinline__ constexpr auto max(A a, B b)
    -> decltype(a < b ? A(a) : B(b)) {
  return a < b ? b : a;
}

/* Ticks of a clock, here nanoseconds. */
static inline long long clock64() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}
