/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/human.h"
#include "experiments/device/device.h"
#include "experiments/report/meaning.h"
#include "experiments/report/table.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

/* Of no algorithm known, so that its memory is what was granted. */
static const struct hp_granted gib = {
    .sizes = 1, .by = {{.page_bytes = 4096, .bytes = (size_t)1 << 30}}};

static const struct sample_variant usual;

static struct summary base_of(double ns) {
  return (struct summary){.algo = "jump",
                          .device = "cpu",
                          .variant = &usual,
                          .pages = "4k",
                          .n = 1u << 27,
                          .base = true,
                          .reps = 5,
                          .granted_ok = true,
                          .granted = &gib,
                          .ram_ops = 1u << 27,
                          .ns_per_op_min = ns,
                          .ns_per_op_median = ns,
                          .ratio_to_4k = NAN,
                          .ratio_lo = NAN,
                          .ratio_hi = NAN};
}

static struct summary huge_of(const char *pages, double ns, double ratio,
                              double lo, double hi) {
  struct summary row = base_of(ns);
  row.pages = pages;
  row.base = false;
  row.ratio_to_4k = ratio;
  row.pair_base_ns_per_op = ns > 12 ? 21.8 : 10; /* the bases used below */
  row.pair_ns_per_op = ns;
  row.ratio_lo = lo;
  row.ratio_hi = hi;
  return row;
}

static struct summary left_out(const char *pages) {
  struct summary row = huge_of(pages, NAN, NAN, NAN, NAN);
  row.reps = 0;
  row.rejected = 5;
  row.granted_ok = false;
  return row;
}

static void expect(const struct summary *rows, size_t count,
                   enum meaning_verdict verdict, const char *sentence) {
  struct survey survey;
  struct meaning meaning;
  survey_init(&survey, rows, count);
  meaning_of(&survey, 0, &meaning);
  CU_ASSERT_EQUAL(meaning.verdict, verdict);
  CU_ASSERT_STRING_EQUAL(meaning.text, sentence);
  if (strcmp(meaning.text, sentence)) printf("\ngot: %s\n", meaning.text);
  survey_fini(&survey);
}

