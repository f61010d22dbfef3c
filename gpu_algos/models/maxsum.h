/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/maxsum.h -- the MAX and the SUM model of a CUDA kernel.
 *
 * Kothapalli, Mukherjee, Rehman, Patidar, Narayanan, Srinathan: A performance
 * prediction model for the CUDA GPGPU platform, HiPC 2009; sections and
 * equations here are theirs.  A thread computes for so many cycles and waits
 * for memory for so many; scheduling hides the shorter behind the longer (MAX)
 * or nothing (SUM), and all threads of a multiprocessor take their turns at its
 * cores.  Left out, as there: barriers, divergence, caches, atomics.
 */
#pragma once
#include <stdbool.h>

#include "gpu_algos/models/gpu_arch.h"
#include "gpu_algos/models/gpu_counts.h"
#include "gpu_algos/models/gpu_model.h"

extern const struct gpu_model gpu_model_maxsum;

/* Cycles, of one thread. */
struct maxsum_thread {
  double compute; /* N_comp */
  double memory;  /* N_memory */
};

struct maxsum_grid {
  double blocks;
  double threads; /* of a block: N_w N_t */
  /* N_B is rounded up, as the multiprocessor that gets most blocks is the last
   * to end; false: the mean. */
  bool whole;
};

/* In the order of the model's outputs. */
enum maxsum_output {
  MAXSUM_COMPUTE,
  MAXSUM_MEMORY,
  MAXSUM_CYCLES_MAX, /* of a thread */
  MAXSUM_CYCLES_SUM,
  MAXSUM_BLOCKS_PER_SM, /* N_B */
  MAXSUM_TIME_MAX,      /* of the kernel, ms */
  MAXSUM_TIME_SUM,
  MAXSUM_OUTPUTS
};

/* Cycles of an access to global memory by one of k threads that a transaction
 * serves, (500 + k) / k (3.2.2); 500 where it is alone, or k is 0. */
double maxsum_global_access(const struct gpu_arch *arch, double k);

/* Of an access to a bank of shared memory that k threads want, 4 k (3.2.2). */
double maxsum_shared_access(const struct gpu_arch *arch, double k);

/* Equations (2), in 3.4, to (4). */
void maxsum_kernel(const struct gpu_arch *arch, const struct maxsum_grid *grid,
                   const struct maxsum_thread *thread,
                   double outputs[MAXSUM_OUTPUTS]);

/*
 * The same of a program that was counted: its mean thread.  The times need not
 * know how many threads there were; where that was not counted, what is of one
 * thread is NAN.  Without arithmetic N_comp is a lower bound.
 */
void maxsum_of_counts(const struct gpu_arch *arch,
                      const struct gpu_counts *counts,
                      double outputs[MAXSUM_OUTPUTS]);
