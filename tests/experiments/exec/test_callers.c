/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How vat exec learns who called who allocates: on stacks that are made up. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/exec/site.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

/* As site_callers.c reads it: the word behind `frame` is the return address of
 * the call that allocates. */
struct stack {
  _Alignas(4096) uintptr_t word[512];
};

static const void *below(const uintptr_t *word) {
  return (const void *)((uintptr_t)word - sizeof(void *));
}

static const void *frame_of(const struct stack *stack) {
  return below(stack->word);
}

/* The return addresses, which lie at these words of the stack. */
static struct site_frames lay(struct stack *stack, unsigned count,
                              const uintptr_t *back, const unsigned *word) {
  struct site_frames frames = {.count = count};
  memset(stack, 0, sizeof *stack);
  for (unsigned i = 0; i < count; i++) {
    stack->word[word[i]] = frames.back[i] = back[i];
    frames.at[i] = (uintptr_t)&stack->word[word[i]];
  }
  return frames;
}

static bool learn(const void *call, struct site_above *above,
                  const struct site_frames *frames,
                  const struct site_some *rules) {
  const struct site_some **place =
      site_callers_place(call, above, frames, frames->count);
  if (place) *place = rules;
  return place != NULL;
}

#if defined __x86_64__
static struct stack stack, other;
static const struct site_some some[3];

/* Two chains that differ in the third call only. */
static void test_chains_are_told_apart_by_the_last_call(void) {
  const uintptr_t hot[] = {1, 20, 31}, cold[] = {1, 20, 32},
                  new[] = {1, 21, 31};
  const unsigned word[] = {0, 3, 9};
  static struct site_above above;
  struct site_frames frames = lay(&stack, 3, hot, word);
  CU_ASSERT_PTR_NULL(site_callers(&above, &above, frame_of(&stack)));
  CU_ASSERT(learn(&above, &above, &frames, &some[0]));
  CU_ASSERT_PTR_EQUAL(site_callers(&above, &above, frame_of(&stack)), &some[0]);
  CU_ASSERT(!learn(&above, &above, &frames, &some[1])); /* it is there */
  frames = lay(&stack, 3, cold, word);
  CU_ASSERT_PTR_NULL(site_callers(&above, &above, frame_of(&stack)));
  CU_ASSERT(learn(&above, &above, &frames, &some[1]));
  CU_ASSERT_PTR_EQUAL(site_callers(&above, &above, frame_of(&stack)), &some[1]);
  lay(&stack, 3, hot, word);
  CU_ASSERT_PTR_EQUAL(site_callers(&above, &above, frame_of(&stack)), &some[0]);
  lay(&stack, 3, new, word);
  CU_ASSERT_PTR_NULL(site_callers(&above, &above, frame_of(&stack)));
}

/* The same callers of another call decide something else. */
static void test_calls_have_callers_of_their_own(void) {
  const uintptr_t back[] = {1, 20};
  const unsigned word[] = {0, 5};
  static struct site_above one, two;
  struct site_frames frames = lay(&stack, 2, back, word);
  CU_ASSERT(learn(&one, &one, &frames, &some[0]));
  CU_ASSERT(learn(&two, &two, &frames, &some[1]));
  CU_ASSERT_PTR_EQUAL(site_callers(&one, &one, frame_of(&stack)), &some[0]);
  CU_ASSERT_PTR_EQUAL(site_callers(&two, &two, frame_of(&stack)), &some[1]);
}

/* A function that aligns its stack has frames of two sizes. */
static void test_frames_of_two_sizes_are_known(void) {
  const uintptr_t back[] = {1, 20, 30};
  const unsigned narrow[] = {0, 4, 9}, wide[] = {0, 6, 11},
                 third[] = {0, 8, 13};
  static struct site_above above;
  struct site_frames frames = lay(&stack, 3, back, narrow);
  CU_ASSERT(learn(&above, &above, &frames, &some[0]));
  frames = lay(&stack, 3, back, wide);
  CU_ASSERT_PTR_NULL(site_callers(&above, &above, frame_of(&stack)));
  CU_ASSERT(!learn(&above, &above, &frames, &some[0]));
  CU_ASSERT_PTR_EQUAL(site_callers(&above, &above, frame_of(&stack)), &some[0]);
  lay(&stack, 3, back, narrow);
  CU_ASSERT_PTR_EQUAL(site_callers(&above, &above, frame_of(&stack)), &some[0]);
  /* Of more than two, the last that was seen is known. */
  frames = lay(&stack, 3, back, third);
  learn(&above, &above, &frames, &some[0]);
  CU_ASSERT_PTR_EQUAL(site_callers(&above, &above, frame_of(&stack)), &some[0]);
}

