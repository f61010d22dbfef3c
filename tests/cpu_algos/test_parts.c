/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/parts.h"
#include "tests/check.h"

enum { ITEMS = 997, UNIT = 8, SHARED = 100, EACH = 3 };

static size_t bytes(const struct algo_run *run) {
  return SHARED + EACH * run->chunk;
}

static uint64_t chunk_of(uint64_t items, uint64_t asked, size_t room) {
  const struct cpu_parts parts = {items, UNIT, asked, bytes};
  const struct algo_run run = {.bytes = SHARED + EACH * items};
  return cpu_parts_chunk(&parts, &run, room);
}

static uint64_t parts_of(uint64_t chunk) { return (ITEMS + chunk - 1) / chunk; }

/* Larger ones would be fewer and not fit, and they are even. */
static void test_as_few_as_fit(void) {
  for (size_t room = SHARED + UNIT * EACH; room < SHARED + ITEMS * EACH;
       room++) {
    uint64_t chunk = chunk_of(ITEMS, CPU_PARTS_ANY, room), count;
    CU_ASSERT_TRUE_FATAL(chunk && chunk % UNIT == 0);
    CU_ASSERT_TRUE(SHARED + EACH * chunk <= room);
    count = parts_of(chunk);
    for (uint64_t more = chunk + UNIT; more < ITEMS; more += UNIT)
      CU_ASSERT_TRUE(parts_of(more) == count || SHARED + EACH * more > room);
    CU_ASSERT_TRUE(chunk == UNIT || parts_of(chunk - UNIT) > count);
  }
}

static void test_none_where_all_fits(void) {
  CU_ASSERT_EQUAL(chunk_of(ITEMS, CPU_PARTS_ANY, SHARED + ITEMS * EACH), 0);
  CU_ASSERT_EQUAL(chunk_of(ITEMS, CPU_PARTS_ANY, SIZE_MAX), 0);
  CU_ASSERT_EQUAL(chunk_of(0, CPU_PARTS_ANY, 1), 0);
  CU_ASSERT_EQUAL(chunk_of(UNIT, CPU_PARTS_ANY, 1), 0);
}

static void test_the_least_where_nothing_fits(void) {
  CU_ASSERT_EQUAL(chunk_of(ITEMS, CPU_PARTS_ANY, 1), UNIT);
}

static void test_what_is_asked_for(void) {
  CU_ASSERT_EQUAL(chunk_of(ITEMS, 16, SIZE_MAX), 16);
  CU_ASSERT_EQUAL(chunk_of(ITEMS, 992, 1), 992);
  CU_ASSERT_EQUAL(chunk_of(ITEMS, 1000, 1), 0);
}

static const struct check_test tests[] = {
    {"as few parts as fit, and even ones", test_as_few_as_fit},
    {"none where all fits", test_none_where_all_fits},
    {"of a unit where nothing does", test_the_least_where_nothing_fits},
    {"as large as was asked for", test_what_is_asked_for},
    {NULL, NULL},
};
extern const struct check_suite suite_parts;
const struct check_suite suite_parts = {"parts", tests, NULL};
