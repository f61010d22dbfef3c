/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/gpu.h -- what each .cu of this folder begins with.
 *
 * A source is compiled several times: by nvcc for GPUs, and by g++ for the
 * emulator, plainly and counted.  All of it is in an unnamed namespace but the
 * struct algo, whose name GPU_ALGO() makes a different one in each build.
 *
 * An algorithm's `run` gets a copy of the workspace that lies in the memory of
 * the device, whole; it launches kernels and does not wait for them, but where
 * it has to know of their results which ones to launch next.  setup, restore
 * and check get the workspace of the host, as on the processor.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include "cpu_algos/algo.h"
#include "gpu_algos/failure.h"
}
#include "gpu_algos/launch.h"
#ifndef __CUDACC__
#include "gpu_algos/simt/simt.h"
#endif

/* What a designated initializer leaves out is meant to be 0, as in C. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#ifdef __CUDACC__
#define GPU_BUILD cuda
#define GPU_DEVICE "cuda"
#else
#ifdef SIMT_COUNTED
#define GPU_BUILD counted
#else
#define GPU_BUILD emu
#endif
#define GPU_DEVICE "emu"
#endif

#define GPU_PASTE(a, b, c) a##b##_##c
#define GPU_NAME(build, name) GPU_PASTE(gpu_, build, name)
#define GPU_SYMBOL(name) GPU_NAME(GPU_BUILD, name) /* gpu_emu_NAME, ... */

/* GPU_ALGO(scan) = {.name = "scan", .device = GPU_DEVICE, ...}; */
#define GPU_ALGO(algo_name)                           \
  extern "C" const struct algo GPU_SYMBOL(algo_name); \
  const struct algo GPU_SYMBOL(algo_name)

/* Keeps the first failure; true where the call was one. */
static inline bool gpu_failed(cudaError_t error, const char *call) {
  if (error == cudaSuccess) return false;
  (void)cudaGetLastError(); /* or a later launch would be told to have it */
  const char *text = cudaGetErrorString(error);
#ifndef __CUDACC__
  if (*simt_diagnosis()) text = simt_diagnosis();
#endif
  gpu_failure_note(call, cudaGetErrorName(error), text,
                   error == cudaErrorMemoryAllocation);
  return true;
}

/* Launch on a stream (struct algo_run; NULL: the usual one), unless something
 * failed before; `text` is the kernel as written.  Beside its own shared memory
 * a dynamic one may need to be asked for. */
template <class... P, class... A>
static inline void gpu_launch(const char *text, void (*kernel)(P...), dim3 grid,
                              dim3 block, size_t shared_bytes, void *stream,
                              A... args) {
  if (gpu_failure_first()) return;
  if (shared_bytes &&
      gpu_failed(cudaFuncSetAttribute(
                     kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     (int)shared_bytes),
                 text))
    return;
  launch(kernel, grid, block, shared_bytes, (cudaStream_t)stream, args...);
  gpu_failed(cudaGetLastError(), text);
}
/* A kernel with a comma in its name has to be in parentheses. */
#define GPU_LAUNCH(kernel, grid, block, ...) \
  GPU_LAUNCH_SHARED(kernel, grid, block, 0, __VA_ARGS__)
#define GPU_LAUNCH_SHARED(kernel, grid, block, bytes, ...) \
  GPU_LAUNCH_STREAM(kernel, grid, block, bytes, nullptr, __VA_ARGS__)
#define GPU_LAUNCH_STREAM(kernel, grid, block, bytes, stream, ...)     \
  gpu_launch("launch of " #kernel, kernel, grid, block, bytes, stream, \
             __VA_ARGS__)

static inline uint32_t gpu_blocks(uint64_t items, uint32_t per_block) {
  return (uint32_t)((items + per_block - 1) / per_block);
}
