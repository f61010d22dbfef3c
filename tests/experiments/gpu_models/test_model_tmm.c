/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat model tmm: what it prints and refuses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_algos/models/tmm_algo.h"
#include "tests/experiments/gpu_models/model_told.h"
#include "tests/experiments/suites.h"

static void tmm_run(const char *line) {
  char whole[800];
  snprintf(whole, sizeof whole, "tmm %s", line);
  model_run(whole);
}

static json_t *tmm_told(const char *line) {
  char whole[800];
  snprintf(whole, sizeof whole, "tmm %s", line);
  return model_told_lines(whole);
}

/* 8192 vertices, 2^25 edges, 2 threads: n^3 / 480, n lg n as n < Z, and
 * (n^2 / 32 + m n) 800 / (2 * 480). */
static void test_the_json_has_the_keys(void) {
  static const struct {
    const char *key;
    double value;
  } expected[] = {{"n", 8192},
                  {"m", 0x1p25},
                  {"T1", 0x1p39},
                  {"Tinf", 106496},
                  {"M", 0x1p21 + 0x1p38},
                  {"threads_per_core", 2},
                  {"threads_limit", 48},
                  {"time", (0x1p21 + 0x1p38) * 800 / 960},
                  {"speedup", 0x1p39 / (0x1p21 + 0x1p38) * 960 / 800}};
  json_t *lines = tmm_told(
      "johnson_array --n 8192 --m 32M --threads 2 --arch gtx480 --json");
  json_t *object = json_array_get(lines, 0);
  json_t *terms = json_object_get(object, "terms");
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    CU_ASSERT_DOUBLE_EQUAL(
        json_number_at(object, expected[i].key) / expected[i].value, 1, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(terms, "work"), 0x1p39 / 480, 1);
  CU_ASSERT_EQUAL(json_number_at(terms, "span"), 106496);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(terms, "memory"),
                         json_number_at(object, "time"), 1);
  CU_ASSERT_STRING_EQUAL(json_text_at(object, "model"), "tmm");
  CU_ASSERT_STRING_EQUAL(json_text_at(object, "algo"), "johnson_array");
  CU_ASSERT_STRING_EQUAL(json_text_at(object, "arch"), "gtx480");
  CU_ASSERT_STRING_EQUAL(json_text_at(object, "dominant"), "memory");
  CU_ASSERT_STRING_EQUAL(json_text_at(object, "small"), "n < Z");
  CU_ASSERT(json_is_false(json_object_get(object, "linear_speedup")));
  CU_ASSERT_PTR_NULL(json_object_get(object, "k"));
  json_decref(lines);
}

/* Every algorithm on every machine, by name. */
static void test_all_have_json(void) {
  for (const struct tmm_machine *m = tmm_machines; m->name; m++)
    for (const struct tmm_algo *a = tmm_algos; a->name; a++) {
      char line[160];
      snprintf(line, sizeof line, "%s --json --arch %s --n 2^16%s%s", a->name,
               m->name, strchr(a->sizes, 'm') ? " --m 2^20" : "",
               strchr(a->sizes, 'k') ? " --k 20" : "");
      json_t *lines = tmm_told(line), *object = json_array_get(lines, 0);
      CU_ASSERT(json_number_at(object, "time") >=
                json_number_at(object, "pram_time"));
      CU_ASSERT(json_number_at(object, "threads_per_core") <=
                m->X * (1 + 1e-9));
      CU_ASSERT_STRING_EQUAL(json_text_at(object, "algo"), a->name);
      json_decref(lines);
    }
}

/* "Johnson's algorithm is generally faster than dynamic programming for sparse
 * graphs, but slower for relatively dense ones", the curves of the densest meet
 * at 32 threads per core, and PRAM has Johnson's always better (4.1.7). */
