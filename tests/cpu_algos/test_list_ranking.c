/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/list_ranking.h"
#include "cpu_algos/random.h"
#include "tests/cpu_algos/workspace.h"

enum { MOST = 60, ROUNDS = 3000 };

static const char *const names[] = {"list_ranking_seq", "list_ranking_nodes"};

/* The definition: follow the list to its end from each element. */
static int64_t distance(const int64_t *successors, int64_t at) {
  int64_t steps = 0;
  while ((at = successors[at]) >= 0) steps++;
  return steps;
}

static void test_by_hand(void) {
  static const int64_t successors[] = {3, -1, 0, 4, 1};
  static const int64_t expected[] = {3, 0, 4, 2, 1};
  int64_t ranks[5];
  CU_ASSERT_EQUAL(cpu_list_first(successors, 5), 2);
  cpu_list_rank(successors, ranks, 5);
  CU_ASSERT_TRUE(!memcmp(ranks, expected, sizeof ranks));
  struct cpu_list_node nodes[3] = {{&nodes[2], 7}, {NULL, 7}, {&nodes[1], 7}};
  cpu_list_rank_nodes(&nodes[0], 3);
  CU_ASSERT_EQUAL(nodes[0].rank, 2);
  CU_ASSERT_EQUAL(nodes[1].rank, 0);
  CU_ASSERT_EQUAL(nodes[2].rank, 1);
  cpu_list_rank(NULL, NULL, 0);
  cpu_list_rank_nodes(NULL, 0);
}

/* A random list by drawing, each time, one of the elements that are left. */
static void draw(int64_t *successors, uint64_t n, struct cpu_random *random) {
  bool used[MOST] = {false};
  int64_t last = -1;
  for (uint64_t left = n; left > 0; left--) {
    uint64_t pick = cpu_random_below(random, left), i = 0;
    for (; used[i] || pick > 0; i++) pick -= !used[i];
    used[i] = true;
    successors[i] = last;
    last = (int64_t)i;
  }
}

static void expect_answer(const struct algo *algo, const int64_t *successors,
                          uint64_t n) {
  const struct algo_data given = {.count = n, .items = successors};
  struct algo_run run = workspace_open(algo, n, 3);
  struct algo_data ranks;
  run.given = &given;
  CU_ASSERT_PTR_NULL(algo->refuse(&given));
  algo->setup(&run);
  algo->run(&run);
  CU_ASSERT_PTR_NULL(algo->check(&run));
  algo->answer(&run, &ranks);
  CU_ASSERT_EQUAL(ranks.count, n);
  const int64_t *rank = ranks.items;
  for (uint64_t i = 0; i < n; i++)
    CU_ASSERT_EQUAL(rank[i], distance(successors, (int64_t)i));
  CU_ASSERT_PTR_NULL(algo->check(&run)); /* the answer changed nothing */
  CU_ASSERT_TRUE(workspace_guarded(&run));
  workspace_close(&run);
}

static void test_lists_from_outside(void) {
  struct cpu_random random = {5};
  for (unsigned round = 0; round < ROUNDS; round++) {
    int64_t successors[MOST];
    uint64_t n = cpu_random_below(&random, MOST + 1);
    draw(successors, n, &random);
    for (unsigned i = 0; i < 2; i++)
      expect_answer(cpu_algo_find(names[i]), successors, n);
  }
}

static const char *refused(const int64_t *successors, uint64_t n) {
  const struct algo_data given = {.count = n, .items = successors};
  const char *why = cpu_list_refuse(&given);
  return why ? why : "";
}

static void test_refusals(void) {
  CU_ASSERT_STRING_EQUAL(refused(NULL, 0), "");
  CU_ASSERT_STRING_EQUAL(refused((const int64_t[]){-1}, 1), "");
  CU_ASSERT_STRING_EQUAL(refused((const int64_t[]){1, 2, -1}, 3), "");
  CU_ASSERT_STRING_EQUAL(
      refused((const int64_t[]){1, 3, -1}, 3),
      "the successor of element 1 is 3, neither -1 nor one of the 3 elements");
  CU_ASSERT_STRING_EQUAL(
      refused((const int64_t[]){1, -2}, 2),
      "the successor of element 1 is -2, neither -1 nor one of the 2 elements");
  CU_ASSERT_STRING_EQUAL(refused((const int64_t[]){1, -1, 1}, 3),
                         "elements 0 and 2 both have element 1 as successor");
  CU_ASSERT_STRING_EQUAL(
      refused((const int64_t[]){1, -1, -1}, 3),
      "elements 1 and 2 both end a list: there is to be one");
  CU_ASSERT_STRING_EQUAL(refused((const int64_t[]){0}, 1),
                         "element 0 is part of a cycle, which never ends");
  CU_ASSERT_STRING_EQUAL(refused((const int64_t[]){4, 2, 3, 1, -1}, 5),
                         "element 1 is part of a cycle, which never ends");
}

