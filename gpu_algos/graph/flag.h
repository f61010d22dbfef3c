/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/graph/flag.h -- a word that kernels set where another round is
 * needed, in the memory of the device. */
#pragma once
#include "gpu_algos/gpu.h"

/* Was it set?  It is 0 again then.  False where anything failed. */
static inline bool gpu_flag_take(uint32_t *flag) {
  uint32_t value = 0;
  return !gpu_failure_first() &&
         !gpu_failed(
             cudaMemcpy(&value, flag, sizeof value, cudaMemcpyDeviceToHost),
             "cudaMemcpy of whether to go on") &&
         value &&
         !gpu_failed(cudaMemset(flag, 0, sizeof value),
                     "cudaMemset of whether to go on");
}
