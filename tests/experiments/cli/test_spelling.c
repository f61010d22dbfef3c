/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <stdbool.h>
#include <string.h>

#include "experiments/cli/spelling.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static const char *const names[] = {"heapsort",      "heapify", "introsort",
                                    "binary_search", "4k",      "thp",
                                    "matmul_tiled"};
enum { NAMES = sizeof names / sizeof *names };

static const char *nearest(const char *typed) {
  struct spelling spelling = {.typed = typed};
  for (size_t i = 0; i < NAMES; i++) spelling_offer(&spelling, names[i]);
  return spelling.nearest ? spelling.nearest : "";
}

static void test_few_errors_are_understood(void) {
  static const struct {
    const char *typed, *meant;
  } cases[] = {{"heapsrt", "heapsort"},
               {"haepsort", "heapsort"},
               {"heapsorts", "heapsort"},
               {"heapsart", "heapsort"},
               {"binary-serch", "binary_search"},
               {"thb", "thp"},
               {"4l", "4k"},
               {"matmul", "matmul_tiled"},
               {"hea", "heapsort"},
               {"", ""},
               {"zzz", ""},
               {"quicksort", ""},
               {"xy", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT_STRING_EQUAL(nearest(cases[i].typed), cases[i].meant);
}

static void test_the_hint_names_it(void) {
  struct spelling spelling = {.before = "--", .typed = "pags"};
  CU_ASSERT_STRING_EQUAL(spelling_hint(&spelling), "");
  spelling_offer(&spelling, "pages");
  CU_ASSERT_STRING_EQUAL(spelling_hint(&spelling), "did you mean --pages? ");
}

/* By the definition: what is left of both after the first letters. */
static size_t slow_errors(const char *a, const char *b) {
  if (!*a || !*b) return strlen(a) + strlen(b);
  size_t best = slow_errors(a + 1, b + 1) + (*a != *b);
  size_t lost = slow_errors(a + 1, b) + 1, added = slow_errors(a, b + 1) + 1;
  if (lost < best) best = lost;
  if (added < best) best = added;
  if (a[1] && b[1] && *a == b[1] && a[1] == *b) {
    size_t swapped = slow_errors(a + 2, b + 2) + 1;
    if (swapped < best) best = swapped;
  }
  return best;
}

static void test_errors_are_those_of_the_definition(void) {
  for (unsigned seed = 1; seed <= 300; seed++) {
    char typed[8] = "", name[8] = "";
    unsigned state = seed * 2654435761u;
    size_t of_typed = 1 + state % 6, of_name = state / 8 % 7;
    for (size_t i = 0; i < of_typed; i++)
      typed[i] = "abc"[(state = state * 1103515245u + 12345u) >> 20 & 1];
    for (size_t i = 0; i < of_name; i++)
      name[i] = "abc"[(state = state * 1103515245u + 12345u) >> 20 & 1];
    struct spelling spelling = {.typed = typed};
    spelling_offer(&spelling, name);
    size_t errors = slow_errors(typed, name);
    bool begins = of_typed >= 3 && !strncmp(typed, name, of_typed);
    if (begins) errors = 1;
    CU_ASSERT_EQUAL(spelling.nearest != NULL, errors <= (of_typed + 2) / 4);
    if (spelling.nearest) CU_ASSERT_EQUAL(spelling.errors, errors);
  }
}

static void test_long_names_are_left_alone(void) {
  char name[200];
  memset(name, 'a', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  struct spelling spelling = {.typed = name};
  spelling_offer(&spelling, name);
  CU_ASSERT_PTR_NULL(spelling.nearest);
}

static const struct check_test tests[] = {
    {"few errors are understood", test_few_errors_are_understood},
    {"the hint names it", test_the_hint_names_it},
    {"errors are those of the definition",
     test_errors_are_those_of_the_definition},
    {"long names are left alone", test_long_names_are_left_alone},
    {NULL, NULL},
};

const struct check_suite suite_spelling = {.name = "spelling", .tests = tests};
