/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/finish.h -- the finalization of the thesis, 3.5.4: the
 * vertices that processors have put together are put together. */
#pragma once
#include "gpu_algos/hull/state.h"

namespace {

static __global__ void __launch_bounds__(SINGLE)
    hull_compact(cut cut, state state, uint32_t at, uint32_t iterations) {
  uint32_t vertices = prefix_sums(state.places, cut.processors);
  if (threadIdx.x) return;
  state.answer->vertices = vertices;
  state.answer->at = at;
  state.answer->iterations = iterations;
  state.answer->problems = state.totals->problems;
}

template <class P>
__global__ void __launch_bounds__(BLOCK)
    hull_write(const P *from, double2 *to, cut cut, state state) {
  uint32_t i = warp_of(), lane = lane_id();
  if (i >= cut.processors) return;
  uint4 own = state.shared[i];
  uint32_t place = state.places[i];
  for (uint32_t j = own.x + lane; j < own.y; j += WARP)
    store(to + place + j - own.x, load(from + j));
}

}  // namespace