static void test_figure_4_7(void) {
  json_t *lines = tmm_told(
      "compare apsp_matmul johnson_array --arch gtx480 --n 8192 --m 32K..32M "
      "--threads 4,8,16,32 --json");
  CU_ASSERT_EQUAL(json_array_size(lines), 11 * 4);
  for (size_t i = 0; i < json_array_size(lines); i++) {
    json_t *object = json_array_get(lines, i);
    const char *prefers = json_text_at(object, "prefers");
    double m = json_number_at(object, "m"),
           T = json_number_at(object, "threads_per_core");
    CU_ASSERT_STRING_EQUAL(json_text_at(object, "pram_prefers"),
                           "johnson_array");
    if (m <= 1 << 20) CU_ASSERT_STRING_EQUAL(prefers, "johnson_array");
    if (m == 1 << 25 && T < 32) CU_ASSERT_STRING_EQUAL(prefers, "apsp_matmul");
    if (T == 32) CU_ASSERT_STRING_EQUAL(prefers, "johnson_array");
    CU_ASSERT(json_is_true(json_object_get(object, "pram_agrees")) ==
              !strcmp(prefers, "johnson_array"));
    if (m == 1 << 25)
      CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "crossing_threads"), 30.77,
                             0.01);
  }
  json_decref(lines);
}

static void test_compare_has_words(void) {
  tmm_run("compare apsp_matmul johnson_array --n 8192 --m 32K..32M");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(model_result.out, "PRAM prefers johnson_array everywhere.\n"));
  CU_ASSERT_PTR_NOT_NULL(
      strstr(model_result.out,
             "  T = 16: johnson_array from m = 32768; apsp_matmul (PRAM: not) "
             "from m = 33554432\n  T = 32: johnson_array from m = 32768\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, " T = 48 equal at T "));
  tmm_run("compare apsp_matmul johnson_array --n 8192 --m 32M --L 3200");
  CU_ASSERT_PTR_NOT_NULL(
      strstr(model_result.out,
             "\nWhere they are equal at T of 123 or more, that is "
             "out of reach: there are at most 48 threads"));
}

/* Tables 4.2 and 4.3 on three machines, one in each condition. */
static void test_transitions(void) {
  static const struct {
    const char *line;
    double n;
    const char *condition, *bound, *words;
  } cases[] = {
      {"suffix_tree --n 1e6 --k 64 --arch gtx280 --L 125", 125 * 240, "L <= X",
       "work",
       "from n = L * P = 30000 on (table 4.2); from there it is bound by work, "
       "n * k / P (table 4.3)"},
      {"suffix_array --n 1e6 --k 64 --m 1e7 --arch gtx280 --L 125",
       125 / 32. * 240, "L <= X", "work", "from n = L / C * P = 938 on"},
      {"suffix_tree --n 1e6 --k 64 --arch gtx580", 48 * 512,
       "L / C < X && X < L", "memory",
       "from n = X * P = 24576 on (table 4.2); from there it is bound by "
       "memory, n * k * L / (X * P) (table 4.3)"},
      {"suffix_array --n 1e6 --k 64 --m 1e7 --arch gtx580", 25 * 512,
       "L / C < X && X < L", "work",
       "bound by work, n * k * lg(m) / P (table 4.3)"},
      {"suffix_tree --n 1e6 --k 64 --arch gtx680", 2048 * 8, "X <= L / C",
       "memory", "from n = X * P = 16384 on"},
      {"suffix_array --n 1e6 --k 64 --m 1e7 --arch gtx680", 2048 * 8,
       "X <= L / C", "memory",
       "bound by memory, n * k * lg(m) * L / (C * X * P) (table 4.3)"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char line[200];
    snprintf(line, sizeof line, "%s --json", cases[i].line);
    json_t *lines = tmm_told(line);
    json_t *object = json_object_get(json_array_get(lines, 0), "transition");
    CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "n"), cases[i].n, 1e-6);
    CU_ASSERT_STRING_EQUAL(json_text_at(object, "condition"),
                           cases[i].condition);
    CU_ASSERT_STRING_EQUAL(json_text_at(object, "bound"), cases[i].bound);
    json_decref(lines);
    tmm_run(cases[i].line);
    CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, cases[i].words));
  }
}

