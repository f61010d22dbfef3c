/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many extra cells make up for an initial segment, as a function of W, K
 * and d: the theorems of doc/extra-cells.md about MIN and ISMIN, and about LRU
 * and ISLRU. */
#include <limits.h>
#include <string.h>

#include "tests/vat/isp_game.h"
#include "tests/vat/policy_fixture.h"
#include "tests/vat/suites_vat.h"

/* For LRU beside ISLRU: with W = d + 1, both hold the last path. */
static unsigned extra_of_lru(unsigned children, unsigned levels,
                             unsigned nodes) {
  return nodes == levels + 1 ? 0 : isp_extra_cells(children, levels, nodes);
}

static void test_hand_computed_cases(void) {
  /* K = 2, d = 3: subtrees of 1, 3 and 7 nodes in a tree of 15. */
  static const unsigned binary[] = {2, 2, 2, 2, 2, 2, 2, 2,
                                    1, 1, 1, 1, 0, 0, 0};
  for (unsigned i = 0; i < 15; i++)
    CU_ASSERT_EQUAL(isp_extra_cells(2, 3, i + 2), binary[i]);
  /* K = 4, d = 2: one of 5 nodes in a tree of 21. */
  for (unsigned nodes = 2; nodes < 30; nodes++)
    CU_ASSERT_EQUAL(isp_extra_cells(4, 2, nodes), nodes <= 17);
  for (unsigned nodes = 2; nodes < 9; nodes++)
    CU_ASSERT_EQUAL(isp_extra_cells(5, 1, nodes), 0);
  /* x86-64: the tree is never small. */
  CU_ASSERT_EQUAL(isp_extra_cells(512, 4, 1536), 3);
}

/* The nodes of a tree in the order of LRU or of ISLRU: the last path first. */
struct list {
  unsigned count, nodes[ISP_NODES];
};

static unsigned place(const struct list *list, unsigned node) {
  for (unsigned at = 0; at < list->count; at++)
    if (list->nodes[at] == node) return at;
  return UINT_MAX;
}

/* `pages` from the last to the first.  In LRU's list, a leaf is before its
 * parent.  In ISLRU's, nodes that the same translation used last stand from the
 * root down. */
static struct list list_of(const struct isp_tree *tree, const unsigned *pages,
                           unsigned count, bool root_first) {
  struct list list = {0};
  for (unsigned i = 0; i < count; i++)
    for (unsigned at = 0; at <= tree->levels; at++) {
      unsigned layer = root_first ? tree->levels - at : at;
      unsigned node = isp_tree_node(tree, pages[i], layer);
      if (place(&list, node) == UINT_MAX) list.nodes[list.count++] = node;
    }
  return list;
}

/* ISLRU's TC loses no node that it has not yet come to, so the list at the
 * start says what misses. */
static unsigned islru_misses(const struct isp_tree *tree, struct list list,
                             unsigned page, unsigned cells) {
  unsigned misses = 0;
  for (unsigned layer = 0; layer <= tree->levels; layer++)
    misses += place(&list, isp_tree_node(tree, page, layer)) >= cells;
  return misses;
}

static unsigned lru_misses(const struct isp_tree *tree, struct list list,
                           unsigned page, unsigned cells) {
  unsigned misses = 0;
  for (unsigned layer = tree->levels + 1; layer-- > 0;) {
    unsigned node = isp_tree_node(tree, page, layer);
    unsigned at = place(&list, node);
    misses += at >= cells;
    if (at == UINT_MAX) at = list.count++;
    memmove(list.nodes + 1, list.nodes, at * sizeof *list.nodes);
    list.nodes[0] = node;
  }
  return misses;
}

/* What follows from the pages used, the last first: for every W and page, with
 * the extra cells, LRU misses no more than ISLRU. */
static bool is_enough_now(const struct isp_tree *tree, const unsigned *pages,
                          unsigned count) {
  struct list lru = list_of(tree, pages, count, false);
  struct list islru = list_of(tree, pages, count, true);
  for (unsigned nodes = tree->levels + 1; nodes <= tree->nodes; nodes++) {
    unsigned more = extra_of_lru(tree->children, tree->levels, nodes);
    for (unsigned page = 0; page < tree->pages; page++)
      if (lru_misses(tree, lru, page, nodes + more) >
          islru_misses(tree, islru, page, nodes))
        return false;
  }
  return true;
}

