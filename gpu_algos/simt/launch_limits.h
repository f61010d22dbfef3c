/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/launch_limits.h -- what a device refuses to launch. */
#pragma once
#include "gpu_algos/simt/cuda_error.h"
#include "gpu_algos/simt/kernel_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why not, a sentence, or NULL: it can be launched. */
const char *simt_launch_wrong(const struct simt_launch *launch);

/* Let a kernel have more than 48 KiB of dynamic shared memory: devices want to
 * be asked before. */
enum simt_error simt_allow_shared(const void *kernel, int bytes);

#ifdef __cplusplus
}
#endif
