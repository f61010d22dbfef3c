/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lower bound of heapsort's second phase: what its proof counts, on all
 * orders of a few keys; and its sums, one term after the other. */
#include <math.h>
#include <string.h>

#include "tests/vat/reference.h"
#include "tests/vat/suites_vat.h"
#include "vat/bounds.h"
#include "vat/bounds_parts.h"

enum {
  KEYS_MOST = 8,
  FIRSTS_MOST = 192,   /* ways of the first phase, of 8 keys */
  SECONDS_MOST = 5040, /* and of the second: 7! */
  ACCESSES_MOST = 256,
  LAYERS = 4,
  EXPONENTS = 4,
  PLACES_MOST = 13 /* of which all sets are tried */
};

static double factorial_log2(unsigned n) {
  double sum = 0;
  for (unsigned i = 2; i <= n; i++) sum += log2(i);
  return sum;
}

static unsigned subtree(unsigned i, unsigned n) {
  return i > n ? 0 : 1 + subtree(2 * i, n) + subtree(2 * i + 1, n);
}

static double heaps_log2(unsigned n) {
  double sum = factorial_log2(n);
  for (unsigned i = 1; i <= n; i++) sum -= log2(subtree(i, n));
  return sum;
}

/* A step of the second phase: how far down its sift gets, from where it climbs,
 * and its first access. */
struct step {
  unsigned leaf, climb;
  size_t begin;
};

/* A run of heapsort, key 0 unused, and the places that it accesses. */
struct run {
  unsigned n, keys[KEYS_MOST + 1];
  bool bottom_up;
  unsigned first, second;           /* where its sifts end, as numbers */
  struct step steps[KEYS_MOST + 2]; /* steps[m], n the first, [1]: the end */
  unsigned places[ACCESSES_MOST];
  size_t count;
};

static unsigned look(struct run *r, unsigned place) {
  CU_ASSERT_FATAL(r->count < ACCESSES_MOST);
  r->places[r->count++] = place;
  return r->keys[place];
}

static unsigned larger_child(struct run *r, unsigned x, unsigned n) {
  unsigned child = 2 * x, key = look(r, child);
  return child < n && key < look(r, child + 1) ? child + 1 : child;
}

static void move(struct run *r, unsigned from, unsigned to) {
  look(r, to);
  r->keys[to] = r->keys[from];
}

static unsigned place_of(const struct step *step) {
  return step->leaf >> step->climb;
}

/* Sift `key` from i on in a heap of n keys. */
static struct step sift(struct run *r, unsigned i, unsigned n, unsigned key,
                        bool bottom_up) {
  struct step step = {0, 0, r->count};
  unsigned x = i;
  for (unsigned child; 2 * x <= n; x = child) {
    child = larger_child(r, x, n);
    if (!bottom_up && r->keys[child] < key) break;
    move(r, child, x);
  }
  step.leaf = x;
  for (; x > i && bottom_up && look(r, x / 2) < key; x /= 2, step.climb++)
    move(r, x / 2, x);
  look(r, x);
  r->keys[x] = key;
  return step;
}

/* The first phase goes top-down in both programs. */
static void heapsort(struct run *r) {
  r->first = r->second = 0, r->count = 0;
  for (unsigned i = r->n / 2; i > 0; i--) {
    unsigned end = sift(r, i, r->n, look(r, i), false).leaf, level = 0;
    while (end >> level > i) level++;
    unsigned number = end - (i << level) + (1u << level) - 1; /* from 0 on */
    r->first = r->first * subtree(i, r->n) + number;
  }
  for (unsigned m = r->n; m > 1; m--) {
    size_t begin = r->count;
    unsigned key = look(r, m);
    r->keys[m] = look(r, 1);
    r->steps[m] = sift(r, 1, m - 1, key, r->bottom_up);
    r->steps[m].begin = begin;
    r->second = r->second * (m - 1) + place_of(&r->steps[m]) - 1;
  }
  r->steps[1].begin = r->count;
  for (unsigned i = 1; i <= r->n; i++) CU_ASSERT_EQUAL_FATAL(r->keys[i], i);
}

