/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/include/cuda_runtime.h -- stands in for CUDA's where g++
 * compiles a .cu source for the emulator.  nvcc never sees it. */
#pragma once
#include "gpu_algos/simt/atomics.h"
#include "gpu_algos/simt/intrinsics.h"
#include "gpu_algos/simt/kernel_words.h"
#include "gpu_algos/simt/runtime_api.h"
#include "gpu_algos/simt/vector_types.h"
#include "gpu_algos/simt/warp.h"
