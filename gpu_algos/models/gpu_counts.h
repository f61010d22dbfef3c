/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/gpu_counts.h -- what a program did on a GPU, in all, as an
 * emulator counts it.  What was not counted is NAN. */
#pragma once

struct gpu_counts {
  /* Loads, stores, atomics, barriers and warp operations that warps issued. */
  double warp_instructions;
  double arithmetic; /* instructions that compute, that warps issued */
  double accesses;   /* of global memory, by single threads */
  double lines;      /* of 128 bytes, read or written, by warp instruction */
  double bank_waves; /* turns of shared memory, by warp instruction */
  double threads, thread_blocks; /* that were launched */
};