/* All orders of last use, by depth-first search.  Both TCs depend on nothing
 * else, so this is about streams of any length. */
static unsigned count_orders(const struct isp_tree *tree, unsigned *pages,
                             unsigned count, uint64_t *orders) {
  unsigned failed = !is_enough_now(tree, pages, count);
  ++*orders;
  for (unsigned page = 0; page < tree->pages; page++) {
    unsigned at = 0;
    while (at < count && pages[at] != page) at++;
    if (at < count) continue;
    pages[count] = page;
    failed += count_orders(tree, pages, count + 1, orders);
  }
  return failed;
}

static void test_lru_with_extra_cells_on_all_streams(void) {
  static const unsigned trees[][2] = {{2, 1}, {5, 1}, {2, 2}, {2, 3}, {3, 2}};
  for (unsigned i = 0; i < (check_is_brief() ? 4 : 5); i++) {
    struct isp_tree tree;
    unsigned pages[ISP_NODES] = {0}; /* the last is 0, by symmetry */
    uint64_t orders = 0;
    CU_ASSERT_EQUAL_FATAL(isp_tree_init(&tree, trees[i][0], trees[i][1]), 0);
    CU_ASSERT_EQUAL(count_orders(&tree, pages, 1, &orders), 0);
    CU_ASSERT(orders >= tree.pages);
  }
}

/* Pages of a tree with any K <= 8: vat has it as part of one with K = 2^k. */
enum { BITS = 3, LEVELS = 6, STREAM = 4096 };
struct stream {
  unsigned children, levels, pages; /* K, d, K^d */
  size_t count;
  uint64_t page[STREAM];
};

static unsigned power(unsigned base, unsigned to) {
  return to ? base * power(base, to - 1) : 1;
}

static void add_page(struct stream *s, unsigned page) {
  uint64_t number = 0;
  for (unsigned layer = 0; layer < s->levels; layer++, page /= s->children)
    number |= (uint64_t)(page % s->children) << BITS * layer;
  CU_ASSERT_FATAL(s->count < STREAM);
  s->page[s->count++] = number;
}

