/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/warp_results.h -- what operations of a warp give. */
#pragma once
#include "gpu_algos/simt/block.h"

/* Make the results of the lanes of `mask` from their calls. Where CUDA leaves
 * it undefined (a lane outside of the mask is asked) it is a pattern easily
 * seen. */
void simt_warp_results(struct simt_warp *warp, uint32_t mask);
