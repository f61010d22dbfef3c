/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/cuda_error.h"

#include <stddef.h>

static const struct {
  enum simt_error error;
  const char *name, *phrase;
} errors[] = {
    {SIMT_SUCCESS, "cudaSuccess", "no error"},
    {SIMT_INVALID_VALUE, "cudaErrorInvalidValue", "invalid argument"},
    {SIMT_MEMORY_ALLOCATION, "cudaErrorMemoryAllocation", "out of memory"},
    {SIMT_INVALID_CONFIGURATION, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {SIMT_INVALID_DEVICE, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {SIMT_INVALID_HANDLE, "cudaErrorInvalidResourceHandle",
     "invalid resource handle"},
    {SIMT_NOT_READY, "cudaErrorNotReady", "device not ready"},
    {SIMT_ILLEGAL_ADDRESS, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {SIMT_LAUNCH_TIMEOUT, "cudaErrorLaunchTimeout",
     "the launch timed out and was terminated"},
    {SIMT_ASSERT, "cudaErrorAssert", "device-side assert triggered"},
    {SIMT_MISALIGNED_ADDRESS, "cudaErrorMisalignedAddress",
     "misaligned address"},
    {SIMT_LAUNCH_FAILURE, "cudaErrorLaunchFailure",
     "unspecified launch failure"},
};

static enum simt_error last = SIMT_SUCCESS, kernel = SIMT_SUCCESS;

static size_t find(enum simt_error error) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].error == error) return i;
  return sizeof errors / sizeof *errors;
}

const char *simt_error_name(enum simt_error error) {
  size_t i = find(error);
  return i < sizeof errors / sizeof *errors ? errors[i].name
                                            : "unrecognized error code";
}

const char *simt_error_string(enum simt_error error) {
  size_t i = find(error);
  return i < sizeof errors / sizeof *errors ? errors[i].phrase
                                            : "unrecognized error code";
}

enum simt_error simt_note_error(enum simt_error error) {
  if (error != SIMT_SUCCESS) last = error;
  return error;
}

void simt_note_kernel_error(enum simt_error error) {
  kernel = simt_note_error(error);
}

enum simt_error simt_kernel_error(void) { return kernel; }

enum simt_error simt_last_error(void) {
  enum simt_error error = last;
  last = kernel = SIMT_SUCCESS;
  return error;
}

enum simt_error simt_peek_error(void) { return last; }
