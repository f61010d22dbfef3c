/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The closed forms that hold in place of printed ones (Jurkiewicz, PhD thesis,
 * section 2.4; proofs in doc/proofs.md), against searches and random orders
 * that are made here from the definitions. */
#include <math.h>
#include <string.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/suites_vat.h"
#include "vat/bounds.h"

enum { KEY = 8, KEYS = 200, DEPTHS = 10, NODES = 2048, POLICIES = 4 };

static const struct {
  const char *name;
  enum vat_bounds_policy kind;
} policies[POLICIES] = {{"min", VAT_BOUNDS_MIN},
                        {"ismin", VAT_BOUNDS_ISMIN},
                        {"lru", VAT_BOUNDS_RECENT},
                        {"islru", VAT_BOUNDS_RECENT}};

/* The keys that a search for key `wanted` looks at.  `program` false: n is a
 * power of two minus one, the root is in the middle, a key that is found ends
 * the search, as in the text.  True: our program, whose first key belongs to
 * both trees. */
static unsigned look(bool program, uint64_t n, uint64_t wanted,
                     uint64_t *seen) {
  unsigned count = 0;
  uint64_t step = 1, at = 0;
  while (2 * step <= n) step *= 2;
  if (program) {
    seen[count++] = step - 1;
    if (step - 1 < wanted) at = n - step;
    step /= 2;
  }
  for (; step > 0; step /= 2) {
    seen[count++] = at + step - 1;
    if (!program && seen[count - 1] == wanted) break;
    if (seen[count - 1] < wanted) at += step;
  }
  return count;
}

struct searches {
  bool program;
  struct vat_bounds_case c;
  uint64_t wanted[KEYS]; /* n of them */
};

/* Random keys, or the same two again and again, or each once in order. */
static void random_searches(struct searches *s) {
  unsigned kind = (unsigned)below(3);
  uint64_t n = 1 + below(KEYS), other = below(n), one = below(n);
  s->program = below(2);
  while (!s->program && (n & (n + 1))) n--; /* 2^q - 1 */
  s->c = (struct vat_bounds_case){
      .n = n,
      .base = KEY * below(200),
      .tree = {1 + (unsigned)below(4), 3 + (unsigned)below(5), 1}};
  uint64_t last = (s->c.base + KEY * n - 1) >> s->c.tree.page_bits;
  s->c.tree.levels =
      vat_tree_levels_for(s->c.tree.index_bits, last) + (unsigned)below(2);
  if (!s->c.tree.levels) s->c.tree.levels = 1;
  for (uint64_t i = 0; i < n; i++)
    s->wanted[i] = kind == 0 ? below(n) : kind == 1 ? i : (i & 1 ? one : other);
  for (uint64_t i = 0; i < n; i++) s->wanted[i] %= n;
}

static uint64_t address_of(const struct searches *s, uint64_t key) {
  return s->c.base + KEY * key;
}

