/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/sort/sort_keys.h"

#include <string.h>

size_t gpu_sort_bytes(uint64_t n, unsigned bytes, uint64_t extra) {
  if (n > GPU_WORDS_MAX) return 0;
  return gpu_words_bytes(0, 0, 2 * gpu_sort_words(n, bytes) + extra);
}

/* The value of the pair at `index`: no order among values is that of places.
 * The multiplier, of Fibonacci hashing, is odd: each value has one place. */
#define VALUE_STEP UINT32_C(0x9e3779b1)
#define PLACE_STEP UINT32_C(0x0e8b2f51) /* its inverse */

static uint32_t value_at(uint64_t index) {
  return (uint32_t)index * VALUE_STEP;
}

static uint64_t element_64(uint64_t key, uint64_t index) {
  (void)index;
  return key;
}

static uint64_t element_32(uint64_t key, uint64_t index) {
  (void)index;
  return key >> 32;
}

static uint64_t element_pair(uint64_t key, uint64_t index) {
  return key >> 32 << 32 | value_at(index);
}

/* Element `index` of an array of them. */
static uint64_t element(const void *array, unsigned bytes, uint64_t index) {
  return bytes == 4 ? ((const uint32_t *)array)[index]
                    : ((const uint64_t *)array)[index];
}

static void restore(struct algo_run *run, unsigned bytes,
                    uint64_t (*make)(uint64_t key, uint64_t index)) {
  struct cpu_keys_source source = cpu_keys_source_of(run);
  uint64_t *wide = gpu_sort_array(run, bytes, 0);
  uint32_t *narrow = gpu_sort_array(run, bytes, 0);
  memset(run->memory, 0, run->bytes);
  for (uint64_t i = 0; i < run->n; i++) {
    uint64_t made = make(cpu_keys_from(&source, i), i);
    if (bytes == 4)
      narrow[i] = (uint32_t)made;
    else
      wide[i] = made;
  }
}

/* As that of keys of 64 bits, some at a time. */
static void fingerprint(const void *array, unsigned bytes, uint64_t n,
                        uint64_t sums[2]) {
  sums[0] = sums[1] = 0;
  for (uint64_t i = 0; i < n; i++) {
    uint64_t one[2], key = element(array, bytes, i);
    cpu_keys_fingerprint(&key, 1, one);
    sums[0] += one[0];
    sums[1] += one[1];
  }
}

static void setup(struct algo_run *run, unsigned bytes,
                  uint64_t (*make)(uint64_t key, uint64_t index)) {
  restore(run, bytes, make);
  fingerprint(gpu_sort_array(run, bytes, 0), bytes, run->n, run->fingerprint);
}

void gpu_sort_setup_64(struct algo_run *run) { setup(run, 8, element_64); }
void gpu_sort_restore_64(struct algo_run *run) { restore(run, 8, element_64); }
void gpu_sort_setup_32(struct algo_run *run) { setup(run, 4, element_32); }
void gpu_sort_restore_32(struct algo_run *run) { restore(run, 4, element_32); }
void gpu_sort_setup_pairs(struct algo_run *run) { setup(run, 8, element_pair); }
void gpu_sort_restore_pairs(struct algo_run *run) {
  restore(run, 8, element_pair);
}

static uint64_t key_of_pair(uint64_t pair) { return pair >> 32; }
static uint64_t key_and_place(uint64_t pair) {
  return pair >> 32 << 32 | (uint32_t)pair * PLACE_STEP;
}
static uint64_t key_of_key(uint64_t key) { return key; }

const char *gpu_sort_check_same(const struct algo_run *run, unsigned bytes) {
  uint64_t found[2];
  fingerprint(gpu_sort_array(run, bytes, 1), bytes, run->n, found);
  if (found[0] == run->fingerprint[0] && found[1] == run->fingerprint[1])
    return NULL;
  return "the keys are not those of the input";
}

static const char *check(const struct algo_run *run, unsigned bytes,
                         uint64_t (*order)(uint64_t element)) {
  const void *answer = gpu_sort_array(run, bytes, 1);
  for (uint64_t i = 1; i < run->n; i++)
    if (order(element(answer, bytes, i - 1)) > order(element(answer, bytes, i)))
      return "the keys are not in ascending order";
  return gpu_sort_check_same(run, bytes);
}

const char *gpu_sort_check_64(const struct algo_run *run) {
  return check(run, 8, key_of_key);
}
const char *gpu_sort_check_32(const struct algo_run *run) {
  return check(run, 4, key_of_key);
}
const char *gpu_sort_check_pairs(const struct algo_run *run) {
  return check(run, 8, key_of_pair);
}
const char *gpu_sort_check_stable(const struct algo_run *run) {
  const char *wrong = gpu_sort_check_pairs(run);
  if (!wrong && check(run, 8, key_and_place))
    wrong = "pairs of the same key have changed places";
  return wrong;
}

void gpu_sort_answer(const struct algo_run *run, struct algo_data *answer) {
  *answer =
      (struct algo_data){.count = run->n, .items = gpu_sort_array(run, 8, 1)};
}
