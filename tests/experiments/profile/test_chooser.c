/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "cpu_algos/random.h"
#include "experiments/profile/chooser.h"
#include "experiments/profile/leave_out.h"
#include "tests/experiments/suites.h"

enum { MOST = 11, PARTS = 1 << 10, MIB = 1 << 20 };
static struct chooser_part parts[PARTS];

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
    {.bytes = 384, .saving = 0.01},
    {.bytes = 96, .saving = 0.06},
    {.bytes = 192, .saving = 0.4},
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

/* Steps of 2 that are alike. */
static size_t divide(struct chooser_item *item, struct chooser_part *part) {
  item->part = part;
  for (uint64_t bytes = 2; bytes < item->bytes; bytes += 2)
    part[item->parts++] = (struct chooser_part){
        bytes, bytes, item->saving * (double)bytes / (double)item->bytes};
  return item->parts;
}

/* Of what does not fit, as many steps as do; but not to fill a small rest. */
static void test_a_part_of_what_is_too_large(void) {
  struct chooser_item item[3];
  bool chosen[3];
  size_t used = 0;
  for (int i = 0; i < 3; i++) {
    item[i] = tables[i];
    used += divide(&item[i], &parts[used]);
  }
  struct chooser_choice choice = choose(item, 3, 65, chosen);
  CU_ASSERT(chosen[2] && !chosen[1] && !chosen[0]);
  CU_ASSERT(choice.part == 2 && choice.part_bytes == 64 && choice.bytes == 64);
  CU_ASSERT_DOUBLE_EQUAL(choice.saving, 0.4 / 3, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(choice.most, 0.4 / 192 * 65, 1e-12);
  choice = choose(item, 3, 200, chosen);
  CU_ASSERT(chosen[2] && !chosen[1] && !chosen[0]);
  CU_ASSERT(choice.bytes == 192 && !choice.part_bytes);
  /* 30 of 96 save .019, 48 save .03: less and more than a 16th of .4. */
  choice = choose(item, 3, 222, chosen);
  CU_ASSERT(choice.bytes == 192 && !choice.part_bytes);
  choice = choose(item, 3, 240, chosen);
  CU_ASSERT(chosen[2] && chosen[1] && !chosen[0]);
  CU_ASSERT(choice.part == 1 && choice.part_bytes == 48);
  CU_ASSERT_DOUBLE_EQUAL(choice.saving, 0.43, 1e-12);
  item[0] = tables[0];
  item[0].saving = 0.7; /* between both */
  divide(&item[0], parts);
  item[1].parts = 0; /* which were behind them */
  choice = choose(item, 3, 391, chosen);
  CU_ASSERT(chosen[2] && !chosen[1] && chosen[0]);
  CU_ASSERT(choice.part == 0 && choice.part_bytes == 198);
}

/* What is left out is not chosen, but a choice could have it. */
static void test_left_out_is_in_the_bound(void) {
  struct chooser_item items[2] = {tables[1], tables[2]};
  bool chosen[2];
  items[0].left_out = true;
  struct chooser_choice choice = choose(items, 2, 288, chosen);
  CU_ASSERT(chosen[1] && !chosen[0]);
  CU_ASSERT_DOUBLE_EQUAL(choice.saving, 0.4, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(choice.most, 0.46, 1e-12);
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
  static const struct chooser_item items[] = {{.bytes = 2, .saving = 3},
                                              {.bytes = 100, .saving = 99}};
  bool chosen[2];
  struct chooser_choice choice = choose(items, 2, 100, chosen);
  CU_ASSERT(chosen[1] && !chosen[0]);
  CU_ASSERT_EQUAL(choice.saving, 99);
  CU_ASSERT_DOUBLE_EQUAL(choice.most, 3 + 98 * .99, 1e-9);
}

/* Many small blocks need a huge page each, together they share some. */
static void test_heap_as_a_whole(void) {
  struct chooser_item items[12] = {{8, 9, .role = CHOOSER_WHOLE}};
  bool chosen[12];
  for (int i = 1; i < 11; i++)
    items[i] = (struct chooser_item){2, .9, .role = CHOOSER_PART};
  items[11] = (struct chooser_item){2, .1, .role = CHOOSER_APART};
  struct chooser_choice choice = choose(items, 12, 10, chosen);
  CU_ASSERT(chosen[0] && chosen[11]);
  for (int i = 1; i < 11; i++) CU_ASSERT(!chosen[i]);
  CU_ASSERT_EQUAL(choice.bytes, 10);
  CU_ASSERT_DOUBLE_EQUAL(choice.most, 9.1, 1e-9); /* 4.5 of its parts */
  choice = choose(items, 12, 6, chosen);          /* it does not fit */
  CU_ASSERT(!chosen[0] && choice.bytes == 6);
  CU_ASSERT_DOUBLE_EQUAL(choice.saving, 2.7, 1e-9);
}

/* Windows of random units: of each length, the most that one saves. */
static size_t make_parts(struct cpu_random *random, struct chooser_item *item,
                         struct chooser_part *part) {
  uint64_t unit[32], hot = 1 + cpu_random_below(random, 60), all = 0;
  for (uint64_t i = 0; i < item->bytes && i < 32; i++)
    all += unit[i] =
        cpu_random_below(random, cpu_random_below(random, 4) ? 4 : hot);
  item->parts = 0;
  item->part = part;
  if (item->bytes > 32 || cpu_random_below(random, 3)) return 0;
  item->saving = (double)all;
  double before = 0;
  for (uint64_t length = 1; length < item->bytes; length++) {
    double most = 0;
    for (uint64_t from = 0; from + length <= item->bytes; from++) {
      double sum = 0;
      for (uint64_t i = from; i < from + length; i++) sum += (double)unit[i];
      most = fmax(most, sum);
    }
    if (most > before)
      part[item->parts++] = (struct chooser_part){length, length, most};
    before = most;
  }
  return item->parts;
}

static void make(struct cpu_random *random, struct chooser_item *item,
                 size_t items) {
  static const enum chooser_role roles[] = {CHOOSER_APART, CHOOSER_PART,
                                            CHOOSER_PART, CHOOSER_WHOLE};
  uint64_t kinds = 1 + cpu_random_below(random, 4);
  size_t used = 0;
  for (size_t i = 0; i < items; i++) {
    item[i] = (struct chooser_item){0};
    item[i].bytes = 1 + cpu_random_below(random, 1 + (i + 1) * 7);
    item[i].saving = (double)cpu_random_below(random, 30);
    item[i].role = roles[cpu_random_below(random, kinds)];
    if (used + 32 <= PARTS) used += make_parts(random, &item[i], &parts[used]);
  }
}

enum { BUDGETS = 120 };

static double saves(const struct chooser_item *of, uint64_t bytes) {
  double most = 0;
  for (size_t i = 0; i < of->parts && of->part[i].bytes <= bytes; i++)
    most = of->part[i].saving;
  return bytes >= of->bytes ? of->saving : most;
}

/* Of all subsets without parts beside a whole, and with the part of each that
 * saves most: by what each amount of bytes saves at most.  `most_parts`: of so
 * many items, at most. */
static double optimum_without(const struct chooser_item *item, size_t items,
                              uint64_t budget, enum chooser_role without,
                              size_t most_parts) {
  double most[MOST + 1][BUDGETS] = {{0}};
  for (size_t i = 0; i < items; i++) {
    const struct chooser_item *of = &item[i];
    if (of->role == without) continue;
    for (size_t divided = most_parts + 1; divided-- > 0;)
      for (uint64_t all = budget + 1; all-- > 0;)
        for (uint64_t bytes = 1; bytes <= all && bytes <= of->bytes; bytes++) {
          bool whole = bytes == of->bytes;
          if (!whole && !divided) continue;
          double other = most[whole ? divided : divided - 1][all - bytes];
          most[divided][all] =
              fmax(most[divided][all], other + saves(of, bytes));
        }
  }
  return most[most_parts][budget];
}

static double optimum(const struct chooser_item *item, size_t items,
                      uint64_t budget, size_t most_parts) {
  return fmax(optimum_without(item, items, budget, CHOOSER_PART, most_parts),
              optimum_without(item, items, budget, CHOOSER_WHOLE, most_parts));
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
    const struct chooser_part *of = &item[i].part[choice->part_number];
    if (part && (choice->part_number >= item[i].parts ||
                 of->bytes != choice->part_bytes))
      return false;
    bytes += part ? of->bytes : item[i].bytes;
    saving += part ? of->saving : item[i].saving;
    has[item[i].role] = true;
  }
  return bytes == choice->bytes && bytes <= budget &&
         fabs(saving - choice->saving) < 1e-9 &&
         !(has[CHOOSER_PART] && has[CHOOSER_WHOLE]);
}

/* Against all subsets: at least half of the best of whole items, a third of
 * those with one part, and never above the bound, with parts of all. */
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
    double whole = optimum(item, items, budget, 0);
    double part = optimum(item, items, budget, 1);
    double best = optimum(item, items, budget, MOST);
    bool good = is_right(&choice, chosen, item, items, budget) &&
                choice.saving <= part + 1e-9 &&
                choice.saving >= whole / 2 - 1e-9 &&
                choice.saving >= part / 3 - 1e-9 && choice.most >= best - 1e-9;
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

/* Of 150000 items few are looked at if most fit; else each a few times. */
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
  chooser.looks = 0;
  chooser_choose(&chooser, MIB, NULL); /* nothing fits */
  CU_ASSERT(chooser.looks <= 4 * ITEMS);
  chooser_fini(&chooser);
  free(item);
}