/* What may not be there is not read, until it was seen on this stack. */
static void test_other_pages_of_the_stack_are_read_once_seen(void) {
  static struct { struct stack low, high; } both;
  const uintptr_t back[] = {1, 20};
  static struct site_above above;
  const unsigned near[] = {0, 7};
  struct site_frames frames = lay(&both.high, 2, back, near);
  CU_ASSERT(learn(&above, &above, &frames, &some[0]));
  static struct site_above elsewhere;
  frames = lay(&stack, 2, back, near);
  CU_ASSERT(learn(&elsewhere, &elsewhere, &frames, &some[1]));
  /* The caller at the same distance, but in the next page. */
  memset(&both, 0, sizeof both);
  both.low.word[508] = 1;
  both.high.word[3] = 20;
  const void *frame = below(&both.low.word[508]);
  CU_ASSERT_PTR_NULL(site_callers(&above, &above, frame));
  frames.at[0] = (uintptr_t)&both.low.word[508];
  frames.at[1] = (uintptr_t)&both.high.word[3];
  learn(&above, &above, &frames, &some[0]);
  CU_ASSERT_PTR_EQUAL(site_callers(&above, &above, frame), &some[0]);
}

/* Frames without a return address where it should be are not learnt. */
static void test_what_is_not_on_the_stack_is_not_learnt(void) {
  const uintptr_t back[] = {1, 20};
  const unsigned word[] = {0, 5};
  static struct site_above above;
  struct site_frames frames = lay(&stack, 2, back, word);
  stack.word[5] = 21;
  CU_ASSERT(!learn(&above, &above, &frames, &some[0]));
  frames.count = 1;
  CU_ASSERT_PTR_NULL(site_callers_place(&above, &above, &frames, 2));
}

/* A table that is full takes no more, and keeps what it has. */
static void test_a_full_table_keeps_what_it_has(void) {
  const unsigned word[] = {0, 5};
  static struct site_above above;
  unsigned learnt = 0, found = 0;
  enum { MANY = 1 << 15 };
  for (unsigned i = 0; i < MANY; i++) {
    const uintptr_t back[] = {1, 1000 + i};
    struct site_frames frames = lay(&other, 2, back, word);
    learnt += learn(&above, &above, &frames, &some[i % 3]);
  }
  for (unsigned i = 0; i < MANY; i++) {
    const uintptr_t back[] = {1, 1000 + i};
    lay(&other, 2, back, word);
    const struct site_some *rules =
        site_callers(&above, &above, frame_of(&other));
    if (rules) CU_ASSERT_PTR_EQUAL(rules, &some[i % 3]);
    found += rules != NULL;
  }
  CU_ASSERT(learnt >= 4096 && learnt < MANY);
  CU_ASSERT_EQUAL(found, learnt);
}

static const struct check_test tests[] = {
    {"chains are told apart by the last call",
     test_chains_are_told_apart_by_the_last_call},
    {"calls have callers of their own", test_calls_have_callers_of_their_own},
    {"frames of two sizes are known", test_frames_of_two_sizes_are_known},
    {"other pages of the stack are read once seen",
     test_other_pages_of_the_stack_are_read_once_seen},
    {"what is not on the stack is not learnt",
     test_what_is_not_on_the_stack_is_not_learnt},
    {"a full table keeps what it has", test_a_full_table_keeps_what_it_has},
    {NULL, NULL},
};
#else
/* Nothing is learnt: each stack is unwound. */
static void test_nothing_is_learnt(void) {
  static struct stack stack;
  const uintptr_t back[] = {1, 20};
  const unsigned word[] = {0, 5};
  static struct site_above above;
  struct site_frames frames = lay(&stack, 2, back, word);
  CU_ASSERT(!learn(&above, &above, &frames, NULL));
  CU_ASSERT_PTR_NULL(site_callers(&above, &above, frame_of(&stack)));
}

static const struct check_test tests[] = {
    {"nothing is learnt", test_nothing_is_learnt},
    {NULL, NULL},
};
#endif

const struct check_suite suite_callers = {
    .name = "callers",
    .tests = tests,
};
