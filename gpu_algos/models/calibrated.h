/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/calibrated.h -- the calibrated model of kernels on GPUs that
 * wait for memory.
 *
 * L. Ma, PhD thesis, Washington University in St. Louis 2014, chapter 5, whose
 * names and equations these are.  Time is a constant times what the algorithm
 * does, times factors of the cache and of the scheduling of blocks; two
 * constants are fitted to runs (5.24).
 */
#pragma once
#include <stdbool.h>

/* Table 5.2. */
struct calibrated_machine {
  double sms;        /* P / Q */
  double smem;       /* Z, bytes of shared memory of a multiprocessor */
  double cache;      /* C_s, bytes of its cache; 0: none */
  double regs;       /* R, registers of a multiprocessor */
  double warp;       /* W */
  double min_warps;  /* N_W */
  double max_blocks; /* B_max, in all */
  double max_block;  /* T_maxB, threads of a block */
  double max_sm;     /* T_maxMP, threads of a multiprocessor */
  /* What (5.2) leaves out and later machines have; 0: nothing of the kind. */
  double warp_regs;   /* registers of a warp come in multiples of these */
  double parts;       /* R and the warps are shared out to so many parts */
  double smem_unit;   /* bytes of shared memory, of a block: likewise */
  double smem_own;    /* of which each block has so many beside its own */
  double thread_regs; /* registers of a thread at most */
};

/* Of table 5.1. */
struct calibrated_kernel {
  double threads; /* T_r, of a block */
  double regs;    /* R_T, of a thread; 0: they bound nothing */
  double smem;    /* Z_B, bytes of shared memory of a block; 0: likewise */
  double blocks;  /* B_r, in all */
};

/* The terms of (5.2), in its order. */
enum calibrated_limit {
  CALIBRATED_SMEM,
  CALIBRATED_REGS,
  CALIBRATED_BLOCKS,
  CALIBRATED_THREADS,
  CALIBRATED_LIMITS
};

/* Blocks that are active on a multiprocessor, B_a, and what bounds them: of
 * equal terms the first, but threads where a block has more than there can be.
 * (5.2), where the machine allots registers and shared memory exactly as they
 * are asked for. */
double calibrated_active(const struct calibrated_machine *machine,
                         const struct calibrated_kernel *kernel,
                         enum calibrated_limit *by);

/* Is B_r in B_opt, (5.3)? */
bool calibrated_blocks_optimal(double blocks, double active, double sms);
/* A_B (5.5), and A_T (5.6) with T_opt (5.4). */
bool calibrated_blocks_good(const struct calibrated_machine *machine,
                            double blocks, double active);
bool calibrated_threads_good(const struct calibrated_machine *machine,
                             const struct calibrated_kernel *kernel,
                             double active);

/* f_sched (5.13); 1 for blocks in B_opt alone, else more. */
double calibrated_sched(double blocks, double active, double sms);

/* r_H (5.10), and f_cache (5.12) with slow-down G of what always misses. */
double calibrated_hit_rate(double cache, double working_set);
double calibrated_cache(double cache, double working_set, double slowdown);

/* False positives of a Bloom filter of m bits, k functions and n_e elements
 * (5.18). */
double calibrated_fpr(double bits, double functions, double elements);
