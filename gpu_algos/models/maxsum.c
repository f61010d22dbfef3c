/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/models/maxsum.h"

#include <math.h>

double maxsum_global_access(const struct gpu_arch *arch, double k) {
  return k > 1 ? (arch->global + k) / k : arch->global;
}

double maxsum_shared_access(const struct gpu_arch *arch, double k) {
  return arch->shared * k;
}

/* Milliseconds of a multiprocessor that runs `threads` of such cycles: each of
 * its N_C cores has D of them under way. */
static double time_ms(const struct gpu_arch *arch, double threads,
                      double cycles) {
  return threads * cycles / (arch->cores * arch->depth) / arch->clock_hz * 1e3;
}

void maxsum_kernel(const struct gpu_arch *arch, const struct maxsum_grid *grid,
                   const struct maxsum_thread *thread,
                   double outputs[MAXSUM_OUTPUTS]) {
  double blocks = grid->blocks / arch->sms;
  if (grid->whole) blocks = ceil(blocks);
  /* N_w N_t: warps are whole. */
  double threads = blocks * ceil(grid->threads / arch->warp) * arch->warp;
  double longest = fmax(thread->compute, thread->memory);
  double sum = thread->compute + thread->memory;
  outputs[MAXSUM_COMPUTE] = thread->compute;
  outputs[MAXSUM_MEMORY] = thread->memory;
  outputs[MAXSUM_CYCLES_MAX] = longest;
  outputs[MAXSUM_CYCLES_SUM] = sum;
  outputs[MAXSUM_BLOCKS_PER_SM] = blocks;
  outputs[MAXSUM_TIME_MAX] = time_ms(arch, threads, longest);
  outputs[MAXSUM_TIME_SUM] = time_ms(arch, threads, sum);
}

/*
 * All that all threads spend.  If a transaction serves k threads, they spend
 * k (500 + k) / k = 500 + k: in all, 500 a transaction and 1 an access, so
 * that totals suffice.  A transaction is a line of 128 bytes, or more where
 * more threads of a warp share one than a transaction serves.  What a warp
 * does costs each of its threads.  Arithmetic that was not counted leaves a
 * lower bound.
 */
static struct maxsum_thread total(const struct gpu_arch *arch,
                                  const struct gpu_counts *counts) {
  double transactions = counts->lines, least = counts->accesses / arch->served;
  if (transactions < least) transactions = least; /* NAN stays */
  double instructions = counts->warp_instructions;
  if (!isnan(counts->arithmetic)) instructions += counts->arithmetic;
  return (struct maxsum_thread){
      .compute = arch->warp * arch->operation * instructions,
      .memory = arch->global * transactions + counts->accesses +
                arch->warp * maxsum_shared_access(arch, counts->bank_waves)};
}

void maxsum_of_counts(const struct gpu_arch *arch,
                      const struct gpu_counts *counts,
                      double outputs[MAXSUM_OUTPUTS]) {
  struct maxsum_thread all = total(arch, counts);
  /* As if one thread did it all: then there is one for all multiprocessors. */
  double share = 1 / arch->sms, threads = counts->threads;
  double longest = fmax(all.compute, all.memory);
  double sum = all.compute + all.memory;
  if (isnan(all.compute) || isnan(all.memory)) longest = sum = NAN;
  outputs[MAXSUM_COMPUTE] = all.compute / threads;
  outputs[MAXSUM_MEMORY] = all.memory / threads;
  outputs[MAXSUM_CYCLES_MAX] = longest / threads;
  outputs[MAXSUM_CYCLES_SUM] = sum / threads;
  outputs[MAXSUM_BLOCKS_PER_SM] = counts->thread_blocks / arch->sms;
  outputs[MAXSUM_TIME_MAX] = time_ms(arch, share, longest);
  outputs[MAXSUM_TIME_SUM] = time_ms(arch, share, sum);
}