static double misses_of_searches(const struct searches *s, const char *policy) {
  struct vat_tc *tc =
      vat_tc_create(vat_policy_find(policy), &s->c.tree, s->c.nodes, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(tc);
  for (uint64_t i = 0; i < s->c.n; i++) {
    uint64_t seen[DEPTHS];
    unsigned count = look(s->program, s->c.n, s->wanted[i], seen);
    for (unsigned j = 0; j < count; j++) seen[j] = address_of(s, seen[j]);
    CU_ASSERT_EQUAL(vat_tc_addresses(tc, seen, count), 0);
  }
  CU_ASSERT_EQUAL(vat_tc_finish(tc), 0);
  double misses = (double)vat_tc_counts(tc).misses;
  vat_tc_destroy(tc);
  return misses;
}

static void say(const struct searches *s, const char *what, double misses,
                double most) {
  printf("\n%s, n=%llu base=%llu k=%u p=%u d=%u W=%llu: %.0f, not %.2f\n", what,
         (unsigned long long)s->c.n, (unsigned long long)s->c.base,
         s->c.tree.index_bits, s->c.tree.page_bits, s->c.tree.levels,
         (unsigned long long)s->c.nodes, misses, most);
}

static void test_the_corrected_lemma_2_28_bounds_any_searches(void) {
  struct searches s;
  random_state = 228;
  for (unsigned i = 0; i < (check_is_brief() ? 300 : 3000); i++) {
    random_searches(&s);
    uint64_t d = s.c.tree.levels;
    s.c.nodes = d + 1 + below(below(2) ? 12 * d : 4 * KEYS);
    for (size_t p = 0; p < POLICIES; p++) {
      s.c.policy = policies[p].kind;
      double most = vat_bounds_search_closed(&s.c);
      double misses = misses_of_searches(&s, policies[p].name);
      CU_ASSERT(misses <= most);
      if (misses > most) say(&s, policies[p].name, misses, most);
    }
  }
}

/* The strategy of the proof.  On each layer: what is kept for good, and the two
 * other nodes visited last. */
struct strategy {
  bool kept[VAT_LAYERS_MAX][NODES];
  uint64_t last[VAT_LAYERS_MAX][2];
  uint64_t cells;      /* kept, but for the root */
  uint64_t loads, sum; /* of what is not kept */
};

static uint64_t node_above(const struct searches *s, uint64_t key,
                           unsigned layer) {
  uint64_t page = address_of(s, key) >> s->c.tree.page_bits;
  return vat_tree_node(&s->c.tree, page, layer);
}

/* All that is above the first keys of each search, `top` and one more. */
static void keep(struct strategy *strategy, const struct searches *s,
                 unsigned top) {
  uint64_t seen[DEPTHS];
  for (uint64_t wanted = 0; wanted < s->c.n; wanted++) {
    unsigned count = look(s->program, s->c.n, wanted, seen);
    for (unsigned j = 0; j < count && j <= top; j++)
      for (unsigned i = 0; i < s->c.tree.levels; i++) {
        bool *kept = &strategy->kept[i][node_above(s, seen[j], i)];
        strategy->cells += !*kept;
        *kept = true;
      }
  }
}

static void visit(struct strategy *strategy, uint64_t node, unsigned layer) {
  uint64_t *last = strategy->last[layer];
  if (strategy->kept[layer][node] || last[0] == node) return;
  strategy->loads += last[1] != node;
  last[1] = last[0];
  last[0] = node;
}

/* What the proof lets one search load: on each layer one node, and one for each
 * step below the top whose vertices' keys, 2 D of them, fill a node. */
static unsigned steps_allow(const struct searches *s, unsigned top) {
  unsigned d = s->c.tree.levels, depths = 0, sum = d;
  while (UINT64_C(2) << depths <= s->c.n + !s->program) depths++;
  for (unsigned depth = top + !s->program; depth < depths; depth++)
    for (unsigned i = 0; i < d; i++)
      sum += (UINT64_C(1) << s->c.tree.page_bits << i * s->c.tree.index_bits) <=
             ((uint64_t)KEY << (depths - depth));
  return sum;
}

static void test_the_strategy_of_its_proof(void) {
  static struct strategy strategy;
  struct searches s;
  uint64_t seen[DEPTHS];
  random_state = 229;
  for (unsigned round = 0; round < (check_is_brief() ? 200 : 2000); round++) {
    random_searches(&s);
    unsigned d = s.c.tree.levels, top = 0;
    s.c.nodes = 3 * d + 1 + below(100);
    s.c.policy = VAT_BOUNDS_MIN;
    while (((UINT64_C(4) << top) + 1) * d + 1 <= s.c.nodes) top++;
    memset(&strategy, 0, sizeof strategy);
    memset(strategy.last, 0xff, sizeof strategy.last);
    keep(&strategy, &s, top);
    CU_ASSERT(1 + strategy.cells + 2 * d <= s.c.nodes);
    unsigned most = steps_allow(&s, top);
    for (uint64_t search = 0; search < s.c.n; search++) {
      unsigned count = look(s.program, s.c.n, s.wanted[search], seen);
      strategy.loads = 0;
      for (unsigned j = 0; j < count; j++)
        for (unsigned i = 0; i < d; i++)
          visit(&strategy, node_above(&s, seen[j], i), i);
      CU_ASSERT(strategy.loads <= most);
      strategy.sum += strategy.loads;
    }
    double kept = 1 + (double)strategy.cells;
    CU_ASSERT(kept + (double)(most * s.c.n) <= vat_bounds_search_closed(&s.c));
    CU_ASSERT(misses_of_searches(&s, "min") <= kept + (double)strategy.sum);
  }
}

/* n = 4, P = 1 key, K = 2, d = 2, W = 7: L = log2(4 4 2 / (7 - 3)) = 3, 4 (2 +
 * 4 2.5) + 7; of LRU twice that of 7 nodes at W = 14, of ISMIN the same at 9.
 */
static void test_the_corrected_lemma_2_28_by_hand(void) {
  struct vat_bounds_case c = {
      .n = 4, .tree = {1, 3, 2}, .nodes = 7, .policy = VAT_BOUNDS_MIN};
  CU_ASSERT_EQUAL(vat_bounds_search_closed(&c), 4 * (2 + 4 * 2.5) + 7);
  c.nodes = 6;
  CU_ASSERT(isinf(vat_bounds_search_closed(&c)));
  c.policy = VAT_BOUNDS_RECENT;
  c.nodes = 14;
  CU_ASSERT_EQUAL(vat_bounds_search_closed(&c), 2 * (4 * (2 + 4 * 2.5) + 7));
  c.policy = VAT_BOUNDS_ISMIN;
  c.nodes = 9;
  CU_ASSERT_EQUAL(vat_bounds_search_closed(&c), 4 * (2 + 4 * 2.5) + 7);
  c.n = 0;
  CU_ASSERT_EQUAL(vat_bounds_search_closed(&c), 0);
}

/* n = 64, P = 8 keys, K = 4, W = 4 of d = 2, on 8 pages, 2 nodes above them and
 * the root; and a product, n = 8, P = 4, a = floor(8 / 2). */
static void test_other_printed_forms_by_hand(void) {
  struct vat_bounds_case c = {.n = 64, .tree = {2, 6, 2}, .nodes = 4};
  CU_ASSERT_EQUAL(vat_bounds_random_printed_lower(&c), 64 / 2 * 1);
  CU_ASSERT_EQUAL(vat_bounds_random_printed_upper(&c), 64 / 2 * (1 + 3));
  CU_ASSERT_DOUBLE_EQUAL(vat_bounds_permute_closed_lower(&c),
                         (64 - 32 / log(2)) / 2, 1e-9);
  CU_ASSERT(isinf(vat_bounds_permute_closed_upper(&c)));
  c.policy = VAT_BOUNDS_MIN;
  c.nodes = 2;
  CU_ASSERT_EQUAL(vat_bounds_random_scan_closed_lower(&c), 64 / 2 * 1 / 2.0);
  c.nodes = 5;
  CU_ASSERT_EQUAL(vat_bounds_permute_closed_upper(&c), 2 * 64 + 8 + 2 + 1);
  CU_ASSERT_EQUAL(vat_bounds_random_scan_closed_upper(&c), 2 * 64 + 16 + 4 + 1);
  c = (struct vat_bounds_case){.n = 8, .tree = {2, 5, 2}, .nodes = 8};
  CU_ASSERT_DOUBLE_EQUAL(vat_bounds_matmul_printed(&c), 8 / 7. * 512 / (2 * 8),
                         1e-9);
}

/* n = 2^20, K = 512, pages of 4 KiB, W = 64. */
static void test_the_printed_lemma_2_28_is_below_a_lower_bound(void) {
  struct vat_bounds_case c = {.n = 1 << 20, .tree = {9, 12, 2}, .nodes = 64};
  CU_ASSERT_DOUBLE_EQUAL(vat_bounds_search_printed_upper(&c), 2854457, 1);
  CU_ASSERT(vat_bounds_search_lower(&c) > 5e6);
  CU_ASSERT(vat_bounds_search_closed(&c) > 7.3e6);
}

/* n (1 + M) max(1, (2 + M) / (2 k)) is no more than what is counted, which
 * makes the printed lower bound hold: at sizes that nobody would simulate here.
 */
static void test_the_printed_lower_bound_of_lemma_2_28_holds(void) {
  for (int lg_n = 4; lg_n < 44; lg_n += 3)
    for (unsigned k = 1; k < 12; k += 2)
      for (unsigned p = 3; p < 14; p += 2)
        for (uint64_t nodes = 3; nodes < UINT64_C(1) << 30; nodes += 1 + nodes)
          for (int kind = 0; kind < 2; kind++) {
            struct vat_bounds_case c = {.n = UINT64_C(1) << lg_n,
                                        .tree = {k, p, 1},
                                        .nodes = nodes,
                                        .policy = (enum vat_bounds_policy)kind};
            while (p + k * c.tree.levels < (unsigned)lg_n + 3) c.tree.levels++;
            if (c.nodes <= c.tree.levels || c.tree.levels > VAT_LEVELS_MAX)
              continue;
            double range = lg_n * (c.tree.levels + 1.0);
            double chance = vat_bounds_deviation((double)c.n, range);
            CU_ASSERT(vat_bounds_search_printed_lower(&c) <=
                      vat_bounds_search_lower(&c) + chance);
          }
}

/* All orders of n keys, or all swaps: the sum of their misses, and how many. */
struct orders {
  struct vat_bounds_case c;
  const char *policy;
  bool swaps;
  uint64_t misses, count;
  uint64_t drawn[2 * DEPTHS]; /* addresses */
};

static void run_order(struct orders *o, unsigned accesses) {
  struct vat_tc *tc =
      vat_tc_create(vat_policy_find(o->policy), &o->c.tree, o->c.nodes, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(tc);
  CU_ASSERT_EQUAL(vat_tc_addresses(tc, o->drawn, accesses), 0);
  CU_ASSERT_EQUAL(vat_tc_finish(tc), 0);
  o->misses += vat_tc_counts(tc).misses;
  o->count++;
  vat_tc_destroy(tc);
}

/* The next access is to any of the keys of `left`: of a random order, to one
 * that was not yet; of swaps, to one of the first, and to the last of them. */
static void each_order(struct orders *o, unsigned accesses, unsigned left) {
  unsigned n = (unsigned)o->c.n, last = n;
  if (!left) {
    run_order(o, accesses);
    return;
  }
  while (!(left >> --last & 1)) continue;
  for (unsigned key = 0; key < n; key++) {
    if (!(left >> key & 1)) continue;
    unsigned used = o->swaps ? last : key;
    o->drawn[accesses] = o->c.base + KEY * key;
    o->drawn[accesses + 1] = o->c.base + KEY * last;
    each_order(o, accesses + 1 + o->swaps, left & ~(1u << used));
  }
}

static double mean_of(struct orders *o) {
  o->misses = o->count = 0;
  each_order(o, 0, (1u << o->c.n) - 1);
  return (double)o->misses / (double)o->count;
}

/* What is expected, of all orders of up to seven keys. */
static void test_lemma_2_27_is_below_the_mean_of_all_orders(void) {
  for (int swaps = 0; swaps < 2; swaps++)
    for (size_t policy = 0; policy < POLICIES; policy++)
      for (unsigned k = 1; k < 3; k++)
        for (uint64_t n = 2; n < (check_is_brief() ? 6 : 8); n++) {
          struct orders o = {.c = {.n = n,
                                   .base = KEY,
                                   .tree = {k, 3, 4 - k},
                                   .policy = policies[policy].kind},
                             .policy = policies[policy].name,
                             .swaps = swaps};
          for (o.c.nodes = 5 - k; o.c.nodes < 6; o.c.nodes++)
            CU_ASSERT((swaps ? vat_bounds_permute_closed_lower
                             : vat_bounds_random_scan_closed_lower)(&o.c) <=
                      mean_of(&o) + 1e-9);
        }
}

/* At sizes, too, that nobody would simulate here. */
static void test_lemma_2_27_of_permute_is_counted(void) {
  for (int lg_n = 4; lg_n < 44; lg_n += 8)
    for (unsigned k = 1; k < 12; k += 3)
      for (unsigned p = 3; p < 14; p += 3)
        for (uint64_t nodes = 5; nodes < UINT64_C(1) << 30; nodes *= 3) {
          struct vat_bounds_case c = {
              .n = UINT64_C(1) << lg_n, .tree = {k, p, 1}, .nodes = nodes};
          while (p + k * c.tree.levels < (unsigned)lg_n + 3) c.tree.levels++;
          if (c.nodes <= c.tree.levels || c.tree.levels > VAT_LEVELS_MAX)
            continue;
          double chance =
              vat_bounds_deviation((double)c.n, c.tree.levels + 1.0);
          CU_ASSERT(vat_bounds_permute_closed_lower(&c) <=
                    vat_bounds_permute_lower(&c) * (1 + 1e-9) + chance);
        }
}

static const struct check_test tests[] = {
    {"the corrected Lemma 2.28 bounds any searches",
     test_the_corrected_lemma_2_28_bounds_any_searches},
    {"the strategy of its proof", test_the_strategy_of_its_proof},
    {"the corrected Lemma 2.28 by hand", test_the_corrected_lemma_2_28_by_hand},
    {"other printed forms by hand", test_other_printed_forms_by_hand},
    {"the printed Lemma 2.28 is below a lower bound",
     test_the_printed_lemma_2_28_is_below_a_lower_bound},
    {"the printed lower bound of Lemma 2.28 holds",
     test_the_printed_lower_bound_of_lemma_2_28_holds},
    {"Lemma 2.27 is below the mean of all orders",
     test_lemma_2_27_is_below_the_mean_of_all_orders},
    {"Lemma 2.27 of permute is counted", test_lemma_2_27_of_permute_is_counted},
    {0}};

const struct check_suite suite_closed_forms = {"closed forms", tests, NULL};
