/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plain quicksort, which section 2.5 of Jurkiewicz, PhD thesis, analyses by
 * its IO-complexity alone, O(n / B log(n / B)).  The text names neither pivot
 * nor partition: here the pivot is a random key, for which that is the
 * expectation on every input, and the partition is Hoare's, whose two hands
 * meet.  It goes down to ranges of one key, and nothing else sorts any range.
 * introsort.c is the tuned one, std_sort.c that of the C++ library. */
#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"

static inline void swap(uint64_t *a, uint64_t *b) {
  uint64_t key = *a;
  *a = *b;
  *b = key;
}

/* Sedgewick's form: the pivot waits in front, where it also stops the right
 * hand, and is put between the parts at the end.  Its place; n >= 2.  Both
 * hands stop at equal keys, which are so spread over both parts. */
static uint64_t partition(uint64_t *keys, uint64_t n,
                          struct cpu_random *random) {
  swap(&keys[0], &keys[cpu_random_below(random, n)]);
  uint64_t pivot = keys[0], left = 0, right = n;
  for (;;) {
    do left++;
    while (left < n && keys[left] < pivot);
    do right--;
    while (keys[right] > pivot);
    if (left >= right) break;
    swap(&keys[left], &keys[right]);
  }
  swap(&keys[0], &keys[right]);
  return right;
}

/* The shorter part first, so that no more than log2 n calls are open. */
static void sort(uint64_t *keys, uint64_t n, struct cpu_random *random) {
  while (n > 1) {
    uint64_t pivot = partition(keys, n, random), behind = n - 1 - pivot;
    if (pivot < behind) {
      sort(keys, pivot, random);
      keys += pivot + 1;
      n = behind;
    } else {
      sort(keys + pivot + 1, behind, random);
      n = pivot;
    }
  }
}

static void quicksort(struct algo_run *run) {
  struct cpu_random random = {cpu_keys_seed(run->seed, 1)};
  sort(cpu_keys(run), run->n, &random);
}

static const char *check(const struct algo_run *run) {
  return cpu_keys_unsorted(run, cpu_keys(run));
}

const struct algo cpu_algo_quicksort_plain = {
    .name = "quicksort_plain",
    .title = "plain quicksort",
    .summary = "sort an array by quicksort with random pivots, to the end",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_keys_array_bytes,
    .setup = cpu_keys_setup,
    .restore = cpu_keys_restore,
    .run = quicksort,
    .check = check,
    .data = "keys",
    .generators = cpu_keys_generators,
    .answer = cpu_keys_answer,
};
