/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many accesses each algorithm makes, against counts made from its
 * definition here: of the stream, and of the simulation, which does not see all
 * of it. */
#include <config.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpu_algos/random.h"
#include "experiments/stream/stream.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

#ifdef HAVE_STREAMS
struct counts {
  uint64_t loads, stores;
};

enum { BLOCK = 100 };

struct counting {
  struct counts counts;
  uint64_t bytes;
  uint64_t addresses[BLOCK];
  uint32_t sizes[BLOCK];
  uint8_t kinds[BLOCK];
};

static int take(void *arg, size_t count, uint64_t accesses) {
  struct counting *c = arg;
  CU_ASSERT_EQUAL(count, accesses);
  for (size_t i = 0; i < count; i++) {
    *(c->kinds[i] == VAT_LOAD ? &c->counts.loads : &c->counts.stores) += 1;
    c->bytes += c->sizes[i];
  }
  return VAT_OK;
}

static struct counts count(const char *algo, uint64_t n) {
  static struct counting c;
  const struct stream stream = {.algo = cpu_algo_find(algo), .n = n, .seed = n};
  const struct stream_sink sink = {.block = {c.addresses, c.sizes, c.kinds},
                                   .capacity = BLOCK,
                                   .take = take,
                                   .arg = &c};
  c = (struct counting){.bytes = 0};
  CU_ASSERT_EQUAL(stream_run(&stream, &sink), VAT_OK);
  CU_ASSERT_EQUAL(c.bytes, 8 * (c.counts.loads + c.counts.stores));
  return c.counts;
}

static void is(const char *algo, uint64_t n, uint64_t seen, uint64_t expected,
               const char *what) {
  if (seen != expected)
    printf("\n%s, n = %" PRIu64 ": %" PRIu64 " %s, not %" PRIu64, algo, n, seen,
           what, expected);
  CU_ASSERT_EQUAL(seen, expected);
}

static void test_matrices(void) {
  static const char *const transposes[] = {
      "transpose_rows", "transpose_recursive", "transpose_morton"};
  for (uint64_t n = 0; n < 100; n += n < 3 ? 1 : 16) {
    for (size_t i = 0; i < sizeof transposes / sizeof *transposes; i++) {
      struct counts seen = count(transposes[i], n);
      is(transposes[i], n, seen.loads, n * n, "loads");
      is(transposes[i], n, seen.stores, n * n, "stores");
    }
    struct counts seen = count("matmul_rows", n);
    is("matmul_rows", n, seen.loads, 2 * n * n * n, "loads");
    is("matmul_rows", n, seen.stores, n * n, "stores");
  }
}

/* Loads of the product of two tiles, added to a third: panels of 4 x 16 are
 * held in registers, where vectors are seen (cpu_algos/matmul_block.c). */
static uint64_t tile_loads(uint64_t rows, uint64_t inner, uint64_t cols) {
#ifdef __clang__
  uint64_t panels = 0;
#else
  uint64_t panels = (rows / 4) * (cols / 16);
#endif
  return panels * (64 + inner * (4 + 16)) +
         (rows * cols - panels * 64) * (1 + 2 * inner);
}

static uint64_t part(uint64_t n, uint64_t at) {
  return n - at < 32 ? n - at : 32;
}

static void test_products_of_tiles(void) {
  for (uint64_t n = 0; n < 140; n += n < 3 ? 1 : 15) {
    uint64_t loads = 0;
    for (uint64_t i = 0; i < n; i += 32)
      for (uint64_t j = 0; j < n; j += 32)
        for (uint64_t k = 0; k < n; k += 32)
          loads += tile_loads(part(n, i), part(n, k), part(n, j));
    struct counts seen = count("matmul_recursive", n);
    is("matmul_recursive", n, seen.loads, loads, "loads");
    /* Cleared, then stored once for each tile of the inner dimension. */
    is("matmul_recursive", n, seen.stores, n * n * (1 + (n + 31) / 32),
       "stores");
  }
}

static unsigned lg(uint64_t n) {
  unsigned bits = 0;
  while (n >>= 1) bits++;
  return bits;
}

/* Steps of powers of two, from the largest that is at most n. */
static uint64_t binary_loads(uint64_t n) { return lg(n) + 1; }
/* A path through the levels that are full, and one place below. */
static uint64_t eytzinger_loads(uint64_t n) { return lg(n + 1) + 1; }
/* Three keys of a node, as many nodes as n has octal digits. */
static uint64_t veb_loads(uint64_t n) { return 3 * (lg(n) / 3 + 1); }

/* All keys of a node a level, until a node is all there is. */
static uint64_t bplus_loads(uint64_t n) {
  uint64_t nodes = (n + 15) / 16, loads = 16;
  for (; nodes > 1; nodes = (nodes + 16) / 17) loads += 16;
  return loads;
}

