// SPDX-License-Identifier: GPL-3.0-or-later
// Textbook counterparts of the sequential references: plain C++, by heart.
#include <algorithm>
#include <complex>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/peers/peers.h"

extern "C" {
#include "cpu_algos/bloom.h"
#include "cpu_algos/fft.h"
#include "cpu_algos/histogram.h"
#include "cpu_algos/list_ranking.h"
#include "cpu_algos/suffix_array.h"
}

template <typename Number>
static Number *at(const algo_run *run) {
  return reinterpret_cast<Number *>(run->memory);
}

// The first element is the one that the sum of all successors misses.
static void rank_list(algo_run *run) {
  const int64_t *successors = at<int64_t>(run), n = run->n;
  int64_t *ranks = at<int64_t>(run) + n;
  int64_t element = std::accumulate(successors, successors + n, int64_t{0});
  element = n * (n - 1) / 2 - 1 - element;
  for (int64_t rank = n - 1; element >= 0; element = successors[element])
    ranks[element] = rank--;
}

static void rank_nodes(algo_run *run) {
  int64_t rank = run->n;
  for (cpu_list_node *node = *at<cpu_list_node *>(run); node; node = node->next)
    node->rank = --rank;
}

static void histogram(algo_run *run) {
  uint64_t *counts = at<uint64_t>(run);
  const uint32_t *keys =
      reinterpret_cast<uint32_t *>(counts + CPU_HISTOGRAM_BINS);
  std::fill(counts, counts + CPU_HISTOGRAM_BINS, 0);
  for (const uint32_t *key = keys; key < keys + run->n; key++)
    counts[*key % CPU_HISTOGRAM_BINS]++;
}

// As in Introduction to Algorithms, section 30.3, but that the roots are not
// multiplied up: that is too inexact for the check.
static void fft(algo_run *run) {
  typedef std::complex<double> number;
  number *data = at<number>(run);
  const uint64_t length = cpu_fft_length(run->n);
  const number *roots = data + length;
  for (uint64_t i = 1, j = 0; i < length; i++) {
    uint64_t bit = length >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(data[i], data[j]);
  }
  for (uint64_t half = 1; half < length; half *= 2)
    for (uint64_t i = 0; i < length; i += 2 * half)
      for (uint64_t j = 0; j < half; j++) {
        number low = data[i + j], high = roots[half + j] * data[i + j + half];
        data[i + j] = low + high;
        data[i + j + half] = low - high;
      }
}

static void floyd(algo_run *run) {
  const uint64_t n = run->n;
  int32_t *distances = at<int32_t>(run);
  for (uint64_t k = 0; k < n; k++)
    for (uint64_t i = 0; i < n; i++)
      for (uint64_t j = 0; j < n; j++)
        distances[i * n + j] = std::min(
            distances[i * n + j], distances[i * n + k] + distances[k * n + j]);
}

static void bloom(algo_run *run) {
  const uint64_t n = run->n, bits = cpu_bloom_bits(n);
  uint64_t *words = at<uint64_t>(run), found = 0;
  const uint64_t *keys = words + bits / 64;
  for (uint64_t i = 0; i < n; i++) {
    const cpu_bloom_hash hash = cpu_bloom_hash_of(keys[i]);
    for (unsigned j = 0; j < CPU_BLOOM_HASHES; j++) {
      const uint64_t place = cpu_bloom_place(&hash, j, bits);
      words[place / 64] |= uint64_t{1} << (place % 64);
    }
  }
  for (uint64_t i = n; i < 2 * n; i++) {
    const cpu_bloom_hash hash = cpu_bloom_hash_of(keys[i]);
    bool all = true;
    for (unsigned j = 0; all && j < CPU_BLOOM_HASHES; j++) {
      const uint64_t place = cpu_bloom_place(&hash, j, bits);
      all = words[place / 64] >> (place % 64) & 1;
    }
    found += all;
  }
  run->result = found;
}

// Doubled prefixes, sorted by std::sort.
static void suffix_array(algo_run *run) {
  const uint64_t n = run->n;
  uint32_t *suffixes = at<uint32_t>(run), *ranks = suffixes + n;
  const unsigned char *text =
      reinterpret_cast<unsigned char *>(ranks + n + cpu_suffix_scratch(n));
  std::vector<uint32_t> doubled(n);
  std::iota(suffixes, suffixes + n, 0);
  std::copy(text, text + n, ranks);
  for (uint64_t length = 1;; length *= 2) {
    auto key = [=](uint32_t i) {
      return std::make_pair(ranks[i],
                            i + length < n ? ranks[i + length] + 1 : 0);
    };
    std::sort(suffixes, suffixes + n,
              [=](uint32_t a, uint32_t b) { return key(a) < key(b); });
    uint32_t rank = 0;
    doubled[suffixes[0]] = 0;
    for (uint64_t i = 1; i < n; i++)
      doubled[suffixes[i]] = rank += key(suffixes[i - 1]) < key(suffixes[i]);
    std::copy(doubled.begin(), doubled.end(), ranks);
    if (rank + 1 == n) return;
  }
}

static peer plain(const char *algo, const char *name, void (*run)(algo_run *),
                  uint64_t n) {
  return {algo, name, 1.05, {{"", run, nullptr}}, nullptr, {n}, nullptr, 0};
}

std::vector<peer> reference_peers() {
  return {
      plain("list_ranking_seq", "loop over successors", rank_list, 1 << 22),
      plain("list_ranking_nodes", "loop over nodes", rank_nodes, 1 << 22),
      plain("histogram_seq", "loop over keys", histogram, 1 << 24),
      plain("fft_radix2", "loops over std::complex", fft, 1 << 20),
      plain("apsp_floyd", "three loops", floyd, 700),
      plain("bloom_seq", "loops over keys and hashes", bloom, 1 << 20),
      plain("suffix_array_seq", "doubling, std::sort", suffix_array, 1 << 19),
  };
}
