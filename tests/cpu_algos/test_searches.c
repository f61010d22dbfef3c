/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layouts of the searches: what they are, and that searching in them is
 * lower_bound in the sorted keys. */
#include "cpu_algos/bplus.h"
#include "cpu_algos/bplus_avx2.h"
#include "cpu_algos/eytzinger.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"
#include "cpu_algos/veb.h"
#include "tests/cpu_algos/workspace.h"

/* Sorted keys and a layout of them, as long as promised and no longer. */
struct layout {
  uint64_t n;
  uint64_t *keys;
  uint64_t *words;
  size_t count; /* of words */
};

static uint64_t key_at(const void *source, uint64_t i) {
  const struct layout *layout = source;
  CU_ASSERT_TRUE_FATAL(i < layout->n);
  return layout->keys[i];
}

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory) abort();
  return memory;
}

/* n sorted random keys below `most`, so with duplicates where that is small;
 * the largest number there is among them, now and then. */
static struct layout layout_open(uint64_t n, uint64_t seed, uint64_t most,
                                 size_t bytes) {
  struct cpu_random random = {seed};
  struct layout layout = {.n = n, .count = bytes / sizeof(uint64_t)};
  uint64_t *keys = allocate(n * sizeof *keys);
  for (uint64_t i = 0; i < n; i++) keys[i] = cpu_random_below(&random, most);
  if (n && seed % 3 == 0) keys[0] = UINT64_MAX;
  layout.keys = sorted_copy(keys, n);
  layout.words = allocate(bytes);
  free(keys);
  return layout;
}

static void layout_close(struct layout *layout) {
  free(layout->keys);
  free(layout->words);
}

/* How a layout is made and searched. */
struct search {
  const char *name;
  size_t (*bytes)(uint64_t n);
  void (*fill)(const struct layout *layout);
  uint64_t (*position)(const struct layout *layout, uint64_t wanted);
};

static void fill_eytzinger(const struct layout *layout) {
  cpu_eytzinger_fill(layout->words, layout->n, key_at, layout);
}

static uint64_t position_eytzinger(const struct layout *layout,
                                   uint64_t wanted) {
  struct cpu_eytzinger e = cpu_eytzinger_of(layout->words, layout->n);
  return cpu_eytzinger_position(&e, wanted);
}

static uint64_t position_prefetched(const struct layout *layout,
                                    uint64_t wanted) {
  struct cpu_eytzinger e = cpu_eytzinger_of(layout->words, layout->n);
  return cpu_eytzinger_prefetched(&e, wanted);
}

static void fill_bplus(const struct layout *layout) {
  struct cpu_bplus tree = cpu_bplus_of(layout->n);
  cpu_bplus_fill(&tree, layout->words, key_at, layout);
}

static uint64_t position_bplus(const struct layout *layout, uint64_t wanted) {
  struct cpu_bplus tree = cpu_bplus_of(layout->n);
  struct cpu_bplus_search search = cpu_bplus_search_of(&tree, layout->words);
#if CPU_BPLUS_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
    CU_ASSERT_EQUAL(cpu_bplus_position_avx2(&search, wanted),
                    cpu_bplus_position(&search, wanted));
#endif
  return cpu_bplus_position(&search, wanted);
}

static void fill_veb(const struct layout *layout) {
  struct cpu_veb veb = cpu_veb_of(layout->n);
  cpu_veb_fill(&veb, layout->words, key_at, layout);
}

static uint64_t position_veb(const struct layout *layout, uint64_t wanted) {
  struct cpu_veb veb = cpu_veb_of(layout->n);
  return cpu_veb_position(&veb, layout->words, wanted);
}

static const struct search searches[] = {
    {"eytzinger", cpu_eytzinger_bytes, fill_eytzinger, position_eytzinger},
    {"eytzinger, prefetched", cpu_eytzinger_bytes, fill_eytzinger,
     position_prefetched},
    {"bplus", cpu_bplus_bytes, fill_bplus, position_bplus},
    {"veb", cpu_veb_bytes, fill_veb, position_veb},
};
enum { SEARCHES = sizeof searches / sizeof *searches };

/* The definition, by a linear scan. */
static uint64_t lower_bound(const uint64_t *keys, uint64_t n, uint64_t wanted) {
  uint64_t i = 0;
  while (i < n && keys[i] < wanted) i++;
  return i;
}