/* A key that all searches begin with is loaded in each, or once for all: that
 * is the compiler's choice. */
static void test_searches(void) {
  static const struct {
    const char *algo;
    uint64_t (*loads)(uint64_t n);
  } cases[] = {{"binary_search", binary_loads},
               {"eytzinger_search", eytzinger_loads},
               {"eytzinger_prefetch", eytzinger_loads},
               {"veb_search", veb_loads},
               {"bplus_search", bplus_loads}};
  static const uint64_t sizes[] = {0,   1,   2,   3,    6,    7,    8,   15,
                                   16,  17,  63,  64,   127,  271,  272, 273,
                                   511, 512, 513, 1023, 1024, 4623, 4625};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      uint64_t n = sizes[k], all = n * cases[i].loads(n);
      struct counts seen = count(cases[i].algo, n);
      bool once = n && seen.loads == all - (n - 1);
      is(cases[i].algo, n, seen.loads, once ? seen.loads : all, "loads");
      is(cases[i].algo, n, seen.stores, 0, "stores");
    }
}

/* A heap from the definition, recursively, with what each step accesses. */
struct heap {
  uint64_t keys[1 << 14]; /* from 1 */
  uint64_t n;
  struct counts counts;
  uint64_t more_loads; /* that there may be */
};

/* The key of node i goes down while a child is larger: both children are loaded
 * and then the larger one; if that is not larger than the key, but the last of
 * all, once more (cpu_algos/heap.c looks for an only child then). */
static void sift(struct heap *h, uint64_t i) {
  uint64_t *keys = h->keys, key = keys[i], child;
  h->counts.loads++;
  for (; (child = 2 * i) <= h->n; i = child) {
    bool both = child < h->n;
    h->counts.loads += both ? 3 : 1;
    if (both && keys[child] < keys[child + 1]) child++;
    if (keys[child] <= key) {
      h->counts.loads += both && child == h->n;
      break;
    }
    keys[i] = keys[child];
    h->counts.stores++;
  }
  keys[i] = key;
  h->counts.stores++;
}

/* Subtrees first; their order changes neither the heap nor what it takes. */
static void build(struct heap *h, uint64_t i) {
  if (2 * i > h->n) return;
  build(h, 2 * i);
  build(h, 2 * i + 1);
  sift(h, i);
}

/*
 * The root goes behind the heap, and the last key takes its place: the hole
 * goes down to a leaf, then up to where the key fits.  Both children are
 * loaded, and once more the larger one where it is chosen without a branch,
 * among the first nodes.
 */
static void remove_root(struct heap *h) {
  uint64_t *keys = h->keys, key = keys[h->n], i = 1, child;
  keys[h->n--] = keys[1];
  h->counts.loads += 2;
  h->counts.stores++;
  for (; (child = 2 * i) <= h->n; i = child) {
    bool both = child < h->n, near = i < h->n / 2 && i < 4096;
    h->counts.loads += 1 + both + near;
    h->more_loads += both && !near;
    if (both && keys[child] < keys[child + 1]) child++;
    keys[i] = keys[child];
    h->counts.stores++;
  }
  for (; i > 1; i /= 2) {
    h->counts.loads++;
    if (keys[i / 2] >= key) break;
    keys[i] = keys[i / 2];
    h->counts.stores++;
  }
  keys[i] = key;
  h->counts.stores++;
}

static void test_heaps(void) {
  static struct heap h;
  static const uint64_t sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 1023, 10000};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    h = (struct heap){.n = sizes[k]};
    for (uint64_t i = 0; i < h.n; i++) h.keys[i + 1] = cpu_random_at(h.n, i);
    build(&h, 1);
    struct counts seen = count("heapify", sizes[k]);
    is("heapify", sizes[k], seen.loads, h.counts.loads, "loads");
    is("heapify", sizes[k], seen.stores, h.counts.stores, "stores");
    while (h.n > 1) remove_root(&h);
    seen = count("heapsort", sizes[k]);
    CU_ASSERT(seen.loads <= h.counts.loads + h.more_loads);
    if (seen.loads < h.counts.loads || !h.more_loads)
      is("heapsort", sizes[k], seen.loads, h.counts.loads, "loads");
    is("heapsort", sizes[k], seen.stores, h.counts.stores, "stores");
  }
}

static const char *why_not(void) { return NULL; }

static const struct check_test tests[] = {
    {"matrices", test_matrices},
    {"products of tiles", test_products_of_tiles},
    {"searches", test_searches},
    {"heaps", test_heaps},
    {0}};
#else
static const char *why_not(void) { return "built without address streams"; }

static const struct check_test tests[] = {{0}};
#endif

const struct check_suite suite_stream_counts = {"stream counts", tests,
                                                why_not};
