// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peers.h"

#include <algorithm>
#include <random>

extern "C" {
#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"
#include "cpu_algos/random.h"
}
#if __has_include(<boost/sort/pdqsort/pdqsort.hpp>)
#include <boost/sort/pdqsort/pdqsort.hpp>
#define HAVE_PDQSORT 1
#endif

// The generator of ours, as the standard library wants it.
struct generator {
  typedef uint64_t result_type;
  cpu_random random;
  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return UINT64_MAX; }
  uint64_t operator()() { return cpu_random_next(&random); }
};

static void std_sort(algo_run *run) {
  std::sort(cpu_keys(run), cpu_keys(run) + run->n);
}

#ifdef HAVE_PDQSORT
static void boost_pdqsort(algo_run *run) {
  boost::sort::pdqsort(cpu_keys(run), cpu_keys(run) + run->n);
}
#endif

// Heaps begin one key into the workspace, as ours do: it helps the peer, too.
static void std_make_heap(algo_run *run) {
  uint64_t *heap = cpu_keys(run) + 1;
  std::make_heap(heap, heap + run->n);
}

static void std_heapsort(algo_run *run) {
  uint64_t *heap = cpu_keys(run) + 1;
  std::make_heap(heap, heap + run->n);
  std::sort_heap(heap, heap + run->n);
}

static void std_shuffle(algo_run *run) {
  generator random = {{cpu_keys_seed(run->seed, 1)}};
  std::shuffle(cpu_keys(run), cpu_keys(run) + run->n, random);
}

// Its permutation is another one: only the keys can be compared.
static const char *check_shuffle(const algo_run *run) {
  cpu_random random = {run->seed};
  uint64_t sum = 0, mixed = 0;
  for (uint64_t i = 0; i < run->n; i++) {
    uint64_t input = cpu_random_next(&random), output = cpu_keys(run)[i];
    sum += input - output;
    mixed += cpu_random_mix(input) - cpu_random_mix(output);
  }
  return sum || mixed ? "the keys are not those of the input" : nullptr;
}

static void std_lower_bound(algo_run *run) {
  cpu_queries queries = cpu_queries_of(run->n, run->seed);
  const uint64_t *keys = cpu_keys(run), *end = keys + run->n;
  uint64_t count = cpu_queries_count(run), sum = 0;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t wanted = cpu_queries_key(&queries, cpu_queries_next(&queries));
    sum += std::lower_bound(keys, end, wanted) - keys;
  }
  run->result = sum;
}

static void plain_gather(algo_run *run) {
  const uint64_t *keys = cpu_keys(run), *order = keys + run->n;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < run->n; i++) sum += keys[order[i]];
  run->result = sum;
}

static void plain_transpose(algo_run *run) {
  const uint64_t n = run->n;
  const double *from = reinterpret_cast<double *>(run->memory);
  double *to = reinterpret_cast<double *>(run->memory) + n * n;
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t j = 0; j < n; j++) to[j * n + i] = from[i * n + j];
}

static void plain_product(algo_run *run) {
  const uint64_t n = run->n;
  const double *a = reinterpret_cast<double *>(run->memory), *b = a + n * n;
  double *c = reinterpret_cast<double *>(run->memory) + 2 * n * n;
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t j = 0; j < n; j++) {
      double sum = 0;
      for (uint64_t k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

static peer one(const char *algo, const char *name, double bar,
                void (*run)(algo_run *),
                const char *(*check)(const algo_run *) = nullptr) {
  return {algo, name, bar, {{"", run, nullptr}}, check, {1 << 24}, nullptr, 0};
}

// What the definition says, written down: nothing is gained, or lost.
static peer plain(const char *algo, uint64_t n, void (*run)(algo_run *)) {
  peer peer = one(algo, "plain loops", 1.05, run);
  peer.sizes = {n};
  return peer;
}

// A search in another layout, beside one in the sorted array.
static peer search(const char *algo, double bar) {
  return {algo,
          "std::lower_bound",
          bar,
          {{"", std_lower_bound, nullptr}},
          nullptr,
          {1 << 24, 1 << 27},
          "binary_search",
          1 << 20};
}

std::vector<peer> all_peers() {
  std::vector<peer> peers = {
      one("permute", "std::shuffle", 1.0, std_shuffle, check_shuffle),
      one("binary_search", "std::lower_bound", 1.0, std_lower_bound),
      one("heapify", "std::make_heap", 0.6, std_make_heap),
      one("heapsort", "std::make_heap, sort_heap", 0.95, std_heapsort),
      one("introsort", "std::sort", 0.45, std_sort),
#ifdef HAVE_PDQSORT
      one("introsort", "boost::sort::pdqsort", 0, boost_pdqsort),
#endif
      {"sequential_scan",
       "best read bandwidth",
       1.05,
       read_kernels(),
       nullptr,
       {1 << 24, 1 << 27},
       nullptr,
       0},
      search("veb_search", 0.65),
      search("eytzinger_search", 1.05),
      search("eytzinger_prefetch", 0.3),
      search("bplus_search", 0.22),
  };
  peers.push_back(plain("random_scan", 1 << 24, plain_gather));
  peers.push_back(plain("transpose_rows", 2900, plain_transpose));
  peers.push_back(plain("matmul_rows", 500, plain_product));
  for (const auto &more :
       {openblas_peers(), reference_peers(), blastn_peers(), hull_peers()})
    peers.insert(peers.end(), more.begin(), more.end());
  return peers;
}
