/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "cpu_algos/random.h"
#include "experiments/profile/chooser.h"
#include "tests/experiments/suites.h"

enum { MOST = 11, MIB = 1 << 20 };

static struct chooser_choice choose(const struct chooser_item *item,
                                    size_t items, uint64_t budget,
                                    bool *chosen) {
  struct chooser chooser;
  chooser_init(&chooser, item, items);
  struct chooser_choice choice = chooser_choose(&chooser, budget, chosen);
  chooser_fini(&chooser);
  return choice;
}

/* The hot table of 192 MiB, the warm one of 96, the cold one of 384. */
static const struct chooser_item tables[] = {
    {384, 0.01, CHOOSER_APART, 0},
    {96, 0.06, CHOOSER_APART, 0},
    {192, 0.4, CHOOSER_APART, 0},
};

static void test_hot_first(void) {
  bool chosen[3];
  struct chooser_choice choice = choose(tables, 3, 200, chosen);
  CU_ASSERT(chosen[2] && !chosen[1] && !chosen[0]);
  CU_ASSERT_EQUAL(choice.bytes, 192);
  CU_ASSERT_DOUBLE_EQUAL(choice.saving, 0.4, 1e-12);
  /* All of the hot one and 8 of 96 of the warm one. */
  CU_ASSERT_DOUBLE_EQUAL(choice.most, 0.405, 1e-12);
  choice = choose(tables, 3, 100, chosen);
  CU_ASSERT(!chosen[2] && chosen[1] && !chosen[0]);
  choice = choose(tables, 3, UINT64_MAX, chosen);
  CU_ASSERT_EQUAL(choice.bytes, 672);
  CU_ASSERT_DOUBLE_EQUAL(choice.most, choice.saving, 1e-12);
}