/* Each order of the keys after the first `fixed`. */
typedef void visit(struct run *r, void *arg);
static void all_orders(struct run *r, unsigned fixed, visit *each, void *arg) {
  if (fixed == r->n + 1) {
    struct run copy = *r;
    heapsort(&copy);
    each(&copy, arg);
    return;
  }
  for (unsigned i = fixed; i <= r->n; i++) {
    unsigned key = r->keys[fixed];
    r->keys[fixed] = r->keys[i], r->keys[i] = key;
    all_orders(r, fixed + 1, each, arg);
    key = r->keys[fixed], r->keys[fixed] = r->keys[i], r->keys[i] = key;
  }
}

static void all_runs(unsigned n, bool bottom_up, visit *each, void *arg) {
  struct run r = {.n = n, .bottom_up = bottom_up};
  for (unsigned i = 1; i <= n; i++) r.keys[i] = i;
  all_orders(&r, 1, each, arg);
}

static unsigned char seen[FIRSTS_MOST][SECONDS_MOST];

static void mark(struct run *r, void *arg) {
  (void)arg;
  CU_ASSERT_FATAL(r->first < FIRSTS_MOST && r->second < SECONDS_MOST);
  CU_ASSERT_EQUAL(seen[r->first][r->second]++, 0);
}

/* Of 8 keys: 210 heaps, each by 192 ways of the first phase; and no two have
 * their second phase's sifts end at the same places. */
static void test_places_determine_the_heap(void) {
  for (unsigned n = 2; n <= KEYS_MOST; n++)
    for (int bottom_up = 0; bottom_up < 2; bottom_up++) {
      double heaps = exp2(heaps_log2(n)), firsts = 1;
      memset(seen, 0, sizeof seen);
      all_runs(n, bottom_up, mark, NULL);
      for (unsigned i = 1; i <= n; i++) firsts *= subtree(i, n);
      for (unsigned first = 0; first < FIRSTS_MOST; first++) {
        unsigned count = 0;
        for (unsigned i = 0; i < SECONDS_MOST; i++) {
          count += seen[first][i];
          if (first < firsts) CU_ASSERT_EQUAL(seen[first][i], seen[0][i]);
        }
        CU_ASSERT_DOUBLE_EQUAL(count, first < firsts ? heaps : 0, 1e-9);
      }
    }
}

/* What is accessed, as a number: in a first phase; and in step m, by the leaf
 * and the climb, and by the place. */
struct accesses {
  uint64_t first[FIRSTS_MOST];
  uint64_t steps[KEYS_MOST + 1][KEYS_MOST + 1][LAYERS];
  uint64_t by_place[KEYS_MOST + 1][KEYS_MOST + 1];
  bool place_determines;
};

static bool is_same(uint64_t *known, const unsigned *places, size_t count) {
  uint64_t number = UINT64_C(14695981039346656037); /* FNV-1a */
  for (size_t i = 0; i < count; i++)
    number = (number ^ places[i]) * UINT64_C(1099511628211);
  if (!*known) *known = number;
  return *known == number;
}

static void compare_accesses(struct run *r, void *arg) {
  struct accesses *known = arg;
  CU_ASSERT(is_same(&known->first[r->first], r->places, r->steps[r->n].begin));
  for (unsigned m = r->n; m > 1; m--) {
    const struct step *step = &r->steps[m];
    const unsigned *places = r->places + step->begin;
    size_t count = r->steps[m - 1].begin - step->begin;
    CU_ASSERT(
        is_same(&known->steps[m][step->leaf][step->climb], places, count));
    if (!is_same(&known->by_place[m][place_of(step)], places, count))
      known->place_determines = false;
  }
}

/* So what a policy that knows the past has in its cells follows from the
 * places; bottom-up it takes leaves and climbs. */
static void test_ways_determine_accesses(void) {
  for (unsigned n = 2; n <= KEYS_MOST; n++)
    for (int bottom_up = 0; bottom_up < 2; bottom_up++) {
      struct accesses known = {.place_determines = true};
      all_runs(n, bottom_up, compare_accesses, &known);
      CU_ASSERT_EQUAL(known.place_determines, !bottom_up || n < 6);
    }
}

/* Places of a heap on the way to `place`, and it, that are not in `set`. */
static unsigned outside(unsigned place, uint64_t set) {
  unsigned count = 0;
  for (; place; place /= 2) count += !(set >> place & 1);
  return count;
}