static void expect_position(const struct search *search,
                            const struct layout *layout, uint64_t wanted,
                            uint64_t seed) {
  uint64_t expected = lower_bound(layout->keys, layout->n, wanted);
  uint64_t found = search->position(layout, wanted);
  CU_ASSERT_EQUAL(found, expected);
  if (found != expected)
    fprintf(stderr, "%s n=%llu seed=%llu wanted=%llu: %llu, not %llu\n",
            search->name, (unsigned long long)layout->n,
            (unsigned long long)seed, (unsigned long long)wanted,
            (unsigned long long)found, (unsigned long long)expected);
}

/* Up to 21 keys and their neighbours, random ones, and both ends. */
static void expect_lower_bound(const struct search *search, uint64_t n,
                               uint64_t seed, uint64_t most) {
  struct layout layout = layout_open(n, seed, most, search->bytes(n));
  struct cpu_random random = {~seed};
  uint64_t step = n / 20 + 1;
  search->fill(&layout);
  for (uint64_t i = seed % step; i < n; i += step)
    for (uint64_t j = 0; j < 3; j++)
      expect_position(search, &layout, layout.keys[i] + j - 1, seed);
  for (int i = 0; i < 20; i++)
    expect_position(search, &layout, cpu_random_below(&random, most), seed);
  expect_position(search, &layout, 0, seed);
  expect_position(search, &layout, UINT64_MAX, seed);
  layout_close(&layout);
}

static void test_lower_bound(void) {
  static const uint64_t mosts[] = {1, 10, 1000, UINT64_MAX};
  for (size_t s = 0; s < SEARCHES; s++)
    for (uint64_t n = 0; n < 700; n++)
      expect_lower_bound(&searches[s], n, n, mosts[n % 4]);
}

/* Around where a layout gets another level. */
static void test_lower_bound_of_more(void) {
  static const uint64_t turns[] = {1024,  4096,  16 * 17 * 17, 8192,
                                   16384, 32768, 65536,        16 * 17 * 289};
  for (size_t s = 0; s < SEARCHES; s++)
    for (size_t i = 0; i < 3 * sizeof turns / sizeof *turns; i++)
      expect_lower_bound(&searches[s], turns[i / 3] - 1 + i % 3, i, UINT64_MAX);
}

/* Every key is there once, and nothing else but fillers, which are
 * `filler`. */
static void test_permutation(void) {
  for (size_t s = 0; s < SEARCHES; s++)
    for (uint64_t n = 0; n < 1200; n++) {
      if (searches[s].fill == fill_bplus) continue; /* has keys twice */
      uint64_t filler = searches[s].fill == fill_veb ? UINT64_MAX : 0;
      struct layout layout =
          layout_open(n, 3 * n + 1, UINT64_MAX, searches[s].bytes(n));
      searches[s].fill(&layout);
      uint64_t *sorted = sorted_copy(layout.words, layout.count);
      uint64_t fillers = layout.count - n;
      const uint64_t *rest = filler ? sorted + n : sorted;
      for (uint64_t i = 0; i < fillers; i++) CU_ASSERT_EQUAL(rest[i], filler);
      CU_ASSERT_TRUE(
          same_keys(filler ? sorted : sorted + fillers, layout.keys, n));
      free(sorted);
      layout_close(&layout);
    }
}

static void in_order(const struct layout *layout, uint64_t k, uint64_t *next) {
  if (k > layout->n) return;
  in_order(layout, 2 * k, next);
  CU_ASSERT_TRUE_FATAL(*next < layout->n);
  CU_ASSERT_EQUAL(layout->words[k], layout->keys[*next]);
  ++*next;
  in_order(layout, 2 * k + 1, next);
}

static void test_eytzinger_in_order(void) {
  for (uint64_t n = 0; n < 1200; n++) {
    uint64_t next = 0;
    struct layout layout =
        layout_open(n, n, UINT64_MAX, cpu_eytzinger_bytes(n));
    fill_eytzinger(&layout);
    in_order(&layout, 1, &next);
    CU_ASSERT_EQUAL(next, n);
    layout_close(&layout);
  }
}

/* The numbers of a B+ tree as they were before they were stored. */
static void fill_bplus_plainly(const struct layout *layout) {
  fill_bplus(layout);
  for (size_t i = 0; i < layout->count; i++)
    layout->words[i] ^= UINT64_C(0x8000000000000000);
}

/* The leaves are the sorted array. */
static void test_bplus_leaves(void) {
  for (uint64_t n = 0; n < 1200; n++) {
    struct layout layout = layout_open(n, n, UINT64_MAX, cpu_bplus_bytes(n));
    fill_bplus_plainly(&layout);
    CU_ASSERT_TRUE(same_keys(layout.words, layout.keys, n));
    layout_close(&layout);
  }
}

/* The levels of the definition, written down for a tree of two and of three
 * levels: 17 leaves and one more. */
