/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/runtime_api.h -- the CUDA calls of the host.
 *
 * Under names of their own in the linker's eyes, so that a program may hold
 * kernels for the emulator and for a device.
 */
#pragma once
#include <string.h>

#include "gpu_algos/simt/device_calls.h"
#include "gpu_algos/simt/kernel_words.h"
#include "gpu_algos/simt/launch_limits.h"

typedef enum simt_error cudaError_t;
#define cudaSuccess SIMT_SUCCESS
#define cudaErrorInvalidValue SIMT_INVALID_VALUE
#define cudaErrorMemoryAllocation SIMT_MEMORY_ALLOCATION
#define cudaErrorInvalidConfiguration SIMT_INVALID_CONFIGURATION
#define cudaErrorInvalidDevice SIMT_INVALID_DEVICE
#define cudaErrorInvalidResourceHandle SIMT_INVALID_HANDLE
#define cudaErrorNotReady SIMT_NOT_READY
#define cudaErrorIllegalAddress SIMT_ILLEGAL_ADDRESS
#define cudaErrorLaunchTimeout SIMT_LAUNCH_TIMEOUT
#define cudaErrorAssert SIMT_ASSERT
#define cudaErrorMisalignedAddress SIMT_MISALIGNED_ADDRESS
#define cudaErrorLaunchFailure SIMT_LAUNCH_FAILURE

typedef struct simt_stream *cudaStream_t;
typedef struct simt_event *cudaEvent_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault,
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
enum {
  cudaEventDefault = 0,
  cudaEventDisableTiming = 2,
  cudaStreamDefault = 0,
  cudaStreamNonBlocking = 1,
  cudaHostAllocDefault = 0,
  cudaHostRegisterDefault = 0,
};

static inline const char *cudaGetErrorName(cudaError_t error) {
  return simt_error_name(error);
}
static inline const char *cudaGetErrorString(cudaError_t error) {
  return simt_error_string(error);
}
static inline cudaError_t cudaGetLastError() { return simt_last_error(); }
static inline cudaError_t cudaPeekAtLastError() { return simt_peek_error(); }

static inline cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
static inline cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
static inline cudaError_t cudaSetDevice(int device) {
  return device ? simt_note_error(SIMT_INVALID_DEVICE) : cudaSuccess;
}
static inline cudaError_t cudaDeviceSynchronize() {
  return simt_kernel_error();
}

template <class T>
static inline cudaError_t cudaMalloc(T **memory, size_t bytes) {
  return simt_malloc((void **)memory, bytes);
}
static inline cudaError_t cudaFree(void *memory) { return simt_free(memory); }
template <class T>
static inline cudaError_t cudaMallocHost(T **memory, size_t bytes) {
  return simt_host_malloc((void **)memory, bytes);
}
static inline cudaError_t cudaFreeHost(void *memory) {
  return simt_host_free(memory);
}
/* All of the host's memory is as good. */
static inline cudaError_t cudaHostRegister(void *memory, size_t bytes,
                                           unsigned) {
  return memory && bytes ? cudaSuccess : simt_note_error(SIMT_INVALID_VALUE);
}
static inline cudaError_t cudaHostUnregister(void *) { return cudaSuccess; }
static inline cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *bytes) {
  return simt_memory_info(free_bytes, bytes);
}
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                                     cudaMemcpyKind) {
  return simt_copy(to, from, bytes);
}
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from,
                                          size_t bytes, cudaMemcpyKind,
                                          cudaStream_t = nullptr) {
  return simt_copy(to, from, bytes);
}
static inline cudaError_t cudaMemset(void *memory, int byte, size_t bytes) {
  return simt_fill(memory, byte, bytes);
}
static inline cudaError_t cudaMemsetAsync(void *memory, int byte, size_t bytes,
                                          cudaStream_t = nullptr) {
  return simt_fill(memory, byte, bytes);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(
    T &symbol, const void *from, size_t bytes, size_t offset = 0,
    cudaMemcpyKind = cudaMemcpyHostToDevice) {
  if (bytes > sizeof symbol || offset > sizeof symbol - bytes)
    return simt_note_error(SIMT_INVALID_VALUE);
  return simt_copy((char *)&symbol + offset, from, bytes);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(
    void *to, const T &symbol, size_t bytes, size_t offset = 0,
    cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  if (bytes > sizeof symbol || offset > sizeof symbol - bytes)
    return simt_note_error(SIMT_INVALID_VALUE);
  return simt_copy(to, (const char *)&symbol + offset, bytes);
}

template <class... P>
static inline cudaError_t cudaFuncSetAttribute(void (*kernel)(P...),
                                               cudaFuncAttribute, int value) {
  return simt_allow_shared((const void *)kernel, value);
}

static inline cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  *stream = nullptr;
  return cudaSuccess;
}
static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream,
                                                    unsigned) {
  return cudaStreamCreate(stream);
}
static inline cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return simt_kernel_error();
}
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t,
                                              unsigned = 0) {
  return simt_kernel_error();
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return simt_event_create(event);
}
static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event,
                                                   unsigned) {
  return simt_event_create(event);
}
static inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return simt_event_destroy(event);
}
static inline cudaError_t cudaEventRecord(cudaEvent_t event,
                                          cudaStream_t = nullptr) {
  return simt_event_record(event);
}
static inline cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return simt_kernel_error();
}
static inline cudaError_t cudaEventElapsedTime(float *milliseconds,
                                               cudaEvent_t from,
                                               cudaEvent_t to) {
  return simt_event_elapsed(milliseconds, from, to);
}
