/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/words.h -- arrays of 32-bit words: what the algorithms of this
 * folder have in common on the host.
 *
 * Arrays of a workspace begin at multiples of GPU_ALIGN words, and the words
 * between are 0, so that kernels may take four at a time.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/random.h"

enum { GPU_ALIGN = 64 };

/* What an algorithm of words takes at most: kernels count in 32 bits. */
#define GPU_WORDS_MAX (UINT64_C(1) << 31)

/* The words of `n` and those behind them that make the array full. */
static inline uint64_t gpu_words_padded(uint64_t n) {
  return (n + GPU_ALIGN - 1) / GPU_ALIGN * GPU_ALIGN;
}

/* Bytes of `arrays` arrays of n words, each padded, and of `extra` words; 0
 * where n is more than GPU_WORDS_MAX.  Never 0 otherwise. */
size_t gpu_words_bytes(uint64_t n, unsigned arrays, uint64_t extra);

/* Array number `index` of the workspace, the arrays being of run->n words. */
static inline uint32_t *gpu_words(const struct algo_run *run, unsigned index) {
  return (uint32_t *)(void *)run->memory + index * gpu_words_padded(run->n);
}

/* Word i of the input of a seed: the same that histogram_seq counts. */
static inline uint32_t gpu_word(uint64_t seed, uint64_t i) {
  return (uint32_t)(cpu_random_at(seed, i) >> 32);
}

/* The n words of the run's seed, and zeros behind them. */
void gpu_words_fill(const struct algo_run *run, uint32_t *words);
void gpu_words_clear(uint32_t *words, uint64_t n); /* those behind, too */

/* Of an algorithm that reads an array and writes another: bytes, setup and
 * restore of struct algo. */
size_t gpu_word_pairs_bytes(uint64_t n);
void gpu_word_pairs_setup(struct algo_run *run);
void gpu_word_pairs_restore(struct algo_run *run);

/* The number at the end of the run's generator: 16 of "stride-16". */
unsigned gpu_parameter(const struct algo_run *run, const struct algo *algo);