static void test_bplus_by_hand(void) {
  enum { N = 18 * 16 };
  struct layout layout = layout_open(N, 1, UINT64_MAX, cpu_bplus_bytes(N));
  fill_bplus_plainly(&layout);
  CU_ASSERT_EQUAL_FATAL(layout.count, N + 2 * 16 + 16);
  const uint64_t *inner = layout.words + N, *root = inner + 32;
  for (int j = 0; j < 16; j++) {
    CU_ASSERT_EQUAL(inner[j], layout.keys[16 * j + 15]);
    CU_ASSERT_EQUAL(inner[16 + j], UINT64_MAX);
    CU_ASSERT_EQUAL(root[j], j ? UINT64_MAX : layout.keys[17 * 16 - 1]);
  }
  layout_close(&layout);
}

/* Where the definition puts the key at `position` of a complete tree of
 * `height` levels of nodes: top tree first, then the bottom trees. */
static uint64_t veb_place(unsigned height, uint64_t position) {
  static const uint64_t in_node[] = {4, 2, 5, 1, 6, 3, 7};
  if (height == 1) return in_node[position];
  unsigned top = height / 2, bottom = height - top;
  uint64_t width = 1, trees = 1, top_nodes = 0, bottom_nodes = 0;
  for (unsigned i = 0; i < top; i++) top_nodes += trees, trees *= 8;
  for (unsigned i = 0; i < bottom; i++) bottom_nodes += width, width *= 8;
  if (position % width == width - 1) return veb_place(top, position / width);
  return 8 * (top_nodes + position / width * bottom_nodes) +
         veb_place(bottom, position % width);
}

static void test_veb_by_definition(void) {
  static const uint64_t sizes[] = {0,   1,    6,    7,    8,     9,     62,
                                   63,  64,   65,   100,  511,   512,   513,
                                   600, 4095, 4096, 5000, 32767, 32768, 50000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    uint64_t n = sizes[s], capacity = 7;
    struct layout layout = layout_open(n, 7 * s, UINT64_MAX, cpu_veb_bytes(n));
    unsigned height = 1;
    for (; capacity < n; height++) capacity = 8 * capacity + 7;
    fill_veb(&layout);
    for (uint64_t i = 0; i < n; i++) {
      uint64_t place = veb_place(height, i);
      CU_ASSERT_TRUE_FATAL(place < layout.count);
      CU_ASSERT_EQUAL(layout.words[place], layout.keys[i]);
    }
    layout_close(&layout);
  }
}

/* 8/7 for the fillers, and a quarter from 4096 keys on. */
static void test_veb_is_not_much_larger(void) {
  for (uint64_t n = 4096; n < UINT64_C(1) << 55; n += n / 7)
    CU_ASSERT_TRUE(cpu_veb_bytes(n) <= n / 7 * 8 * 10 + 80);
  CU_ASSERT_TRUE(cpu_veb_bytes(1 << 27) < (UINT64_C(8) << 27) / 10 * 12);
}

static void test_same_answers(void) {
  static const char *const names[] = {"veb_search", "eytzinger_search",
                                      "eytzinger_prefetch", "bplus_search",
                                      "binary_search_plain"};
  const struct algo *plain = cpu_algo_find("binary_search");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (uint64_t n = 0; n < 5000; n = n * 5 / 4 + 1) {
      const struct algo *algo = cpu_algo_find(names[i]);
      struct algo_run a = workspace_open(plain, n, n);
      struct algo_run b = workspace_open(algo, n, n);
      a.searches = b.searches = n % 3 * 100;
      plain->setup(&a);
      algo->setup(&b);
      plain->run(&a);
      algo->run(&b);
      CU_ASSERT_EQUAL(a.result, b.result);
      CU_ASSERT_PTR_NULL(plain->check(&b));
      workspace_close(&a);
      workspace_close(&b);
    }
}

static const struct check_test tests[] = {
    {"every search is lower_bound, at every small size", test_lower_bound},
    {"and around every new level", test_lower_bound_of_more},
    {"a layout is a permutation of the keys", test_permutation},
    {"an Eytzinger tree in order is sorted", test_eytzinger_in_order},
    {"the leaves of a B+ tree are the sorted array", test_bplus_leaves},
    {"a B+ tree of three levels is as by hand", test_bplus_by_hand},
    {"van Emde Boas keys are where the definition has them",
     test_veb_by_definition},
    {"a van Emde Boas layout is not much larger", test_veb_is_not_much_larger},
    {"all searches give the answer of binary_search", test_same_answers},
    {NULL, NULL},
};
extern const struct check_suite suite_searches;
const struct check_suite suite_searches = {"searches", tests, NULL};