static void test_words_of_one_point(void) {
  tmm_run("fft_stockham --n 2^20 --arch gtx280 --threads 10");
  CU_ASSERT_PTR_NOT_NULL(strstr(
      model_result.out, "\nT1 = n * lg(n), Tinf = lg(n), M = n * lg(n) / C\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(
      model_result.out,
      "\nmemory rules: there are too few threads to hide the memory.  T is at "
      "most 128, by X.\nA linear speed-up takes T of at least M L / T1 = 25, "
      "so L of at most 4096; and P of at most T1 / Tinf = 1048576.\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "\nEquation (4.32), "));
}

/* Any of the numbers can be a list: curves; machines, too. */
static void test_lists_are_combined(void) {
  json_t *lines = tmm_told(
      "apsp_matmul --n 1000,2000 --Z 3000,6000,12000 --arch gtx480,h100 "
      "--json");
  CU_ASSERT_EQUAL(json_array_size(lines), 12);
  CU_ASSERT_EQUAL(json_number_at(json_array_get(lines, 1), "n"), 1000);
  CU_ASSERT_EQUAL(json_number_at(json_array_get(lines, 1), "Z"), 6000);
  CU_ASSERT_EQUAL(json_number_at(json_array_get(lines, 3), "n"), 2000);
  CU_ASSERT_STRING_EQUAL(json_text_at(json_array_get(lines, 5), "arch"),
                         "gtx480");
  CU_ASSERT_STRING_EQUAL(json_text_at(json_array_get(lines, 6), "arch"),
                         "h100");
  json_decref(lines);
}

static void test_a_program_by_its_numbers(void) {
  json_t *lines = tmm_told(
      "program --T1 8000 --Tinf 100 --M 400 --threads 4 --L 100 --P 8 --C 4 "
      "--Z 256 --Q 4 --X 16 --json");
  json_t *object = json_array_get(lines, 0);
  CU_ASSERT_STRING_EQUAL(json_text_at(object, "algo"), "program");
  CU_ASSERT_EQUAL(json_number_at(object, "time"), 1250);
  CU_ASSERT_EQUAL(json_number_at(object, "speedup"), 6.4);
  CU_ASSERT_EQUAL(json_number_at(object, "effective_work"), 10000);
  CU_ASSERT_STRING_EQUAL(json_text_at(object, "limited_by"), "T1 / (Tinf P)");
  json_decref(lines);
}

static void test_tables_are_printed(void) {
  json_t *lines = tmm_told("tables --json");
  CU_ASSERT_EQUAL(json_array_size(lines), 5 + 6 + 6 + 16 + 3);
  json_decref(lines);
  lines = tmm_told("machines --json");
  CU_ASSERT_EQUAL(json_array_size(lines), 10);
  json_decref(lines);
  tmm_run("tables");
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "\nTable 4.4: "));
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "n * lg(Z) * lg(n / Z)"));
  tmm_run("tables 4.2");
  CU_ASSERT(!strncmp(model_result.out, "Table 4.2: ", 11));
  CU_ASSERT_PTR_NULL(strstr(model_result.out, "Table 4.3"));
  tmm_run("machines");
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "Radeon HD 5870"));
}

/* Small graphs have formulas of their own. */
static void test_formulas_of_a_range(void) {
  tmm_run("johnson_array --arch gtx480 --n 2^9,2^14 --m 2^16");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  const char *small = strstr(model_result.out, ", as n < Z");
  CU_ASSERT_PTR_NOT_NULL_FATAL(small);
  CU_ASSERT_PTR_NULL(strstr(small + 1, ", as n < Z"));
  const char *large = strstr(small, "\nT1 = ");
  CU_ASSERT_PTR_NOT_NULL_FATAL(large);
  CU_ASSERT_PTR_NULL(strstr(large + 1, "\nT1 = "));
}

