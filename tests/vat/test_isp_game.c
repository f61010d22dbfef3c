/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conjecture 2.26 on small trees, for all streams; `make check-isp` has more
 * of them. */
#include <string.h>

#include "tests/vat/isp_game.h"
#include "tests/vat/policy_fixture.h"
#include "tests/vat/suites_vat.h"

struct case_of {
  unsigned children, levels, nodes;
  const char *rival;
  unsigned more; /* the fewest cells that are enough */
};

/* W = d + 1: pages 0, x, 0 cost LIFO what they cost MIN, d + 2 + d misses. */
static const struct case_of cases[] = {{2, 1, 2, "any", 0},
                                       {2, 1, 3, "any", 0},
                                       {2, 2, 3, "lru", 0},
                                       {2, 2, 4, "lru", 0},
                                       {2, 2, 5, "lru", 0},
                                       {2, 2, 3, "fifo", 0},
                                       {2, 2, 4, "fifo", 1},
                                       {2, 2, 5, "fifo", 1},
                                       {2, 2, 6, "fifo", 0},
                                       {2, 2, 4, "clock", 1},
                                       {2, 2, 5, "clock", 1},
                                       {2, 2, 4, "plru", 0},
                                       {2, 2, 3, "lifo", 1},
                                       {2, 2, 3, "any", 1},
                                       {2, 2, 4, "any", 1},
                                       {2, 2, 5, "any", 1},
                                       {2, 2, 6, "any", 0},
                                       {3, 2, 3, "any", 1},
                                       {2, 3, 4, "lru", 0},
                                       {2, 3, 4, "fifo", 0},
                                       {2, 3, 4, "lifo", 2},
                                       {2, 3, 5, "fifo", 1},
                                       {0}};

static void test_the_fewest_extra_cells(void) {
  for (const struct case_of *c = cases; c->children; c++) {
    struct isp_tree tree;
    struct isp_answer answer = {0};
    CU_ASSERT_EQUAL_FATAL(isp_tree_init(&tree, c->children, c->levels), 0);
    for (unsigned more = 0; more <= c->more; more++) {
      CU_ASSERT_EQUAL(
          isp_game(&tree, isp_rival_find(c->rival), c->nodes, more, &answer),
          0);
      CU_ASSERT_EQUAL(answer.wins, more == c->more);
    }
    if (!answer.wins)
      printf("K=%u d=%u W=%u %s\n", c->children, c->levels, c->nodes, c->rival);
  }
}

/* Of all segments none is worse for its rival than one with more cells. */
static void test_no_rival_needs_more_than_d_minus_1(void) {
  for (const struct isp_rival *rival = isp_rivals; rival->name; rival++)
    for (unsigned nodes = 3; nodes <= 7; nodes++) {
      struct isp_tree tree;
      struct isp_answer answer;
      CU_ASSERT_EQUAL_FATAL(isp_tree_init(&tree, 2, 2), 0);
      CU_ASSERT_EQUAL(isp_game(&tree, rival, nodes, 1, &answer), 0);
      CU_ASSERT(answer.wins);
    }
}

/* In misses, on random streams. */
static void test_rivals_are_the_policies_of_vat(void) {
  static const char *const names[] = {"lru", "fifo", "clock", "plru"};
  random_state = 43;
  for (unsigned i = 0; i < 400; i++) {
    const struct isp_rival *rival = isp_rival_find(names[i % 4]);
    struct isp_state state, next[ISP_CELLS];
    struct isp_tree tree;
    struct trace t = {.tree = {1, 0, 1 + (unsigned)below(4)}, .count = PAGES};
    unsigned nodes = 1 + (unsigned)below(9);
    uint64_t misses = 0;
    memset(&state, 0, sizeof state);
    CU_ASSERT_EQUAL_FATAL(isp_tree_init(&tree, 2, t.tree.levels), 0);
    for (size_t at = 0; at < t.count; at++) {
      t.pages[at] = below(tree.pages);
      for (unsigned layer = tree.levels + 1; layer-- > 0;) {
        unsigned node = isp_tree_node(&tree, (unsigned)t.pages[at], layer);
        misses += !isp_state_has(&state, node);
        CU_ASSERT_EQUAL(rival->access(&state, nodes, node, next), 1);
        state = *next;
      }
    }
    CU_ASSERT_EQUAL(misses, misses_of(&t, rival->name, nodes));
  }
}

static const struct check_test tests[] = {
    {"the fewest extra cells", test_the_fewest_extra_cells},
    {"no rival needs more than d - 1", test_no_rival_needs_more_than_d_minus_1},
    {"rivals are the policies of vat", test_rivals_are_the_policies_of_vat},
    {0}};

const struct check_suite suite_isp_game = {.name = "ISP: game", .tests = tests};
