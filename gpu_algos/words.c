/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/words.h"

#include <stdlib.h>
#include <string.h>

size_t gpu_words_bytes(uint64_t n, unsigned arrays, uint64_t extra) {
  if (n > GPU_WORDS_MAX) return 0;
  uint64_t words = arrays * gpu_words_padded(n) + extra;
  return (size_t)(words ? words : 1) * sizeof(uint32_t);
}

void gpu_words_clear(uint32_t *words, uint64_t n) {
  memset(words, 0, gpu_words_padded(n) * sizeof *words);
}

void gpu_words_fill(const struct algo_run *run, uint32_t *words) {
  uint64_t padded = gpu_words_padded(run->n);
  for (uint64_t i = 0; i < run->n; i++) words[i] = gpu_word(run->seed, i);
  for (uint64_t i = run->n; i < padded; i++) words[i] = 0;
}

size_t gpu_word_pairs_bytes(uint64_t n) { return gpu_words_bytes(n, 2, 0); }

void gpu_word_pairs_setup(struct algo_run *run) {
  gpu_words_fill(run, gpu_words(run, 0));
  gpu_word_pairs_restore(run);
}

void gpu_word_pairs_restore(struct algo_run *run) {
  gpu_words_clear(gpu_words(run, 1), run->n);
}

unsigned gpu_parameter(const struct algo_run *run, const struct algo *algo) {
  const char *name = run->generator ? run->generator : algo->generators[0];
  return (unsigned)strtoul(strrchr(name, '-') + 1, NULL, 10);
}