static void test_refusals(void) {
  static const char *const cases[][2] = {
      {"",
       "tmm: nothing to show; name an algorithm, or compare, program, "
       "machines, "},
      {"sort --n 9",
       "sort: unknown algorithm of tmm; choose one of reduce, scan, merge, "},
      {"scan", "scan of which n? give --n: size;"},
      {"suffix_array --n 9 --k 3", "suffix_array of which m? give --m: edges"},
      {"scan --n 9 --m 9", "--m: scan does not depend on it; leave it out"},
      {"scan --n 0",
       "--n 0: not a whole number in its range, or more than 10000 numbers"},
      {"scan --n -4",
       "--n -4: not a whole number in its range, or more than 10000 numbers"},
      {"scan --n 0.5",
       "--n 0.5: not a whole number in its range, or more than 10000 numbers"},
      {"scan --n 9 --threads x",
       "--threads x: not a number in its range, or more than 10000 numbers"},
      {"scan --n 9 --threads 4..2",
       "--threads 4..2: not a number in its range, or more than 10000 numbers"},
      {"scan --n 9 --T1 4", "--T1: the algorithm's formula gives it"},
      {"scan merge --n 9", "merge: unexpected argument"},
      {"mst_boruvka --n 9 --m 82", "--m 82: too many edges"},
      {"scan --n 9 --arch gtx1",
       "--arch gtx1: unknown machine; choose one of gtx280, gtx480, gtx580, "
       "gtx680, c1060, hd5870, threadstorm, a100, h100, h200, or a "
       "results "},
      {"scan --n 9 --arch ./no.jsonl", "--arch ./no.jsonl: No such"},
      {"scan --n 1..1e9*1.001",
       "--n 1..1e9*1.001: not a whole number in its range, or more than 10000 "
       "numbers"},
      {"scan --n 1..1e6*1.002 --L 1..1e6*1.002", "--L: over a million"},
      {"compare scan", "compare: name two algorithms"},
      {"compare scan sort --n 9", "sort: unknown algorithm of tmm"},
      {"compare scan suffix_tree --n 9", "suffix_tree of which k? give --k"},
      {"compare scan merge --n 9 --k 9",
       "--k: scan does not depend on it; leave it out"},
      {"compare scan merge --n 9 --threads 1..13*1.1",
       "--threads: too many values; give at most 12 to compare"},
      {"program --T1 4 --M 3", "program: no Tinf; give --Tinf: its span"},
      {"program --T1 1e3,9 --M 3 --Tinf 8,10",
       "--Tinf 10: the span is larger than the work, --T1 9; choose a smaller "
       "one"},
      {"program --n 4",
       "--n: a program is described by --T1, --Tinf and --M; leave it out"},
      {"machines --n 4", "--n: machines are fixed; leave it out"},
      {"tables 4.5", "4.5: unknown table; choose 4.1, 4.2, 4.3 or 4.4"},
      {"counts sort", "sort: unknown algorithm of tmm"},
      {"counts scan merge", "merge: unexpected argument"},
      {"counts --n 9", "--n: no algorithm; write counts ALGO"},
      {"counts scan --n 1", "--n 1: not a whole number from 2 to 2^40"},
      {"counts scan --n 9.5",
       "--n 9.5: not a whole number in its range, or more than 10000 numbers"},
      {"counts scan --n 1e30", "--n 1e+30: not a whole number from 2 to 2^40"},
      {"counts suffix_tree --k 9",
       "--k: counts do not depend on it; leave it out"},
      {"counts scan --C 16",
       "--C 16: the emulator counts only for 8 or 32 words"},
      {"counts scan --C 8,32", "--C: give only one value with counts"},
      {"counts merge --Z 12289", "--Z 12289: not a whole number up to 12288"},
      {"scan --q 3", "--q: no such option; see vat model tmm --help"}};
  model_refuses("tmm ", cases, sizeof cases / sizeof *cases);
}

