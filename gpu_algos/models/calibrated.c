/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/models/calibrated.h"

#include <math.h>

static double round_up(double value, double unit) {
  return unit > 0 ? ceil(value / unit) * unit : value;
}

static double by_smem(const struct calibrated_machine *machine,
                      const struct calibrated_kernel *kernel) {
  double bytes = round_up(kernel->smem + machine->smem_own, machine->smem_unit);
  return bytes > 0 ? floor(machine->smem / bytes) : INFINITY;
}

/* A warp has its registers of one part, and all of them. */
static double by_regs(const struct calibrated_machine *machine,
                      const struct calibrated_kernel *kernel) {
  if (kernel->regs <= 0) return INFINITY;
  if (machine->thread_regs > 0 && kernel->regs > machine->thread_regs) return 0;
  if (machine->warp_regs <= 0)
    return floor(machine->regs / (kernel->regs * kernel->threads));
  double parts = fmax(1, machine->parts);
  double regs = round_up(kernel->regs * machine->warp, machine->warp_regs);
  double warps = parts * floor(floor(machine->regs / parts) / regs);
  return floor(warps / ceil(kernel->threads / machine->warp));
}

/* Later machines have whole warps, earlier ones as (5.2) has it. */
static double by_threads(const struct calibrated_machine *machine,
                         const struct calibrated_kernel *kernel) {
  if (machine->max_block > 0 && kernel->threads > machine->max_block) return 0;
  double unit = machine->warp_regs > 0 ? machine->warp : 0;
  return floor(machine->max_sm / round_up(kernel->threads, unit));
}

double calibrated_active(const struct calibrated_machine *machine,
                         const struct calibrated_kernel *kernel,
                         enum calibrated_limit *by) {
  double most[CALIBRATED_LIMITS] = {
      [CALIBRATED_SMEM] = by_smem(machine, kernel),
      [CALIBRATED_REGS] = by_regs(machine, kernel),
      [CALIBRATED_BLOCKS] = floor(machine->max_blocks / machine->sms),
      [CALIBRATED_THREADS] = by_threads(machine, kernel)};
  *by = CALIBRATED_SMEM;
  for (enum calibrated_limit i = 0; i < CALIBRATED_LIMITS; i++)
    if (most[i] < most[*by]) *by = i;
  /* Such a block is none, whatever it leaves of registers. */
  if (!(most[CALIBRATED_THREADS] > 0)) *by = CALIBRATED_THREADS;
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