/* The sum over v <= n of 2^(-exponent f): the larger f of v's children, or as
 * the source has it, the mean of both terms. */
static double sum_topdown(unsigned n, uint64_t set, double exponent,
                          bool larger) {
  double sum = 0;
  for (unsigned v = 1; v <= n; v++) {
    unsigned left = outside(2 * v <= n ? 2 * v : v, set);
    unsigned right = outside(2 * v + 1 <= n ? 2 * v + 1 : v, set);
    if (larger)
      sum += exp2(-exponent * (left > right ? left : right));
    else
      sum += (exp2(-exponent * left) + exp2(-exponent * right)) / 2;
  }
  return sum;
}

static double sum_leaves(unsigned n, uint64_t set) {
  double sum = 0;
  for (unsigned x = n / 2 + 1; x <= n; x++) sum += exp2(-1. * outside(x, set));
  return sum;
}

/* Places 1 to s, of n < 64. */
static uint64_t highest(unsigned s) {
  return s < 63 ? (UINT64_C(2) << s) - 2 : ~UINT64_C(1);
}

static void test_the_highest_places_are_best(void) {
  unsigned most = check_is_brief() ? PLACES_MOST - 3 : PLACES_MOST;
  for (unsigned n = 1; n <= most; n++)
    for (uint64_t set = 0; set < UINT64_C(2) << n; set += 2) {
      unsigned s = (unsigned)__builtin_popcountll(set);
      CU_ASSERT(sum_leaves(n, set) <= (s + 1) / 2.0 + 1e-12);
      for (double exponent = 0.25; s && exponent < 1.6; exponent += 0.25)
        CU_ASSERT(sum_topdown(n, set, exponent, true) <=
                  sum_topdown(n, highest(s), exponent, false) + 1e-12);
    }
}

/* Where one is a set of the highest, but with larger exponents it is not. */
static void test_not_with_any_exponent(void) {
  const double best = sum_topdown(7, highest(3), 3, false);
  double most = 0;
  for (uint64_t set = 0; set < UINT64_C(2) << 7; set += 2)
    if (__builtin_popcountll(set) == 3)
      most = fmax(most, sum_topdown(7, set, 3, false));
  CU_ASSERT(most > best * 1.01);
}

/* All orders under a policy, by ways of the first phase: the sums over heaps of
 * 2^(-exponent misses - penalty climbs) of each layer, in the steps down to
 * each one. */
struct count {
  struct vat_tree tree;
  const char *policy;
  unsigned nodes, before; /* W; words before place 0 */
  double exponents[EXPONENTS], penalty;
  double sums[FIRSTS_MOST][LAYERS][EXPONENTS][KEYS_MOST + 1];
};

static unsigned node_of(const struct count *count, unsigned place,
                        unsigned layer) {
  uint64_t word = place + count->before;
  return (unsigned)(word * 8 >> count->tree.page_bits >>
                    layer * count->tree.index_bits);
}

/* Words below a node. */
static unsigned span_of(const struct count *count, unsigned layer) {
  return 1u << (count->tree.page_bits + layer * count->tree.index_bits - 3);
}

/* The misses of a step on a layer, of what it does access one after the other,
 * when `after[t]` is in the cells after t accesses. */
static unsigned misses_of(const struct run *r, const struct count *count,
                          unsigned m, unsigned layer, const uint64_t *after) {
  unsigned misses = 0, layers = count->tree.levels + 1;
  for (size_t i = r->steps[m].begin; i < r->steps[m - 1].begin; i++) {
    uint64_t node =
        reference_bit(&count->tree, node_of(count, r->places[i], layer), layer);
    misses += !(after[i * layers + count->tree.levels - layer] & node);
  }
  return misses;
}

/* Places before the span, and those below nodes that are in the cells. */
static uint64_t spared(const struct run *r, const struct count *count,
                       unsigned layer, uint64_t cells) {
  uint64_t set = 0;
  for (unsigned place = 1; place <= r->n; place++) {
    uint64_t node =
        reference_bit(&count->tree, node_of(count, place, layer), layer);
    if (place < span_of(count, layer) || cells & node)
      set |= UINT64_C(1) << place;
  }
  return set;
}