static void test_help_has_the_tables(void) {
  tmm_run("--help");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  for (const struct tmm_algo *a = tmm_algos; a->name; a++)
    CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, a->title));
  for (const struct tmm_machine *m = tmm_machines; m->name; m++)
    CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, m->title));
}

/* A row of the comparison: m, ratios with 4, 8, 16, 32 threads, the crossing.
 */
static void same_comparison(double m, const double ratio[4],
                            const char *crossing) {
  const struct tmm_machine *gtx480 = tmm_machine_find("gtx480");
  struct tmm_at at = {8192, m, NAN, NAN, gtx480};
  struct tmm_program a = tmm_algo_program(tmm_algo_find("apsp_matmul"), &at);
  struct tmm_program b = tmm_algo_program(tmm_algo_find("johnson_array"), &at);
  double equal = tmm_crossing(gtx480, &a, &b);
  for (int i = 0; i < 4; i++) {
    struct tmm_result x, y;
    tmm_evaluate(gtx480, &a, 4 << i, &x);
    tmm_evaluate(gtx480, &b, 4 << i, &y);
    CU_ASSERT_DOUBLE_EQUAL(x.time / y.time, ratio[i], 0.0051 * ratio[i]);
  }
  CU_ASSERT_EQUAL(isnan(equal), !strcmp(crossing, "-"));
  if (isnan(equal)) return;
  CU_ASSERT_DOUBLE_EQUAL(equal, atof(crossing), 0.0051 * equal);
}

/* A row of machines: names, L and a remark, and the rest. */
static bool compare_machine(const char *line) {
  char names[64], name[32];
  double L, P, C, Z, Q, X;
  if (sscanf(line, "| %63[a-z0-9, ] | %lf%*[^|]| %lf | %lf | %lf | %lf | %lf",
             names, &L, &P, &C, &Z, &Q, &X) != 7)
    return false;
  for (char *at = names; sscanf(at, " %31[a-z0-9]", name) == 1;) {
    const struct tmm_machine *m = tmm_machine_find(name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    CU_ASSERT(m->L == L && m->P == P && m->C == C && m->Z == Z && m->Q == Q);
    CU_ASSERT_DOUBLE_EQUAL(m->X, X, 0.005);
    at += strcspn(at, ",");
    if (*at) at++;
  }
  return true;
}

static void test_the_doc_has_these_numbers(void) {
  char line[512], crossing[16];
  size_t rows = 0, machines = 0;
  FILE *doc = fopen(VAT_TEST_SOURCE "/doc/tmm.md", "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
  while (fgets(line, sizeof line, doc)) {
    double m, r[4];
    machines += compare_machine(line);
    if (sscanf(line, "| %lf | %lf | %lf | %lf | %lf | %15s |", &m, r, r + 1,
               r + 2, r + 3, crossing) != 6)
      continue;
    same_comparison(m, r, crossing);
    rows++;
  }
  fclose(doc);
  CU_ASSERT_EQUAL(rows, 6);
  CU_ASSERT_EQUAL(machines, 8);
}

static const struct check_test tests[] = {
    {"the JSON has the keys", test_the_json_has_the_keys},
    {"all have JSON", test_all_have_json},
    {"figure 4.7", test_figure_4_7},
    {"compare has words", test_compare_has_words},
    {"transitions", test_transitions},
    {"words of one point", test_words_of_one_point},
    {"lists are combined", test_lists_are_combined},
    {"a program by its numbers", test_a_program_by_its_numbers},
    {"tables are printed", test_tables_are_printed},
    {"formulas of a range", test_formulas_of_a_range},
    {"refusals", test_refusals},
    {"help has the tables", test_help_has_the_tables},
    {"the doc has these numbers", test_the_doc_has_these_numbers},
    {0}};

const struct check_suite suite_model_tmm = {"vat model tmm", tests, NULL};
