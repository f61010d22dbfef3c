/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The suffix array by doubling prefixes (Manber, Myers: Suffix arrays, SIAM J.
 * Comput. 22(5), 1993): suffixes that are sorted by their first h bytes are
 * sorted by 2 h in linear time, as each is h bytes and another suffix. */
#include <string.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"
#include "cpu_algos/suffix_array.h"

enum { BYTES = 256 };

static uint64_t count_of(uint64_t n) { return n > BYTES ? n : BYTES; }

uint64_t cpu_suffix_scratch(uint64_t n) { return n + count_of(n); }

/* How many suffixes begin with each byte, or a lesser one. */
static void count_bytes(const unsigned char *text, uint64_t n,
                        uint32_t ends[BYTES]) {
  memset(ends, 0, BYTES * sizeof *ends);
  for (uint64_t i = 0; i < n; i++) ends[text[i]]++;
  for (unsigned byte = 1; byte < BYTES; byte++) ends[byte] += ends[byte - 1];
}

/* A stable sort of the n suffixes `listed` by rank, of each of which they are
 * to lie before ends[rank].  Leaves where they begin. */
static void sort_by_rank(const uint32_t *listed, const uint32_t *ranks,
                         uint64_t n, uint32_t *ends, uint32_t *suffixes) {
  for (uint64_t i = n; i-- > 0;) {
    uint32_t suffix = listed[i];
    suffixes[--ends[ranks[suffix]]] = suffix;
  }
}

/* All suffixes by what follows their first `length` bytes: first those that
 * nothing follows. */
static void list_by_rest(const uint32_t *suffixes, uint64_t n, uint64_t length,
                         uint32_t *listed) {
  uint64_t at = 0;
  for (uint64_t i = n - length; i < n; i++) listed[at++] = (uint32_t)i;
  for (uint64_t i = 0; i < n; i++)
    if (suffixes[i] >= length) listed[at++] = suffixes[i] - (uint32_t)length;
}

/* Rank sorted suffixes by twice the `length` that `ranks` tell apart: how many
 * ranks there are, and where each ends. */
static uint64_t rank_doubled(const uint32_t *suffixes, uint64_t n,
                             uint64_t length, const uint32_t *ranks,
                             uint32_t *doubled, uint32_t *ends) {
  uint64_t rank = 0, a = suffixes[0];
  uint32_t rank_of_a = ranks[a];
  doubled[a] = 0;
  for (uint64_t i = 1; i < n; i++) {
    uint64_t b = suffixes[i];
    uint32_t rank_of_b = ranks[b];
    bool same = rank_of_a == rank_of_b && a + length < n && b + length < n &&
                ranks[a + length] == ranks[b + length];
    if (!same) ends[rank++] = (uint32_t)i;
    doubled[b] = (uint32_t)rank;
    a = b;
    rank_of_a = rank_of_b;
  }
  ends[rank] = (uint32_t)n;
  return rank + 1;
}

void cpu_suffix_array(const unsigned char *text, uint64_t n, uint32_t *suffixes,
                      uint32_t *ranks, uint32_t *scratch) {
  uint32_t *listed = scratch, *ends = scratch + n;
  for (uint64_t i = 0; i < n; i++) {
    ranks[i] = text[i];
    listed[i] = (uint32_t)i;
  }
  count_bytes(text, n, ends);
  sort_by_rank(listed, ranks, n, ends, suffixes);
  for (uint64_t length = 0; length < n; length = length ? 2 * length : 1) {
    if (length) {
      list_by_rest(suffixes, n, length, listed);
      sort_by_rank(listed, ranks, n, ends, suffixes);
    }
    uint64_t classes = rank_doubled(suffixes, n, length, ranks, listed, ends);
    memcpy(ranks, listed, n * sizeof *ranks);
    if (classes == n) return;
  }
}

/* The workspace: suffixes, ranks, scratch, text. */
struct layout {
  uint32_t *suffixes, *ranks, *scratch;
  unsigned char *text;
};

static struct layout layout_of(const struct algo_run *run) {
  struct layout at;
  at.suffixes = (uint32_t *)(void *)run->memory;
  at.ranks = at.suffixes + run->n;
  at.scratch = at.ranks + run->n;
  at.text = (unsigned char *)(at.scratch + cpu_suffix_scratch(run->n));
  return at;
}

static size_t bytes(uint64_t n) {
  if (n > UINT32_MAX) return 0; /* a suffix would not fit its number */
  uint64_t bytes = (2 * n + cpu_suffix_scratch(n)) * sizeof(uint32_t) + n;
  return bytes > SIZE_MAX ? 0 : (size_t)bytes;
}

static void restore(struct algo_run *run) {
  memset(run->memory, 0xff, bytes(run->n) - run->n);
}

static uint64_t print_of(const struct algo_run *run) {
  const unsigned char *text = layout_of(run).text;
  uint64_t print = 0;
  for (uint64_t i = 0; i < run->n; i++)
    print += cpu_random_mix(i + CPU_RANDOM_STEP) * (text[i] + 1U);
  return print;
}

/* Four letters, so that suffixes have long prefixes in common. */
static void setup(struct algo_run *run) {
  struct cpu_random random = {run->seed};
  unsigned char *text = layout_of(run).text;
  for (uint64_t i = 0; i < run->n; i++)
    text[i] = (unsigned char)"ACGT"[cpu_random_below(&random, 4)];
  run->fingerprint[0] = print_of(run);
  run->fingerprint[1] = 0;
  restore(run);
}

static void sort_suffixes(struct algo_run *run) {
  struct layout at = layout_of(run);
  cpu_suffix_array(at.text, run->n, at.suffixes, at.ranks, at.scratch);
}

/*
 * In linear time (Burkhardt, Karkkainen: Fast lightweight suffix array
 * construction and checking, CPM 2003): suffixes and ranks are each other's
 * inverse, and of two neighbours the first begins with the lesser byte, or with
 * the same one before a lesser suffix.
 */
static bool ascend(const struct layout *at, uint64_t n, uint64_t i) {
  uint64_t a = at->suffixes[i - 1], b = at->suffixes[i];
  if (at->text[a] != at->text[b]) return at->text[a] < at->text[b];
  return a + 1 == n || (b + 1 < n && at->ranks[a + 1] < at->ranks[b + 1]);
}

static const char *check(const struct algo_run *run) {
  struct layout at = layout_of(run);
  const uint64_t n = run->n;
  if (print_of(run) != run->fingerprint[0])
    return "the text is not that of the input any more";
  for (uint64_t i = 0; i < n; i++)
    if (at.suffixes[i] >= n || at.ranks[at.suffixes[i]] != i)
      return "a suffix is missing, or its rank is wrong";
  for (uint64_t i = 1; i < n; i++)
    if (!ascend(&at, n, i)) return "the suffixes are not in ascending order";
  return NULL;
}

const struct algo cpu_algo_suffix_array_seq = {
    .name = "suffix_array_seq",
    .title = "suffix array",
    .summary = "sort the suffixes of n bytes by doubling prefixes",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = sort_suffixes,
    .check = check,
};
