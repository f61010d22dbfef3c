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

unsigned gpu_parameter(const struct algo_run *run, const struct algo *algo) {
  const char *name = run->generator ? run->generator : algo->generators[0];
  return (unsigned)strtoul(strrchr(name, '-') + 1, NULL, 10);
}