static void test_numbers_have_three_digits(void) {
  static const struct {
    double value;
    const char *text;
  } cases[] = {
      {21.83, "21.8"}, {0.2704, "0.270"},     {3.738, "3.74"}, {9.996, "10.0"},
      {99.96, "100"},  {1540.2, "1540"},      {0, "0"},        {NAN, "-"},
      {3e-8, "3e-08"}, {1.2345e9, "1.23e+09"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[HUMAN_SIZE];
    CU_ASSERT_STRING_EQUAL(human_number(cases[i].value, text), cases[i].text);
  }
}

static void test_an_interval_without_1_shows_so(void) {
  static const struct {
    double lo, hi;
    const char *text;
  } cases[] = {{.9, 1.02, "[0.90, 1.02]"},    {.9, .9974, "[0.90, 0.997]"},
               {1.0004, 2, "[1.0004, 2.00]"}, {.9996, 1.0004, "[1.00, 1.00]"},
               {.9, 1, "[0.90, 1.00]"},       {.9, .995, "[0.90, 0.99]"},
               {1.0051, 1.2, "[1.01, 1.20]"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[HUMAN_SIZE];
    CU_ASSERT_STRING_EQUAL(human_interval(cases[i].lo, cases[i].hi, text),
                           cases[i].text);
  }
}

static void test_page_kinds_have_names(void) {
  char text[HUMAN_SIZE];
  CU_ASSERT_STRING_EQUAL(human_pages("4k", text), "4 KiB pages");
  CU_ASSERT_STRING_EQUAL(human_pages("2m", text), "2 MiB pages");
  CU_ASSERT_STRING_EQUAL(human_pages("1g", text), "1 GiB pages");
  CU_ASSERT_STRING_EQUAL(human_pages("thp", text), "transparent huge pages");
  CU_ASSERT_STRING_EQUAL(human_pages("thp-64k", text),
                         "64 KiB transparent pages");
  CU_ASSERT_STRING_EQUAL(human_pages("odd", text), "odd pages");
}

static void test_one_kind_that_differs(void) {
  struct summary rows[] = {base_of(21.8), huge_of("2m", 13.3, .61, .60, .63)};
  expect(rows, 2, MEANING_FASTER,
         "jump (1 GiB): 0.61 times as long on 2 MiB pages (13.3 instead of "
         "21.8 ns)");
}

static void test_the_best_kind_comes_first(void) {
  struct summary rows[] = {base_of(21.8), huge_of("thp", 13.5, .62, .61, .64),
                           huge_of("2m", 13.3, .61, .60, .63),
                           huge_of("1g", 12.6, .58, .57, .60)};
  expect(rows, 4, MEANING_FASTER,
         "jump (1 GiB): 0.58 times as long on 1 GiB pages (12.6 instead of "
         "21.8 ns); 0.61 times as long on 2 MiB pages; 0.62 times as long on "
         "transparent huge pages");
}

static void test_equal_ratios_are_all_said(void) {
  struct summary rows[] = {base_of(10), huge_of("thp", 5, .5, .5, .5),
                           huge_of("2m", 5, .5, .5, .5),
                           huge_of("1g", 5, .5, .5, .5)};
  expect(rows, 4, MEANING_FASTER,
         "jump (1 GiB): 0.50 times as long on transparent huge pages "
         "(5.00 instead of 10.0 ns); also 0.50 times as long on 2 MiB pages; "
         "also 0.50 times as long on 1 GiB pages");
}

static void test_of_kinds_that_tie_the_simplest_is_named(void) {
  /* Closer than the noise floor, with narrow intervals. */
  struct summary near[] = {base_of(21.8),
                           huge_of("thp", 13.2, .608, .607, .609),
                           huge_of("2m", 13.0, .600, .599, .601)};
  expect(near, 3, MEANING_FASTER,
         "jump (1 GiB): 0.61 times as long on transparent huge pages "
         "(13.2 instead of 21.8 ns); also 0.60 times as long on 2 MiB pages");
  /* Apart, but each interval holds the other's ratio; 1 GiB pages lose. */
  struct summary wide[] = {base_of(21.8), huge_of("thp", 13.9, .64, .59, .66),
                           huge_of("2m", 13.0, .60, .58, .65),
                           huge_of("1g", 15.2, .70, .69, .71)};
  expect(wide, 4, MEANING_FASTER,
         "jump (1 GiB): 0.64 times as long on transparent huge pages "
         "(13.9 instead of 21.8 ns); also 0.60 times as long on 2 MiB pages; "
         "0.70 times as long on 1 GiB pages");
  /* A wide interval around something else is no tie. */
  struct summary loose[] = {base_of(21.8), huge_of("thp", 15.2, .7, .4, .95),
                            huge_of("2m", 13.0, .60, .59, .61)};
  expect(loose, 3, MEANING_FASTER,
         "jump (1 GiB): 0.60 times as long on 2 MiB pages "
         "(13.0 instead of 21.8 ns); 0.70 times as long on transparent huge "
         "pages");
}

static void test_noise_is_called_noise(void) {
  struct summary rows[] = {base_of(1.44), huge_of("2m", 1.43, .99, .97, 1.01),
                           huge_of("1g", 1.45, 1.0, .98, 1.02)};
  expect(rows, 2, MEANING_NOISE,
         "jump (1 GiB): below noise (0.99 [0.97, 1.01])");
  expect(rows, 3, MEANING_NOISE,
         "jump (1 GiB): below noise on 2 MiB pages (0.99 [0.97, 1.01]) and "
         "on 1 GiB pages (1.00 [0.98, 1.02])");
}

static void test_slower_is_called_slower(void) {
  struct summary rows[] = {base_of(10), huge_of("2m", 10.8, 1.08, 1.05, 1.1)};
  expect(rows, 2, MEANING_SLOWER,
         "jump (1 GiB): 1.08 times as long on 2 MiB pages "
         "(10.8 instead of 10.0 ns)");
  struct summary either[] = {rows[0], huge_of("thp", 10, 1, .99, 1.01),
                             rows[1]};
  expect(either, 3, MEANING_NOISE,
         "jump (1 GiB): 1.08 times as long on 2 MiB pages "
         "(10.8 instead of 10.0 ns); below noise on transparent huge pages "
         "(1.00 [0.99, 1.01])");
}

static void test_mixed_standings_are_told_apart(void) {
  struct summary rows[] = {base_of(10), huge_of("thp", 9.9, .99, .97, 1.01),
                           huge_of("2m", 8, .8, .79, .81), left_out("1g")};
  expect(rows, 4, MEANING_FASTER,
         "jump (1 GiB): 0.80 times as long on 2 MiB pages (8.00 instead of "
         "10.0 ns); below noise on transparent huge pages (0.99 [0.97, 1.01]); "
         "1 GiB pages were not granted");
}

static void test_too_few_repetitions_are_said(void) {
  struct summary rows[] = {base_of(10), huge_of("2m", 6, .6, NAN, NAN)};
  expect(rows, 2, MEANING_UNKNOWN,
         "jump (1 GiB): 2 MiB pages 0.60, but too few repetitions to tell");
}

static void test_nothing_to_compare_is_said(void) {
  struct summary alone = base_of(10);
  expect(&alone, 1, MEANING_UNKNOWN,
         "jump (1 GiB): 10.0 ns on 4 KiB pages, nothing to compare with");
  struct summary no_base = huge_of("2m", 6, NAN, NAN, NAN);
  expect(&no_base, 1, MEANING_UNKNOWN,
         "jump (1 GiB): 6.00 ns on 2 MiB pages; 4 KiB pages were not "
         "measured");
  struct summary refused[] = {base_of(10), left_out("2m")};
  expect(refused, 2, MEANING_UNKNOWN,
         "jump (1 GiB): 2 MiB pages were not granted; 10.0 ns on 4 KiB "
         "pages, nothing to compare with");
}

/* Pages of the host are none of a device's. */
static void test_devices_have_no_pages_to_compare(void) {
  struct summary emulated = base_of(10);
  emulated.device = "emu";
  expect(&emulated, 1, MEANING_UNKNOWN,
         "jump on emu (1 GiB): 10.0 ns an operation, emulated");
  emulated.device = "cuda";
  expect(&emulated, 1, MEANING_UNKNOWN,
         "jump on cuda (1 GiB): 10.0 ns an operation");
}

static void test_the_largest_size_that_can_tell_is_taken(void) {
  struct summary rows[] = {base_of(10), huge_of("2m", 6, .6, .5, .7),
                           base_of(12)};
  rows[2].n *= 2;
  expect(rows, 3, MEANING_FASTER,
         "jump (1 GiB): 0.60 times as long on 2 MiB pages "
         "(6.00 instead of 10.0 ns)");
}

static struct meaning_headline headline_of(const struct summary *rows,
                                           size_t count) {
  struct survey survey;
  struct meaning_headline headline;
  survey_init(&survey, rows, count);
  meaning_headline_of(&survey, &headline);
  survey_fini(&survey);
  return headline;
}

static void test_the_headline_answers_the_question(void) {
  struct summary rows[] = {base_of(21.8), huge_of("2m", 13.3, .61, .60, .63),
                           base_of(1.4), huge_of("2m", 1.4, 1, .99, 1.01)};
  rows[2].algo = rows[3].algo = "sit";
  struct meaning_headline headline = headline_of(rows, 4);
  CU_ASSERT_STRING_EQUAL(headline.title,
                         "Larger pages speed up 1 of 2 algorithms");
  CU_ASSERT_STRING_EQUAL(
      headline.lead,
      "With 1 GiB of memory, jump takes 0.61 times as long on 2 MiB pages. 1 "
      "algorithm shows no measurable difference.");
  headline = headline_of(rows + 2, 2);
  CU_ASSERT_STRING_EQUAL(headline.title,
                         "Larger pages make no measurable difference to sit");
  struct summary tied[] = {base_of(21.8),
                           huge_of("thp", 13.2, .608, .607, .609),
                           huge_of("2m", 13.0, .600, .599, .601)};
  headline = headline_of(tied, 3); /* as the sentence on its sizes does */
  CU_ASSERT_STRING_EQUAL(headline.lead,
                         "With 1 GiB of memory, jump takes 0.61 times as long "
                         "on transparent huge pages.");
  rows[3].ratio_hi = 1.3;
  headline = headline_of(rows + 2, 2);
  CU_ASSERT_STRING_EQUAL(
      headline.title,
      "No speedup by larger pages shown for sit at the largest size");
  CU_ASSERT_STRING_EQUAL(
      headline.lead, "1 algorithm is uncertain (its interval is too wide).");
  headline = headline_of(rows, 1);
  CU_ASSERT_STRING_EQUAL(headline.title,
                         "What jump costs on the pages there are");
  CU_ASSERT_PTR_NOT_NULL(strstr(headline.lead, "Nothing could be compared"));
  rows[0].device = "emu";
  headline = headline_of(rows, 1);
  CU_ASSERT_STRING_EQUAL(headline.title, "What was counted of jump on emu");
  rows[2].device = "cuda";
  rows[1] = rows[2];
  headline = headline_of(rows, 2);
  CU_ASSERT_STRING_EQUAL(headline.title, "What 2 algorithms cost");
}

static char *table_of(const struct summary *rows, size_t count) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  table_print(out, rows, count);
  fclose(out);
  return text;
}

static void test_the_table_is_as_printed(void) {
  struct summary rows[] = {base_of(21.8), huge_of("2m", 13.3, .61, .60, .63),
                           left_out("1g")};
  char *text = table_of(rows, 3);
  CU_ASSERT_STRING_EQUAL(
      text,
      "algorithm          n  memory  pages    reps    min  median  time"
      "          95 %\n"
      "                              granted        ns/op   ns/op  / 4k"
      "      interval\n"
      "jump       134217728   1 GiB  4k          5   21.8    21.8     -"
      "             -\n"
      "jump       134217728   1 GiB  2m          5   13.3    13.3  0.61"
      "  [0.60, 0.63]\n"
      "jump       134217728   1 GiB  1g*         0      -       -     -"
      "             -\n"
      "* jump, n 134217728 on 1g: left out: 1 GiB on 4k was granted instead\n");
  free(text);
}

static void test_columns_come_with_counters_that_exist(void) {
  struct summary rows[] = {base_of(1), base_of(1)};
  struct table_column columns[TABLE_COLUMNS_MAX];
  size_t without = table_columns(rows, 2, columns);
  rows[0].counters = 2;
  rows[0].counter[0] = (struct sample_counter){"cycles", false, 0};
  rows[0].counter[1] = (struct sample_counter){"walks", true, 1u << 28};
  CU_ASSERT_EQUAL(table_columns(rows, 2, columns), without + 1);
  char cell[TABLE_CELL_SIZE];
  table_cell(&columns[without], &rows[0], cell);
  CU_ASSERT_STRING_EQUAL(cell, "2.00");
  table_cell(&columns[without], &rows[1], cell);
  CU_ASSERT_STRING_EQUAL(cell, "-");
}

/* Whatever device its row was measured on. */
static void test_what_an_algorithm_counts_is_whole(void) {
  struct summary row = base_of(1);
  struct table_column columns[TABLE_COLUMNS_MAX];
  char cell[TABLE_CELL_SIZE];
  if (!device_algo(device_find("emu"), "hull_gpu")) {
    puts("SKIPPED counts of hull_gpu: vat is built without the emulator");
    return;
  }
  row.algo = "hull_gpu";
  row.counters = 2;
  row.counter[0] = (struct sample_counter){"vertices", true, 35};
  row.counter[1] = (struct sample_counter){"loads", true, 1u << 28};
  size_t count = table_columns(&row, 1, columns);
  CU_ASSERT_STRING_EQUAL(columns[count - 2].unit, "");
  table_cell(&columns[count - 2], &row, cell);
  CU_ASSERT_STRING_EQUAL(cell, "35");
  CU_ASSERT_STRING_EQUAL(columns[count - 1].unit, "per op");
  table_cell(&columns[count - 1], &row, cell);
  CU_ASSERT_STRING_EQUAL(cell, "2.00");
}

static void test_lines_are_at_most_100_wide(void) {
  struct summary rows[] = {base_of(21.8), huge_of("thp", 13.3, .61, .60, .63)};
  rows[0].algo = rows[1].algo = "sequential_scan";
  rows[0].n = rows[1].n = UINT32_MAX;
  char *text = table_of(rows, 2);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    CU_ASSERT(strlen(line) <= 100);
  free(text);
}

/* What does not fit beside the times stands below, with its row's name. */
static void test_many_counters_stand_below(void) {
  struct summary row = base_of(21.8);
  row.counters = COUNTERS_MAX;
  for (size_t i = 0; i < COUNTERS_MAX; i++) {
    row.counter[i] = (struct sample_counter){"", true, 1u << 27};
    snprintf(row.counter[i].name, sizeof row.counter[i].name, "counter_no_%zu",
             i);
  }
  char *text = table_of(&row, 1);
  for (size_t i = 0; i < COUNTERS_MAX; i++)
    CU_ASSERT_PTR_NOT_NULL(strstr(text, row.counter[i].name));
  size_t rows = 0, lines = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    CU_ASSERT(strlen(line) <= TABLE_WIDTH_MOST);
    rows += !strncmp(line, "jump  ", 6) && strstr(line, " 134217728  ");
    lines++;
  }
  CU_ASSERT(rows > 1);
  CU_ASSERT_EQUAL(lines, 3 * rows);
  free(text);
}