/* No less is missed than the source says, with no more places spared. */
static void judge_step(const struct run *r, const struct count *count,
                       unsigned m, unsigned layer, const uint64_t *after) {
  const struct step *step = &r->steps[m];
  unsigned layers = count->tree.levels + 1, v = step->leaf;
  unsigned misses = misses_of(r, count, m, layer, after);
  uint64_t set = spared(r, count, layer, after[step->begin * layers]);
  unsigned most = (count->nodes + 1) * span_of(count, layer) - 1;
  CU_ASSERT((unsigned)__builtin_popcountll(set) <= most);
  CU_ASSERT(misses >= outside(2 * v < m ? 2 * v : v, set));
  CU_ASSERT(misses >= outside(2 * v + 1 < m ? 2 * v + 1 : v, set));
}

static void add(struct run *r, void *arg) {
  struct count *count = arg;
  uint64_t pages[ACCESSES_MOST], after[ACCESSES_MOST * (LAYERS + 1) + 1] = {0};
  for (size_t i = 0; i < r->count; i++)
    pages[i] = node_of(count, r->places[i], 0);
  reference_contents(count->policy, &count->tree, pages, r->count, count->nodes,
                     after + 1);
  for (unsigned layer = 0; layer < count->tree.levels; layer++) {
    unsigned misses = 0, climbs = 0;
    for (unsigned m = r->n; m > 1; m--) {
      judge_step(r, count, m, layer, after);
      misses += misses_of(r, count, m, layer, after);
      climbs += r->steps[m].climb;
      for (size_t e = 0; e < EXPONENTS; e++)
        count->sums[r->first][layer][e][m] +=
            exp2(-count->exponents[e] * misses - count->penalty * climbs);
    }
  }
}

/* log2 of what the source allows a step of a heap of m keys. */
static double allowed(unsigned m, bool bottom_up, const struct count *count,
                      unsigned layer, double exponent) {
  unsigned s = (count->nodes + 1) * span_of(count, layer) - 1;
  double leaves = (fmin(m - 1, s) + 1) / 2 / (1 - exp2(-count->penalty));
  return log2(bottom_up ? leaves
                        : sum_topdown(m - 1, highest(s), exponent, false));
}

static void judge_sums(unsigned n, bool bottom_up, struct count *count) {
  memset(count->sums, 0, sizeof count->sums);
  all_runs(n, bottom_up, add, count);
  for (unsigned layer = 0; layer < count->tree.levels; layer++)
    for (size_t e = 0; e < (bottom_up ? 1 : EXPONENTS); e++) {
      double ways = 0;
      for (unsigned m = n; m > 1; m--) {
        ways += allowed(m, bottom_up, count, layer, count->exponents[e]);
        double most = exp2(ways + heaps_log2(m - 1));
        CU_ASSERT(count->sums[0][layer][e][m] > 0);
        for (unsigned first = 0; first < FIRSTS_MOST; first++)
          CU_ASSERT(count->sums[first][layer][e][m] <= most * (1 + 1e-12));
      }
    }
}

/* Under every way of the first phase. */
static void test_few_heaps_miss_little(void) {
  static const struct vat_tree trees[] = {
      {4, 3, 1}, {2, 3, 2}, {1, 3, 4}, {3, 4, 1}, {1, 4, 3}};
  static struct count count;
  for (size_t t = 0; t < sizeof trees / sizeof *trees; t++)
    for (unsigned i = 0; i < 12; i++) {
      bool bottom_up = i % 2;
      count = (struct count){.tree = trees[t],
                             .policy = i % 4 < 2 ? "lru" : "islru",
                             .nodes = trees[t].levels + 1 + i / 4,
                             .before = t % 2,
                             .exponents = {0.25, 0.5, 1, 1.5}};
      if (bottom_up) count.exponents[0] = 1, count.penalty = 1.0 / 3;
      judge_sums(t || check_is_brief() ? 6 : 7, bottom_up, &count);
    }
}

static const struct check_test tests[] = {
    {"places determine the heap", test_places_determine_the_heap},
    {"ways determine what is accessed", test_ways_determine_accesses},
    {"the highest places are best", test_the_highest_places_are_best},
    {"but not with any exponent", test_not_with_any_exponent},
    {"few heaps miss little", test_few_heaps_miss_little},
    {0}};

const struct check_suite suite_bounds_heapsort = {"lower bound of heapsort",
                                                  tests, NULL};
