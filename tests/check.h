/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/check.h -- what the CUnit runners share.
 *
 * A runner lists its suites in one NULL-ended table and calls check_main().
 * A suite that this machine cannot run says why through `skip`: it is then
 * reported as skipped with the reason, never as passed.
 */
#pragma once
#include <CUnit/Basic.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void check_print_signed(intmax_t value) {
  printf("%" PRIdMAX, value);
}
static inline void check_print_unsigned(uintmax_t value) {
  printf("%" PRIuMAX, value);
}
static inline void check_print_real(double value) { printf("%.17g", value); }
static inline void check_print_pointer(const void *value) {
  printf("%p", value);
}
static inline void check_print_text(const char *value) {
  printf(value ? "\"%s\"" : "NULL", value);
}

/* CUnit says which comparison fails; these say what was expected and got, too.
 * Each argument is evaluated once.  C++ has CUnit's own. */
#ifndef __cplusplus
/* clang-format off */
#define CHECK_PRINT(value)                                                  \
  _Generic((value), _Bool: check_print_unsigned, char: check_print_signed,  \
      signed char: check_print_signed, unsigned char: check_print_unsigned, \
      short: check_print_signed, unsigned short: check_print_unsigned,      \
      int: check_print_signed, unsigned: check_print_unsigned,              \
      long: check_print_signed, unsigned long: check_print_unsigned,        \
      long long: check_print_signed,                                        \
      unsigned long long: check_print_unsigned, float: check_print_real,    \
      double: check_print_real, default: check_print_pointer)(value)
#define CHECK_PAIR(actual, expected, equal, print, name, fatal)              \
  do {                                                                       \
    __typeof__((actual) + 0) check_got = (actual);                           \
    __typeof__((expected) + 0) check_want = (expected);                      \
    _Pragma("GCC diagnostic push") /* literals have no u */                  \
    _Pragma("GCC diagnostic ignored \"-Wsign-compare\"")                     \
    _Bool check_good = (equal);                                              \
    _Pragma("GCC diagnostic pop")                                            \
    if (!check_good) {                                                       \
      printf("\n%s:%d: expected ", __FILE__, __LINE__);                      \
      print(check_want);                                                     \
      printf(", got ");                                                      \
      print(check_got);                                                      \
      printf("\n");                                                          \
    }                                                                        \
    CU_assertImplementation(check_good, __LINE__,                            \
                            name "(" #actual ", " #expected ")", __FILE__,   \
                            "", fatal);                                      \
  } while (0)
/* clang-format on */
#undef CU_ASSERT_EQUAL
#undef CU_ASSERT_EQUAL_FATAL
#undef CU_ASSERT_STRING_EQUAL
#undef CU_ASSERT_STRING_EQUAL_FATAL
#undef CU_ASSERT_DOUBLE_EQUAL
#define CU_ASSERT_EQUAL(actual, expected)                            \
  CHECK_PAIR(actual, expected, check_got == check_want, CHECK_PRINT, \
             "CU_ASSERT_EQUAL", CU_FALSE)
#define CU_ASSERT_EQUAL_FATAL(actual, expected)                      \
  CHECK_PAIR(actual, expected, check_got == check_want, CHECK_PRINT, \
             "CU_ASSERT_EQUAL_FATAL", CU_TRUE)
#define CU_ASSERT_STRING_EQUAL(actual, expected)               \
  CHECK_PAIR(actual, expected, !strcmp(check_got, check_want), \
             check_print_text, "CU_ASSERT_STRING_EQUAL", CU_FALSE)
#define CU_ASSERT_STRING_EQUAL_FATAL(actual, expected)         \
  CHECK_PAIR(actual, expected, !strcmp(check_got, check_want), \
             check_print_text, "CU_ASSERT_STRING_EQUAL_FATAL", CU_TRUE)
#define CU_ASSERT_DOUBLE_EQUAL(actual, expected, granularity) \
  CHECK_PAIR(actual, expected,                                \
             fabs((double)check_got - (double)check_want) <=  \
                 fabs((double)(granularity)),                 \
             check_print_real, "CU_ASSERT_DOUBLE_EQUAL", CU_FALSE)
#endif

struct check_test {
  const char *claim;
  void (*run)(void);
};

struct check_suite {
  const char *name;
  const struct check_test *tests; /* ends with a NULL claim */
  const char *(*skip)(void);      /* NULL, or returns why not, or NULL */
};

/* VAT_CHECK=brief make check: of what has been tested once and is now built
 * otherwise, with sanitizers, say, the largest inputs may be left out. */
static inline bool check_is_brief(void) {
  const char *how = getenv("VAT_CHECK");
  return how && !strcmp(how, "brief");
}

/* Make a new folder in TMPDIR, or in /tmp; `path` has `bytes` bytes. */
static inline void check_make_folder(char *path, size_t bytes) {
  const char *base = getenv("TMPDIR");
  int length =
      snprintf(path, bytes, "%s/vat-XXXXXX", base && *base ? base : "/tmp");
  if (length < 0 || (size_t)length >= bytes || !mkdtemp(path)) {
    perror(path);
    abort();
  }
}

/* nohup, a shell that starts a job in the background, and Python ignore signals
 * that tests send to their children, or that end a pipe. */
static inline void check_heed_signals(void) {
  signal(SIGHUP, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGQUIT, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
}

/* Returns the runner's exit status: 0, 1, or 77 when every suite skipped. */
static inline int check_main(const struct check_suite *const *suites) {
  size_t ran = 0, skipped = 0;
  check_heed_signals();
  if (check_is_brief()) printf("SKIPPED large inputs: VAT_CHECK=brief\n");
  if (CU_initialize_registry() != CUE_SUCCESS) return 1;
  for (; *suites; suites++) {
    const char *why = (*suites)->skip ? (*suites)->skip() : NULL;
    if (why) {
      printf("SKIPPED suite %s: %s\n", (*suites)->name, why);
      skipped++;
      continue;
    }
    CU_pSuite suite = CU_add_suite((*suites)->name, NULL, NULL);
    for (const struct check_test *t = (*suites)->tests; t->claim; t++)
      if (!suite || !CU_add_test(suite, t->claim, t->run)) return 1;
    ran++;
  }
  CU_basic_set_mode(CU_BRM_NORMAL);
  CU_ErrorCode error = CU_basic_run_tests();
  unsigned failures = CU_get_number_of_failures();
  CU_cleanup_registry();
  if (skipped) printf("%zu suites skipped\n", skipped);
  if (error != CUE_SUCCESS || failures) return 1;
  return ran ? 0 : 77;
}
