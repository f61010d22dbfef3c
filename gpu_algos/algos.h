/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/algos.h -- the algorithms for GPUs, once for each way that they are
 * compiled.
 *
 * Each is a struct algo whose run gets a workspace in the memory of the device;
 * see gpu.h.  The names, and their order, are the same in all sets.
 */
#pragma once
#include "cpu_algos/algo.h"
#include "gpu_algos/device.h"

struct gpu_set {
  const struct algo *const *algos; /* NULL-ended, in listing order */
  const struct gpu_device *device; /* what runs them */
};

extern const struct gpu_set gpu_emu_set;
extern const struct gpu_set gpu_counted_set; /* slower: each access counts */
extern const struct gpu_set gpu_cuda_set;
