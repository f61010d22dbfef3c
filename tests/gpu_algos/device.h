// SPDX-License-Identifier: GPL-3.0-or-later
// tests/gpu_algos/device.h -- what tests of the emulator share: memory of the
// device, and every way in which a grid may run.
#pragma once
#include "gpu_algos/launch.h"
#include "gpu_algos/simt/simt.h"
#include "tests/check.h"

#ifdef SIMT_COUNTED
#define SUITE(name) "counted_" #name
#else
#define SUITE(name) #name
#endif

static inline void upload(void *to, const void *from, size_t bytes) {
  CU_ASSERT_EQUAL(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice),
                  cudaSuccess);
}

// Zeroed memory of the device; an element of it by [].
template <class T>
struct device_array {
  T *at;
  explicit device_array(size_t count) {
    CU_ASSERT_FATAL(cudaMalloc(&at, count * sizeof(T)) == cudaSuccess);
    cudaMemset(at, 0, count * sizeof(T));
  }
  ~device_array() { cudaFree(at); }
  device_array(const device_array &) = delete;
  device_array &operator=(const device_array &) = delete;
  void set(size_t i, T value) { upload(at + i, &value, sizeof value); }
  T operator[](size_t i) const {
    T value;
    cudaMemcpy(&value, at + i, sizeof value, cudaMemcpyDeviceToHost);
    return value;
  }
};

// Blocks forward and backward, on one host thread and on several.
static inline void in_every_way(void (*test)()) {
  const simt_order orders[] = {SIMT_FORWARD, SIMT_REVERSE};
  for (simt_order order : orders)
    for (unsigned threads = 1; threads <= 3; threads += 2) {
      simt_set_order(order);
      CU_ASSERT_EQUAL(simt_set_threads(threads), 0);
      test();
    }
  simt_set_order(SIMT_FORWARD);
  simt_set_threads(1);
}

// A launch that fails spoils none behind it.
static inline void launched(cudaError_t error) {
  CU_ASSERT_EQUAL(error, cudaSuccess);
  if (*simt_diagnosis()) printf("\n%s\n", simt_diagnosis());
  cudaGetLastError();
}
#define LAUNCHED(...) launched(launch(__VA_ARGS__))
