/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/cuda_error.h -- the errors of the CUDA calls, with CUDA's own
 * numbers and names. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

enum simt_error {
  SIMT_SUCCESS = 0,
  SIMT_INVALID_VALUE = 1,
  SIMT_MEMORY_ALLOCATION = 2,
  SIMT_INVALID_CONFIGURATION = 9,
  SIMT_INVALID_DEVICE = 101,
  SIMT_INVALID_HANDLE = 400,
  SIMT_NOT_READY = 600,
  SIMT_ILLEGAL_ADDRESS = 700,
  SIMT_LAUNCH_TIMEOUT = 702,
  SIMT_ASSERT = 710,
  SIMT_MISALIGNED_ADDRESS = 716,
  SIMT_LAUNCH_FAILURE = 719,
};

const char *simt_error_name(enum simt_error error);   /* "cudaSuccess" */
const char *simt_error_string(enum simt_error error); /* a phrase */

/* The error that stays until asked for: noted by each call that fails.  One of
 * a kernel is also what every call gives that waits for the device. */
enum simt_error simt_note_error(enum simt_error error); /* returns `error` */
void simt_note_kernel_error(enum simt_error error);
enum simt_error simt_kernel_error(void);
enum simt_error simt_last_error(void); /* and forget it, and the kernel's */
enum simt_error simt_peek_error(void);

#ifdef __cplusplus
}
#endif
