/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conjecture 2.26 on small trees, for all streams: how many extra cells a
 * policy needs, and that none needs more than the theorem of doc/extra-cells.md
 * says.  `make check-isp` has more of them. */
#include <string.h>

#include "tests/vat/isp_game.h"
#include "tests/vat/policy_fixture.h"
#include "tests/vat/suites_vat.h"

struct case_of {
  unsigned children, levels, nodes;
  const char *rival;
  unsigned more; /* the fewest cells that are enough */
};

static const struct case_of cases[] = {
    {2, 2, 3, "lru", 0},   {2, 2, 4, "lru", 0},
    {2, 2, 5, "lru", 0},   {2, 2, 3, "fifo", 0},
    {2, 2, 4, "fifo", 1},  {2, 2, 5, "fifo", 1},
    {2, 2, 6, "fifo", 0},  {2, 2, 4, "clock", 1},
    {2, 2, 5, "clock", 1}, {2, 2, 4, "plru", 0},
    {2, 3, 4, "lru", 0},   {2, 3, 4, "fifo", 0},
    {2, 3, 5, "fifo", 1},  {0}};

/* `more` cells are enough, and one less is not. */
static void check_case(const struct case_of *c) {
  const struct isp_rival *rival = isp_rival_find(c->rival);
  unsigned least = c->more ? c->more - 1 : 0;
  struct isp_tree tree;
  struct isp_answer answer = {0};
  CU_ASSERT_EQUAL_FATAL(isp_tree_init(&tree, c->children, c->levels), 0);
  for (unsigned more = least; more <= c->more; more++) {
    CU_ASSERT_EQUAL(isp_game(&tree, rival, c->nodes, more, &answer), 0);
    CU_ASSERT_EQUAL(answer.wins, more == c->more);
  }
  if (!answer.wins)
    printf("K=%u d=%u W=%u %s\n", c->children, c->levels, c->nodes, c->rival);
}

static void test_the_fewest_extra_cells(void) {
  for (const struct case_of *c = cases; c->children; c++) check_case(c);
}

/* `any` stands for all rivals; `lifo` is as hard to follow as any other. */
static void test_any_and_lifo_need_what_the_theorem_says(void) {
  static const unsigned ranges[][4] = {{2, 1, 2, 4}, {2, 2, 2, 8},
                                       {3, 2, 2, 4}, {3, 2, 9, 11},
                                       {2, 3, 2, 4}, {2, 3, 12, 14}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    for (unsigned nodes = ranges[i][2]; nodes <= ranges[i][3]; nodes++) {
      unsigned more = isp_extra_cells(ranges[i][0], ranges[i][1], nodes);
      struct case_of c = {ranges[i][0], ranges[i][1], nodes, "lifo", more};
      check_case(&c);
      c.rival = "any";
      check_case(&c);
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
    {"any and lifo need what the theorem says",
     test_any_and_lifo_need_what_the_theorem_says},
    {"rivals are the policies of vat", test_rivals_are_the_policies_of_vat},
    {0}};

const struct check_suite suite_isp_game = {.name = "ISP: game", .tests = tests};
