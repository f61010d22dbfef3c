/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/models/calibrated.h"

#include <math.h>

double calibrated_active(const struct calibrated_machine *machine,
                         const struct calibrated_kernel *kernel,
                         enum calibrated_limit *by) {
  double most[CALIBRATED_LIMITS] = {
      [CALIBRATED_SMEM] =
          kernel->smem > 0 ? floor(machine->smem / kernel->smem) : INFINITY,
      [CALIBRATED_REGS] =
          kernel->regs > 0
              ? floor(machine->regs / (kernel->regs * kernel->threads))
              : INFINITY,
      [CALIBRATED_BLOCKS] = floor(machine->max_blocks / machine->sms),
      [CALIBRATED_THREADS] = floor(machine->max_sm / kernel->threads)};
  *by = CALIBRATED_SMEM;
  for (enum calibrated_limit i = 0; i < CALIBRATED_LIMITS; i++)
    if (most[i] < most[*by]) *by = i;
  return most[*by];
}

bool calibrated_blocks_optimal(double blocks, double active, double sms) {
  double wave = active * sms;
  return wave > 0 && blocks > 0 && fmod(blocks, wave) == 0;
}

bool calibrated_blocks_good(const struct calibrated_machine *machine,
                            double blocks, double active) {
  return calibrated_blocks_optimal(blocks, active, machine->sms) &&
         blocks <= machine->max_blocks;
}

bool calibrated_threads_good(const struct calibrated_machine *machine,
                             const struct calibrated_kernel *kernel,
                             double active) {
  double most = fmin(machine->max_block, machine->max_sm / active);
  double least = machine->min_warps * machine->warp;
  if (kernel->regs > 0)
    least = fmax(least, machine->regs / kernel->regs /
                            (kernel->blocks / machine->sms + 1));
  return fmod(kernel->threads, machine->warp) == 0 &&
         kernel->threads >= least && kernel->threads <= most;
}

double calibrated_sched(double blocks, double active, double sms) {
  double wave = active * sms;
  return ceil(blocks / wave) * wave / blocks;
}

double calibrated_hit_rate(double cache, double working_set) {
  return fmin(1, cache / working_set);
}

double calibrated_cache(double cache, double working_set, double slowdown) {
  double hit = calibrated_hit_rate(cache, working_set);
  return hit + (1 - hit) * slowdown;
}

/* 1 - (1 - 1/m)^(k n_e) without cancellation: m is large. */
double calibrated_fpr(double bits, double functions, double elements) {
  double set = -expm1(functions * elements * log1p(-1 / bits));
  return pow(set, functions);
}
