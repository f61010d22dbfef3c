/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/sort_keys.h -- inputs and answers of sorts on the host.
 *
 * There are three kinds: keys of 64 bits, of 32 bits, and pairs, a key of 32
 * bits above a value of 32.  All begin with the same generators: a key of 32
 * bits is the upper half of one of 64.  The workspace has two arrays of them,
 * the input and the answer, each padded to 256 bytes, and behind them what the
 * algorithm needs more; all but the input is 0 before a run.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "gpu_algos/words.h"

/* Words of an array of n elements of `bytes` each. */
static inline uint64_t gpu_sort_words(uint64_t n, unsigned bytes) {
  return gpu_words_padded(n * (bytes / 4));
}

/* Of a workspace with `extra` words behind two arrays; 0: n is too large. */
size_t gpu_sort_bytes(uint64_t n, unsigned bytes, uint64_t extra);

/* Array 0, the input, or 1, the answer; 2 is where the others begin. */
static inline void *gpu_sort_array(const struct algo_run *run, unsigned bytes,
                                   unsigned index) {
  return (uint32_t *)(void *)run->memory +
         index * gpu_sort_words(run->n, bytes);
}

/* For algo.setup and algo.restore of each kind. */
void gpu_sort_setup_64(struct algo_run *run);
void gpu_sort_restore_64(struct algo_run *run);
void gpu_sort_setup_32(struct algo_run *run);
void gpu_sort_restore_32(struct algo_run *run);
void gpu_sort_setup_pairs(struct algo_run *run);
void gpu_sort_restore_pairs(struct algo_run *run);

/* The answer has the elements of the input, in any order. */
const char *gpu_sort_check_same(const struct algo_run *run, unsigned bytes);

/* For algo.check: the answer is the input in ascending order. */
const char *gpu_sort_check_64(const struct algo_run *run);
const char *gpu_sort_check_32(const struct algo_run *run);
const char *gpu_sort_check_pairs(const struct algo_run *run);
/* And pairs of the same key are in the order in which they were. */
const char *gpu_sort_check_stable(const struct algo_run *run);

/* For algo.answer, of keys of 64 bits. */
void gpu_sort_answer(const struct algo_run *run, struct algo_data *answer);