/* Right is what leads from one element through all others to an end. */
static bool is_list(const int64_t *successors, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (successors[i] < -1 || successors[i] >= (int64_t)n) return false;
  for (uint64_t first = 0; first < n; first++) {
    bool seen[MOST] = {false};
    uint64_t count = 0;
    for (int64_t at = (int64_t)first; at >= 0 && !seen[at]; count++) {
      seen[at] = true;
      at = successors[at];
      if (at < 0 && count + 1 == n) return true;
    }
  }
  return !n;
}

/* All the arrays of up to 5 elements. */
static void test_refuses_all_else(void) {
  for (uint64_t n = 0; n <= 5; n++) {
    uint64_t arrays = 1, lists = 0, factorial = 1;
    for (uint64_t i = 0; i < n; i++) arrays *= n + 3;
    for (uint64_t i = 2; i <= n; i++) factorial *= i;
    for (uint64_t number = 0; number < arrays; number++) {
      int64_t successors[5];
      uint64_t digits = number;
      for (uint64_t i = 0; i < n; i++, digits /= n + 3)
        successors[i] = (int64_t)(digits % (n + 3)) - 2;
      bool right = is_list(successors, n);
      CU_ASSERT_EQUAL(!*refused(successors, n), right);
      lists += right;
    }
    CU_ASSERT_EQUAL(lists, factorial);
  }
}

struct purse {
  struct cpu_list_node nodes[MOST];
  uint64_t spent, most;
};

static void *spend(void *context, size_t bytes) {
  struct purse *purse = context;
  CU_ASSERT_EQUAL(bytes, sizeof *purse->nodes);
  return purse->spent < purse->most ? &purse->nodes[purse->spent++] : NULL;
}

static void test_nodes_come_from_the_allocator(void) {
  const struct algo *algo = cpu_algo_find("list_ranking_nodes");
  for (uint64_t most = 0; most <= MOST; most++) {
    static struct purse purse;
    purse = (struct purse){.most = most};
    const struct algo_allocator allocator = {spend, NULL, &purse};
    struct algo_run run = workspace_open(algo, MOST, 3);
    run.allocator = &allocator;
    algo->setup(&run);
    algo->run(&run);
    CU_ASSERT_EQUAL(purse.spent, most);
    CU_ASSERT_EQUAL(!algo->check(&run), most == MOST);
    uint64_t sum = 0;
    for (unsigned i = 0; i < MOST; i++) sum += (uint64_t)purse.nodes[i].rank;
    CU_ASSERT_TRUE(most < MOST || sum == MOST * (MOST - 1) / 2);
    algo->restore(&run);
    CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
    workspace_close(&run);
  }
}

/* 24 orders of four elements, 1000 expected each, standard deviation 31. */
static void test_orders_are_even(void) {
  unsigned count[256] = {0}, orders = 0;
  for (uint64_t seed = 0; seed < 24000; seed++) {
    uint64_t order[4];
    struct algo_run run = {.n = 4, .seed = seed};
    cpu_list_order(&run, order);
    count[order[0] * 64 + order[1] * 16 + order[2] * 4 + order[3]]++;
  }
  for (unsigned i = 0; i < 256; i++) {
    orders += count[i] > 0;
    CU_ASSERT_TRUE(!count[i] || (count[i] > 850 && count[i] < 1150));
  }
  CU_ASSERT_EQUAL(orders, 24);
}

static const struct check_test tests[] = {
    {"ranks are distances to the end, by hand", test_by_hand},
    {"lists from outside are ranked", test_lists_from_outside},
    {"what is no list is refused, with the element", test_refusals},
    {"all else but lists is refused", test_refuses_all_else},
    {"nodes come from the allocator, or the answer is wrong",
     test_nodes_come_from_the_allocator},
    {"every order is as likely", test_orders_are_even},
    {NULL, NULL},
};
extern const struct check_suite suite_list_ranking;
const struct check_suite suite_list_ranking = {"list ranking", tests, NULL};
