/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/text_table.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static char *text;
static size_t length;

static struct text_table begin(int gap) {
  return (struct text_table){.out = memory_stream(&text, &length), .gap = gap};
}

static void expect(struct text_table *table, const char *expected) {
  text_table_end(table);
  memory_stream_close(table->out);
  CU_ASSERT_STRING_EQUAL(text, expected);
  free(text);
}

static void expect_so_far(struct text_table *table, const char *expected) {
  fflush(table->out);
  CU_ASSERT_STRING_EQUAL(text, expected);
}

static void test_rows_are_printed_as_they_end(void) {
  struct text_table table = begin(2);
  table.indent = 1;
  text_columns(&table, "-6 %s\t5 time\nns\t-8 where", "pages");
  text_cells(&table, "2m\t%d", 12);
  expect_so_far(&table, "");
  text_row(&table, "x");
  expect_so_far(&table,
                " pages    time  where\n"
                "            ns  \n"
                " 2m         12  x\n");
  text_cell(&table, "of 1 GiB");
  text_cell_if(&table, false, "%d", 1);
  text_row_end(&table);
  text_row_end(&table);
  expect(&table,
         " pages    time  where\n"
         "            ns  \n"
         " 2m         12  x\n"
         " of 1 GiB      -\n"
         "\n");
}

static void test_columns_fit_heads_and_cells(void) {
  struct text_table table = begin(1);
  table.fits = true;
  text_columns(&table, "-1 a\t1 long");
  table.gap = 3;
  text_columns(&table, "1");
  for (int i = 9; i < 12; i++) {
    text_row(&table, "\303\251%d\t\303\t%d", i, i);
  }
  expect_so_far(&table, "");
  expect(&table,
         "a   long     \n"
         "\303\2519     \303    9\n"
         "\303\25110    \303   10\n"
         "\303\25111    \303   11\n");
}

static void test_heads_stand_where_they_are_asked_for(void) {
  struct text_table table = begin(1);
  text_columns(&table, "3 n");
  text_table_heads(&table);
  fputs("first\n", table.out);
  text_row(&table, "1");
  text_table_heads(&table);
  expect(&table, "  n\nfirst\n  1\n  n\n");
}

static void test_a_cell_may_have_what_divides_cells(void) {
  struct text_table table = begin(1);
  text_columns(&table, "-6\t3");
  text_cell(&table, "a\t%s", "b");
  text_row(&table, "1");
  expect(&table, "a\tb      1\n");
}

static void test_a_table_without_rows_has_heads(void) {
  struct text_table table = begin(1);
  text_columns(&table, "3 n");
  expect(&table, "  n\n");
}

static void test_a_table_without_heads_has_none(void) {
  struct text_table table = begin(1);
  text_columns(&table, "3");
  text_row(&table, "1");
  expect(&table, "  1\n");
}

static void test_parts_show_columns_that_are_not_hidden(void) {
  struct text_table table = begin(1);
  table.fits = true;
  for (int i = 0; i < 3; i++) text_columns(&table, "-1 h%d", i);
  for (int i = 0; i < 3; i++) text_cell(&table, "%d", i);
  text_row_end(&table);
  table.columns[2].hidden = true;
  text_table_print(&table);
  table.columns[1].hidden = true;
  table.columns[2].hidden = false;
  expect(&table, "h0 h1\n0  1\nh0 h2\n0  2\n");
}

static const struct check_test tests[] = {
    {"rows are printed as they end", test_rows_are_printed_as_they_end},
    {"columns fit heads and cells", test_columns_fit_heads_and_cells},
    {"heads stand where they are asked for",
     test_heads_stand_where_they_are_asked_for},
    {"a cell may have what divides cells",
     test_a_cell_may_have_what_divides_cells},
    {"a table without rows has heads", test_a_table_without_rows_has_heads},
    {"a table without heads has none", test_a_table_without_heads_has_none},
    {"parts show columns that are not hidden",
     test_parts_show_columns_that_are_not_hidden},
    {NULL, NULL},
};

const struct check_suite suite_text_table = {.name = "text table",
                                             .tests = tests};
