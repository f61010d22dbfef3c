/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/fft/signals.h -- signals and their transforms on the host.
 *
 * The n points of a run are a batch of signals of as many points each, by the
 * number at the end of the generator's name; data from outside are one signal.
 * The workspace has three arrays of n points, each padded to 256 bytes: the
 * input, the answer, and one that the algorithm may use; behind them is what
 * check takes.  A point is two doubles or two floats.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"

/* For algo.generators: "batch-1" and more. */
extern const char *const gpu_signal_generators[];

/* For algo.fit: the largest power of two of at most n, and 0. */
uint64_t gpu_signal_fit(uint64_t n);

/* Points of each signal of the run; n is a power of two. */
uint64_t gpu_signal_length(const struct algo_run *run);

/* Array 0, the input, 1, the answer, or 2, of points of `bytes` each. */
void *gpu_signal_array(const struct algo_run *run, unsigned bytes,
                       unsigned index);

/* For algo.bytes, setup, restore and check, of doubles and of floats. */
size_t gpu_signal_bytes(uint64_t n);
void gpu_signal_setup(struct algo_run *run);
const char *gpu_signal_check(const struct algo_run *run);
size_t gpu_signal_bytes_float(uint64_t n);
void gpu_signal_setup_float(struct algo_run *run);
const char *gpu_signal_check_float(const struct algo_run *run);

/* For algo.answer, of doubles. */
void gpu_signal_answer(const struct algo_run *run, struct algo_data *answer);