/* Pages that were touched are not those that were granted. */
static void test_counted_pages_are_no_granted_ones(void) {
  struct summary row = base_of(1);
  struct table_column columns[TABLE_COLUMNS_MAX];
  row.counters = 1;
  row.counter[0] = (struct sample_counter){"pages", true, 7};
  size_t count = table_columns(&row, 1, columns);
  CU_ASSERT_STRING_EQUAL(columns[count - 1].head, "pages");
  CU_ASSERT_STRING_EQUAL(columns[count - 1].unit, "counted/op");
}

static const struct check_test tests[] = {
    {"numbers have three digits", test_numbers_have_three_digits},
    {"an interval without 1 shows so", test_an_interval_without_1_shows_so},
    {"page kinds have names", test_page_kinds_have_names},
    {"one kind that differs is one clause", test_one_kind_that_differs},
    {"the best kind comes first", test_the_best_kind_comes_first},
    {"equal ratios are all said", test_equal_ratios_are_all_said},
    {"of kinds that tie the simplest is named",
     test_of_kinds_that_tie_the_simplest_is_named},
    {"noise is called noise", test_noise_is_called_noise},
    {"slower is called slower", test_slower_is_called_slower},
    {"mixed standings are told apart", test_mixed_standings_are_told_apart},
    {"too few repetitions are said", test_too_few_repetitions_are_said},
    {"nothing to compare is said", test_nothing_to_compare_is_said},
    {"but not of devices", test_devices_have_no_pages_to_compare},
    {"the largest size that can tell is taken",
     test_the_largest_size_that_can_tell_is_taken},
    {"the headline answers the question",
     test_the_headline_answers_the_question},
    {"the table is as printed here", test_the_table_is_as_printed},
    {"columns come with counters that exist",
     test_columns_come_with_counters_that_exist},
    {"what an algorithm counts of itself is whole",
     test_what_an_algorithm_counts_is_whole},
    {"many counters stand below", test_many_counters_stand_below},
    {"counted pages are no granted ones",
     test_counted_pages_are_no_granted_ones},
    {"lines are at most 100 wide", test_lines_are_at_most_100_wide},
    {NULL, NULL},
};

const struct check_suite suite_report_text = {
    .name = "report_text",
    .tests = tests,
};