static uint64_t misses(const struct stream *s, const char *policy,
                       uint64_t nodes) {
  const struct vat_tree tree = {BITS, 0, s->levels};
  struct vat_tc *tc =
      vat_tc_create(vat_policy_find(policy), &tree, nodes, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(tc);
  CU_ASSERT_EQUAL(vat_tc_pages(tc, s->page, s->count), 0);
  CU_ASSERT_EQUAL(vat_tc_finish(tc), 0);
  uint64_t count = vat_tc_counts(tc).misses;
  vat_tc_destroy(tc);
  return count;
}

/* How many nodes of the page's path are not yet in the union; with `add`, they
 * are afterwards. */
static unsigned news(const struct stream *s, unsigned page, bool *in_union,
                     bool add) {
  unsigned count = 0, first = 0; /* nodes of the layers below */
  for (unsigned layer = 0; layer <= s->levels; layer++) {
    unsigned node = first + page / power(s->children, layer);
    count += !in_union[node];
    in_union[node] |= add;
    first += power(s->children, s->levels - layer);
  }
  return count;
}

/* Pages below `end` whose paths have `nodes` nodes together: those that need
 * most nodes first, so that some that need fewer are left. */
static unsigned choose(const struct stream *s, unsigned end, unsigned nodes,
                       bool *chosen) {
  bool in_union[2 * STREAM] = {0};
  unsigned used = 0;
  memset(chosen, 0, STREAM);
  for (unsigned need = s->levels + 1; need > 0; need--)
    for (unsigned page = 0; page < end; page++)
      if (used + need <= nodes && news(s, page, in_union, false) == need) {
        used += news(s, page, in_union, true);
        chosen[page] = true;
      }
  return used;
}

static void add_chosen(struct stream *s, const bool *chosen) {
  for (unsigned page = s->pages; page-- > 0;)
    if (chosen[page]) add_page(s, page);
}

/* The streams of doc/extra-cells.md: `more` - 1 cells are too few. */
static void one_less(unsigned children, unsigned levels, unsigned nodes) {
  struct stream lru = {children, levels, power(children, levels), 0, {0}};
  struct stream min = lru;
  unsigned more = isp_extra_cells(children, levels, nodes);
  unsigned end = lru.pages - power(children, more), x = lru.pages - 1;
  bool chosen[STREAM], whole = nodes == levels + 1;
  unsigned used = whole ? nodes : nodes - 1;
  CU_ASSERT_EQUAL(choose(&min, end, used, chosen), used);
  add_chosen(&min, chosen);
  add_page(&min, x);
  add_chosen(&min, chosen);
  CU_ASSERT_EQUAL(misses(&min, "min", nodes), used + more + 1 + whole);
  CU_ASSERT_EQUAL(misses(&min, "ismin", nodes + more),
                  misses(&min, "min", nodes));
  CU_ASSERT(misses(&min, "ismin", nodes + more - 1) > used + more + 1 + whole);
  if (whole) return;
  add_page(&lru, x);
  add_chosen(&lru, chosen);
  add_page(&lru, x - power(children, more - 1));
  CU_ASSERT_EQUAL(misses(&lru, "lru", nodes + more),
                  misses(&lru, "islru", nodes));
  CU_ASSERT_EQUAL(misses(&lru, "lru", nodes + more - 1),
                  misses(&lru, "islru", nodes) + 1);
}

static void test_with_one_less_a_stream_misses_more(void) {
  random_state = 51;
  for (unsigned children = 2; children <= 5; children++)
    for (unsigned levels = 2; levels <= LEVELS; levels++) {
      if (power(children, levels) > STREAM / 4) continue;
      unsigned step = levels < 4 ? 1 : 1 + power(children, levels) / 16;
      for (unsigned nodes = levels + 1;
           isp_extra_cells(children, levels, nodes);
           nodes += 1 + (unsigned)below(step))
        one_less(children, levels, nodes);
    }
}

/* Streams that stay among few subtrees for a while, at any W of the tree. */
static void test_random_streams(void) {
  random_state = 52;
  for (unsigned i = 0; i < (check_is_brief() ? 200 : 1500); i++) {
    struct stream s = {
        2 + (unsigned)below(3), 2 + (unsigned)below(4), 0, 0, {0}};
    s.pages = power(s.children, s.levels);
    unsigned tree = (s.pages * s.children - 1) / (s.children - 1), page = 0;
    unsigned span = 1 + (unsigned)below(s.pages);
    for (size_t length = 20 + below(400); s.count < length;) {
      page = below(4) ? page - page % span + (unsigned)below(span)
                      : (unsigned)below(s.pages);
      add_page(&s, page % s.pages);
    }
    unsigned nodes = s.levels + 1 + (unsigned)below(tree - s.levels);
    unsigned more = isp_extra_cells(s.children, s.levels, nodes);
    CU_ASSERT(misses(&s, "ismin", nodes + more) <= misses(&s, "min", nodes));
    more = extra_of_lru(s.children, s.levels, nodes);
    CU_ASSERT(misses(&s, "lru", nodes + more) <= misses(&s, "islru", nodes));
  }
}

/* W = d + 1, where an initial segment is the last path and nothing else. */
static void test_plru_needs_one_too(void) {
  struct trace t = trace_of(1, 5, 6, (uint64_t[]){0, 1, 20, 1, 16, 6});
  CU_ASSERT_EQUAL(misses_of(&t, "ismin", 6), 6 + 1 + 5 + 5 + 5 + 5);
  CU_ASSERT_EQUAL(misses_of(&t, "plru", 6), 26);
}

static const struct check_test tests[] = {
    {"extra cells by hand", test_hand_computed_cases},
    {"LRU with extra cells, all streams",
     test_lru_with_extra_cells_on_all_streams},
    {"with one less, a stream misses more",
     test_with_one_less_a_stream_misses_more},
    {"random streams", test_random_streams},
    {"PLRU needs one, too", test_plru_needs_one_too},
    {0}};

const struct check_suite suite_extra_cells = {.name = "extra cells",
                                              .tests = tests};