/* What saves as much as others is left out with all of them, or not at all. */
static void test_equal_savings_stay(void) {
  enum { MANY = 1000 };
  static struct chooser_item item[MANY];
  for (int i = 0; i < MANY; i++)
    item[i] = (struct chooser_item){.bytes = 1, .saving = 1};
  CU_ASSERT_EQUAL(leave_out(item, MANY, 0), 0);
  for (int i = 0; i < MANY; i++) CU_ASSERT_FATAL(!item[i].left_out);
}

/* By hand: of 100, 0.5 % is less than what the least two save, and 2 are more
 * than the least three; a tenth is less than the least four. The whole is none
 * of them, and stays. */
static void test_least_are_left_out(void) {
  static const struct {
    double noise, left_out;
    int count;
  } rows[] = {{0, 0.25, 1}, {2, 1.75, 3}, {1000, 1.75, 3}};
  static const double saving[] = {0.5, 87, 1, 11.25, 0.25};
  for (size_t row = 0; row < 3; row++) {
    struct chooser_item item[6] = {{0}};
    int count = 0;
    for (int i = 0; i < 5; i++) item[i].saving = saving[i];
    item[5].role = CHOOSER_WHOLE;
    CU_ASSERT_EQUAL(leave_out(item, 6, rows[row].noise), rows[row].left_out);
    for (int i = 0; i < 6; i++) count += item[i].left_out;
    CU_ASSERT_EQUAL(count, rows[row].count);
    CU_ASSERT(!item[1].left_out && !item[3].left_out && !item[5].left_out);
  }
}

static const struct check_test tests[] = {
    {"the hot table first", test_hot_first},
    {"a part of what is too large for the budget",
     test_a_part_of_what_is_too_large},
    {"what is left out is in the bound", test_left_out_is_in_the_bound},
    {"no budget, no items", test_no_budget},
    {"the one that saves most, where it is worth more",
     test_one_that_saves_most},
    {"the heap as a whole instead of its sites", test_heap_as_a_whole},
    {"half of whole items at least, and a bound: against all choices",
     test_against_all_choices},
    {"no larger budget saves less", test_never_less_of_more},
    {"a budget costs few looks, or a few at each item if none fits",
     test_what_it_costs},
    {"equal savings are not left out", test_equal_savings_stay},
    {"the least are left out", test_least_are_left_out},
    {NULL, NULL}};

const struct check_suite suite_chooser = {"chooser", tests, NULL};
