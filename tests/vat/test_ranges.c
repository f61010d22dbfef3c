/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of cells and the nodes above them: Propositions 2.30 and 2.31 of
 * Jurkiewicz, PhD thesis, section 2.4, over all small ranges. */
#include <math.h>
#include <string.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/suites_vat.h"

static const char *const policies[] = {"lru", "islru", "min", "ismin", NULL};

/* A range of cells, P of them a page. */
struct range {
  struct vat_tree tree;
  uint64_t first, n;
};

/* The nodes of a layer above some of the cells of a range, as bits from 0 on.
 */
static uint64_t nodes_above(const struct range *r, uint64_t cells,
                            unsigned layer) {
  uint64_t nodes = 0;
  for (uint64_t i = 0; i < r->n; i++)
    if (cells >> i & 1)
      nodes |= UINT64_C(1) << vat_tree_node(
                   &r->tree, (r->first + i) >> r->tree.page_bits, layer);
  return nodes;
}

static unsigned size_of(uint64_t set) {
  return (unsigned)__builtin_popcountll(set);
}

/* Definition 2.29: those that are not on the path to either end. */
static uint64_t inner_above(const struct range *r, uint64_t cells,
                            unsigned layer) {
  uint64_t ends = 1 | UINT64_C(1) << (r->n - 1);
  return nodes_above(r, cells, layer) & ~nodes_above(r, ends, layer);
}

static double span_of(const struct range *r, unsigned layer) {
  return ldexp(1, (int)(r->tree.page_bits + layer * r->tree.index_bits));
}

typedef void check_range(const struct range *r);

static void all_ranges(uint64_t most, check_range *check) {
  for (unsigned k = 1; k < 3; k++)
    for (unsigned p = 0; p < 2; p++)
      for (uint64_t n = 1; n <= most; n++)
        for (uint64_t first = 0; first + n <= 32; first += 3)
          check(&(struct range){{k, p, k == 1 ? 5 : 3}, first, n});
}

static void check_2_31(const struct range *r) {
  unsigned d = r->tree.levels;
  double n = (double)r->n;
  for (uint64_t cells = 0; cells < UINT64_C(1) << r->n; cells++) {
    unsigned inner = 0;
    for (unsigned i = 0; i <= d; i++)
      inner += size_of(inner_above(r, cells, i));
    for (unsigned l = 0; l <= d; l++)
      CU_ASSERT(inner <= size_of(cells) * l + 2 * n / span_of(r, l));
  }
  for (unsigned l = 0; l <= d; l++) {
    uint64_t cells = 0;
    unsigned nodes = 0;
    for (double at = 0; at < n; at += span_of(r, l))
      cells |= UINT64_C(1) << (unsigned)at;
    for (unsigned i = 0; i <= d; i++)
      nodes += size_of(nodes_above(r, cells, i));
    CU_ASSERT_EQUAL(size_of(cells), (unsigned)ceil(n / span_of(r, l)));
    CU_ASSERT(nodes >= size_of(cells) * (l + 1) + d - l);
  }
}

static void test_proposition_2_31(void) { all_ranges(10, check_2_31); }

static void shuffle(struct trace *t) {
  for (size_t i = t->count; i > 1; i--) {
    size_t j = below(i);
    uint64_t page = t->pages[j];
    t->pages[j] = t->pages[i - 1];
    t->pages[i - 1] = page;
  }
}

/* Downwards each node is missed once; in any order, at least once. */
static void check_misses(const struct range *r) {
  uint64_t all = (UINT64_C(1) << r->n) - 1;
  unsigned d = r->tree.levels;
  struct trace down = {.tree = {r->tree.index_bits, 0, d}}, any;
  for (uint64_t i = r->n; i-- > 0;)
    down.pages[down.count++] = (r->first + i) >> r->tree.page_bits;
  any = down;
  shuffle(&any);
  for (const char *const *p = policies; *p; p++) {
    const struct vat_policy *policy = vat_policy_find(*p);
    struct vat_tc_counts once = counts_of(&down, policy, d + 1);
    struct vat_tc_counts most = counts_of(&any, policy, d + 1);
    for (unsigned i = 0; i <= d; i++) {
      unsigned nodes = size_of(nodes_above(r, all, i));
      CU_ASSERT_EQUAL(once.misses_by_layer[i], nodes);
      CU_ASSERT(most.misses_by_layer[i] >= nodes);
    }
  }
}

/* The layers that have other nodes than those of the extremal paths, whose
 * cells Proposition 2.30 dedicates: log_K(n / P) at most, rounded up. */
static unsigned more_than_rounded_down;

static void check_2_30(const struct range *r) {
  double lg = log2((double)r->n / span_of(r, 0)) / r->tree.index_bits;
  unsigned layers = 0;
  for (unsigned i = 0; i <= r->tree.levels; i++)
    layers += inner_above(r, (UINT64_C(1) << r->n) - 1, i) != 0;
  CU_ASSERT(layers <= fmax(0, ceil(lg)));
  more_than_rounded_down += layers > fmax(0, floor(lg));
  check_misses(r);
}

/* Rounded down, as where sifts are analysed, it is too few. */
static void test_proposition_2_30(void) {
  random_state = 230;
  more_than_rounded_down = 0;
  all_ranges(31, check_2_30);
  CU_ASSERT(more_than_rounded_down > 0);
}

static const struct check_test tests[] = {
    {"Proposition 2.30", test_proposition_2_30},
    {"Proposition 2.31", test_proposition_2_31},
    {0}};

const struct check_suite suite_ranges = {"ranges", tests, NULL};