/* Of what does not fit, as many steps as do; but not to fill a small rest. */
static void test_a_part_of_what_is_too_large(void) {
  struct chooser_item item[3];
  bool chosen[3];
  for (int i = 0; i < 3; i++) {
    item[i] = tables[i];
    item[i].step = 2;
  }
  struct chooser_choice choice = choose(item, 3, 65, chosen);
  CU_ASSERT(chosen[2] && !chosen[1] && !chosen[0]);
  CU_ASSERT(choice.part == 2 && choice.part_bytes == 64 && choice.bytes == 64);
  CU_ASSERT_DOUBLE_EQUAL(choice.saving, 0.4 / 3, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(choice.most, 0.4 / 192 * 65, 1e-12);
  choice = choose(item, 3, 200, chosen);
  CU_ASSERT(chosen[2] && !chosen[1] && !chosen[0]);
  CU_ASSERT(choice.bytes == 192 && !choice.part_bytes);
  item[0].saving = 0.7; /* between both */
  choice = choose(item, 3, 391, chosen);
  CU_ASSERT(chosen[2] && !chosen[1] && chosen[0]);
  CU_ASSERT(choice.part == 0 && choice.part_bytes == 198);
}

static void test_no_budget(void) {
  bool chosen[3] = {true, true, true};
  struct chooser_choice choice = choose(tables, 3, 0, chosen);
  CU_ASSERT_EQUAL(choice.bytes, 0);
  CU_ASSERT_EQUAL(choice.saving, 0);
  CU_ASSERT_EQUAL(choice.most, 0);
  CU_ASSERT(!chosen[0] && !chosen[1] && !chosen[2]);
  choice = choose(tables, 0, 100, chosen);
  CU_ASSERT_EQUAL(choice.bytes, 0);
}

/* By saving per byte, the small one comes first, and then the large one does
 * not fit. */
static void test_one_that_saves_most(void) {
  static const struct chooser_item items[] = {{2, 3, CHOOSER_APART, 0},
                                              {100, 99, CHOOSER_APART, 0}};
  bool chosen[2];
  struct chooser_choice choice = choose(items, 2, 100, chosen);
  CU_ASSERT(chosen[1] && !chosen[0]);
  CU_ASSERT_EQUAL(choice.saving, 99);
  CU_ASSERT_DOUBLE_EQUAL(choice.most, 3 + 98 * .99, 1e-9);
}

/* Many small blocks need a huge page each, together they share some. */
static void test_heap_as_a_whole(void) {
  struct chooser_item items[12] = {{8, 9, CHOOSER_WHOLE, 0}};
  bool chosen[12];
  for (int i = 1; i < 11; i++)
    items[i] = (struct chooser_item){2, .9, CHOOSER_PART, 0};
  items[11] = (struct chooser_item){2, .1, CHOOSER_APART, 0};
  struct chooser_choice choice = choose(items, 12, 10, chosen);
  CU_ASSERT(chosen[0] && chosen[11]);
  for (int i = 1; i < 11; i++) CU_ASSERT(!chosen[i]);
  CU_ASSERT_EQUAL(choice.bytes, 10);
  CU_ASSERT_DOUBLE_EQUAL(choice.most, 9.1, 1e-9); /* 4.5 of its parts */
  choice = choose(items, 12, 6, chosen);          /* it does not fit */
  CU_ASSERT(!chosen[0] && choice.bytes == 6);
  CU_ASSERT_DOUBLE_EQUAL(choice.saving, 2.7, 1e-9);
}

static void make(struct cpu_random *random, struct chooser_item *item,
                 size_t items) {
  static const enum chooser_role roles[] = {CHOOSER_APART, CHOOSER_PART,
                                            CHOOSER_PART, CHOOSER_WHOLE};
  uint64_t kinds = 1 + cpu_random_below(random, 4);
  for (size_t i = 0; i < items; i++) {
    item[i].bytes = 1 + cpu_random_below(random, 1 + (i + 1) * 7);
    item[i].saving = (double)cpu_random_below(random, 30);
    item[i].role = roles[cpu_random_below(random, kinds)];
    item[i].step = cpu_random_below(random, 3)
                       ? 0
                       : 1 + cpu_random_below(random, item[i].bytes);
  }
}

/* Of all subsets without parts beside a whole, with all parts of what can be
 * divided: by what each amount of bytes saves at most. */
enum { BUDGETS = 120 };

static double optimum_without(const struct chooser_item *item, size_t items,
                              uint64_t budget, enum chooser_role without) {
  double most[BUDGETS] = {0};
  for (size_t i = 0; i < items; i++) {
    const struct chooser_item *of = &item[i];
    if (of->role == without) continue;
    for (uint64_t all = budget + 1; all-- > 0;)
      for (uint64_t bytes = 1; bytes <= all && bytes <= of->bytes; bytes++)
        if (bytes == of->bytes || (of->step && bytes % of->step == 0))
          most[all] =
              fmax(most[all], most[all - bytes] + of->saving * (double)bytes /
                                                      (double)of->bytes);
  }
  return most[budget];
}

static double optimum(const struct chooser_item *item, size_t items,
                      uint64_t budget) {
  return fmax(optimum_without(item, items, budget, CHOOSER_PART),
              optimum_without(item, items, budget, CHOOSER_WHOLE));
}

static bool is_right(const struct chooser_choice *choice, const bool *chosen,
                     const struct chooser_item *item, size_t items,
                     uint64_t budget) {
  uint64_t bytes = 0;
  double saving = 0;
  bool has[3] = {false};
  for (size_t i = 0; i < items; i++) {
    if (!chosen[i]) continue;
    bool part = choice->part_bytes && choice->part == i;
    uint64_t of_it = part ? choice->part_bytes : item[i].bytes;
    if (part && (of_it % item[i].step || item[i].bytes <= of_it)) return false;
    bytes += of_it;
    saving += item[i].saving * (double)of_it / (double)item[i].bytes;
    has[item[i].role] = true;
  }
  return bytes == choice->bytes && bytes <= budget &&
         fabs(saving - choice->saving) < 1e-9 &&
         !(has[CHOOSER_PART] && has[CHOOSER_WHOLE]);
}

/* Against all subsets: at least half of the best, which is never above the
 * bound. */
static void test_against_all_choices(void) {
  struct cpu_random random = {.state = 5};
  double worst = 1;
  for (int round = 0; round < 3000; round++) {
    struct chooser_item item[MOST];
    bool chosen[MOST];
    size_t items = 1 + cpu_random_below(&random, MOST);
    make(&random, item, items);
    uint64_t budget = cpu_random_below(&random, BUDGETS);
    struct chooser_choice choice = choose(item, items, budget, chosen);
    double best = optimum(item, items, budget);
    bool good = is_right(&choice, chosen, item, items, budget) &&
                choice.saving <= best + 1e-9 &&
                choice.saving >= best / 2 - 1e-9 && choice.most >= best - 1e-9;
    if (!good)
      printf("\nround %d: %g, best %g, bound %g\n", round, choice.saving, best,
             choice.most);
    CU_ASSERT_FATAL(good);
    if (best > 0) worst = fmin(worst, choice.saving / best);
  }
  CU_ASSERT(worst < 1); /* the instances are not all easy */
}

/* Each by itself: a curve is of plans. */
static void test_never_less_of_more(void) {
  enum { MANY = 200 };
  struct cpu_random random = {.state = 6};
  for (int round = 0; round < 2000; round++) {
    static struct chooser_item item[MANY];
    static bool chosen[MANY];
    struct chooser chooser;
    double before = 0;
    size_t items = 1 + cpu_random_below(&random, round % 8 ? MOST : MANY);
    uint64_t step = 1 + items / 16;
    make(&random, item, items);
    chooser_init(&chooser, item, items);
    for (uint64_t budget = 0; budget < 150 * step; budget += step) {
      struct chooser_choice choice = chooser_choose(&chooser, budget, chosen);
      CU_ASSERT_FATAL(is_right(&choice, chosen, item, items, budget));
      CU_ASSERT_FATAL(choice.saving >= before - 1e-9);
      before = choice.saving;
    }
    chooser_fini(&chooser);
  }
}

/* Of 150000 items few are looked at. */
static void test_what_it_costs(void) {
  enum { ITEMS = 150000 };
  struct cpu_random random = {.state = 7};
  struct chooser_item *item = calloc(ITEMS, sizeof *item);
  struct chooser chooser;
  if (!item) abort();
  for (size_t i = 0; i < ITEMS; i++) {
    item[i].bytes = 2 * MIB * (1 + cpu_random_below(&random, 4));
    item[i].saving = (double)cpu_random_below(&random, 1 << 20);
    item[i].role = (enum chooser_role)cpu_random_below(&random, 2);
  }
  chooser_init(&chooser, item, ITEMS);
  struct chooser_choice choice =
      chooser_choose(&chooser, UINT64_C(100) << 30, NULL);
  CU_ASSERT(choice.saving > 0.9999 * choice.most);
  CU_ASSERT(chooser.looks <= ITEMS / 10);
  chooser_fini(&chooser);
  free(item);
}

static const struct check_test tests[] = {
    {"the hot table first", test_hot_first},
    {"a part of what is too large for the budget",
     test_a_part_of_what_is_too_large},
    {"no budget, no items", test_no_budget},
    {"the one that saves most, where it is worth more",
     test_one_that_saves_most},
    {"the heap as a whole instead of its sites", test_heap_as_a_whole},
    {"half of the best at least, and a bound: against all choices",
     test_against_all_choices},
    {"no larger budget saves less", test_never_less_of_more},
    {"a budget does not cost a look at each item", test_what_it_costs},
    {NULL, NULL}};

const struct check_suite suite_chooser = {"chooser", tests, NULL};
