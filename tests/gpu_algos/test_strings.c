/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is found of queries in a text is what a naive search finds. */
#include "gpu_algos/simt/simt.h"
#include "gpu_algos/strings/texts.h"
#include "tests/gpu_algos/gpu_case.h"

static const char *const names[] = {"suffix_array", "suffix_tree"};

/* A text and lines of queries, as they are read from files. */
struct files {
  char text[1024];
  char lines[4096];
  struct algo_data data[2];
};

static const struct algo_data *data_of(struct files *files, size_t letters) {
  uint64_t queries = 0, all = strlen(files->lines);
  for (const char *at = files->lines; *at; at++) queries += *at == '\n';
  files->data[0] = (struct algo_data){
      .rows = letters, .items = files->text, .next = &files->data[1]};
  files->data[1] = (struct algo_data){
      .rows = all - queries, .cols = queries, .items = files->lines};
  return files->data;
}

/* Letter i of a query is at place + i of the text. */
static bool occurs(const struct gpu_text *text, uint32_t query,
                   uint64_t place) {
  const uint32_t *sought = text->sought + text->bounds[2 * query];
  uint32_t letters = text->bounds[2 * query + 1];
  if (place + letters > text->letters) return false;
  for (uint32_t i = 0; i < letters; i++)
    if (gpu_text_letter(text->text, place + i) != gpu_text_letter(sought, i))
      return false;
  return true;
}

/* The places that were found: as many as there are, and each is one. */
static void expect_naive(const struct algo_run *run) {
  struct gpu_text text = gpu_text_of(run);
  for (uint32_t q = 0; q < text.queries; q++) {
    uint32_t first = text.found[2 * q], end = text.found[2 * q + 1];
    uint64_t places = 0;
    for (uint64_t i = 0; i < text.letters; i++) places += occurs(&text, q, i);
    CU_ASSERT_EQUAL_FATAL(end - first, places);
    for (uint32_t rank = first; rank < end; rank++) {
      CU_ASSERT_TRUE(occurs(&text, q, text.suffixes[rank]));
      CU_ASSERT_TRUE(rank == first ||
                     text.suffixes[rank] != text.suffixes[rank - 1]);
    }
  }
}

static void expect_generated(const char *name, const char *generator,
                             uint64_t n) {
  struct gpu_case c = {gpu_tested(), gpu_tested(), gpu_index(name), n, n,
                       generator};
  struct algo_run run = gpu_case_open(&c);
  gpu_case_run(&c, &run);
  CU_ASSERT_PTR_NULL(gpu_algo(&c)->check(&run));
  expect_naive(&run);
  workspace_close(&run);
}

static void test_generated(void) {
  static const uint64_t sizes[] = {0, 1, 2, 15, 16, 17, 63, 100, 1000, 3001};
  for (int a = 0; a < 2; a++)
    for (size_t g = 0; gpu_text_generators[g]; g++)
      for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        expect_generated(names[a], gpu_text_generators[g], sizes[i]);
}

static struct algo_run open_given(const char *name,
                                  const struct algo_data *given,
                                  struct gpu_case *c) {
  *c = (struct gpu_case){gpu_tested(), gpu_tested(), gpu_index(name), 0, 1,
                         NULL};
  const struct algo *algo = gpu_algo(c);
  c->n = cpu_given_n(given);
  struct algo_run run =
      workspace_of(cpu_algo_bytes(algo, c->n, given), c->n, 1);
  run.given = given;
  CU_ASSERT_PTR_NULL_FATAL(algo->refuse(given));
  algo->setup(&run);
  return run;
}

static void expect_given(const char *name, const struct algo_data *given) {
  struct gpu_case c;
  struct algo_run run = open_given(name, given, &c);
  gpu_case_run(&c, &run);
  CU_ASSERT_PTR_NULL(gpu_algo(&c)->check(&run));
  expect_naive(&run);
  workspace_close(&run);
}

/* Figures 4.8 and 4.9 of Ma's thesis: of the queries there, places from 0. */
static void test_mississippi(void) {
  static const uint32_t counts[] = {0, 2, 4, 1, 2, 0, 1, 0};
  for (int a = 0; a < 2; a++) {
    struct files files = {
        .text = "mississippi",
        .lines = "issips\nsi\ni\nmississippi\nissi\nmm\nppi\nppis\n"};
    struct gpu_case c;
    struct algo_run run = open_given(names[a], data_of(&files, 11), &c);
    gpu_case_run(&c, &run);
    struct gpu_text text = gpu_text_of(&run);
    CU_ASSERT_EQUAL(text.alphabet, 4);
    CU_ASSERT_EQUAL_FATAL(text.queries, 8);
    for (int q = 0; q < 8; q++)
      CU_ASSERT_EQUAL(text.found[2 * q + 1] - text.found[2 * q], counts[q]);
    uint32_t s = text.suffixes[text.found[2]];
    uint32_t t = text.suffixes[text.found[2] + 1];
    CU_ASSERT_TRUE(s == 6 && t == 3);
    workspace_close(&run);
  }
}

/* Every text of few letters over few kinds, and every query that is no longer
 * than it but for one letter. */
static void make(struct files *files, uint64_t number, unsigned letters,
                 unsigned kinds) {
  char *at = files->lines;
  *files = (struct files){.text = ""};
  bool has[3] = {false, false, false};
  for (unsigned i = 0; i < letters; i++, number /= kinds) {
    files->text[i] = (char)('a' + number % kinds);
    has[number % kinds] = true;
  }
  for (unsigned length = 1; length <= letters + 1 && length <= 5; length++) {
    unsigned all = 1;
    for (unsigned i = 0; i < length; i++) all *= kinds;
    for (unsigned q = 0; q < all; q++) {
      char *line = at;
      bool known = true;
      for (unsigned i = 0, rest = q; i < length; i++, rest /= kinds) {
        known &= has[rest % kinds];
        *at++ = (char)('a' + rest % kinds);
      }
      if (known)
        *at++ = '\n';
      else
        at = line;
    }
  }
  *at = '\0';
}

static void test_all_small_texts(void) {
  static struct files files;
  for (unsigned kinds = 1; kinds <= 3; kinds++)
    for (unsigned letters = 1; letters <= (kinds == 2 ? 7 : 4); letters++) {
      uint64_t texts = 1;
      for (unsigned i = 0; i < letters; i++) texts *= kinds;
      for (uint64_t number = 0; number < texts; number++)
        for (int a = 0; a < 2; a++) {
          make(&files, number, letters, kinds);
          expect_given(names[a], data_of(&files, letters));
        }
    }
}

/* 255 kinds of letters, each above all before it; and a text with ends. */
static void test_many_letters(void) {
  for (int a = 0; a < 2; a++) {
    struct files files = {.lines = "\x01\x02\x03\n\xff\n\xff\x01\n\xfe\xff\n"};
    for (unsigned i = 0; i < 255; i++) files.text[i] = (char)(i + 1);
    expect_given(names[a], data_of(&files, 255));
    simt_set_order(SIMT_REVERSE);
    expect_given(names[a], data_of(&files, 255));
    simt_set_order(SIMT_FORWARD);
  }
}

static void expect_refused(struct files *files, size_t letters,
                           const char *why) {
  const char *said = gpu_text_refuse(data_of(files, letters));
  CU_ASSERT_PTR_NOT_NULL_FATAL(said);
  CU_ASSERT_PTR_NOT_NULL(strstr(said, why));
}

static void test_refused(void) {
  struct files other = {.text = "ACGT", .lines = "AC\nGNT\n"};
  struct files blank = {.text = "ACGT", .lines = "AC\nG T\n"};
  struct files empty = {.text = "ACGT", .lines = "AC\n\nT\n"};
  struct files nothing = {.text = "", .lines = "A\n"};
  struct files none = {.text = "ACGT", .lines = ""};
  struct files all = {.lines = "A\n"};
  for (unsigned i = 0; i < 256; i++) all.text[i] = (char)i;
  expect_refused(&other, 4, "query 1 has the letter 'N'");
  expect_refused(&blank, 4, "query 1 has a byte 32");
  expect_refused(&empty, 4, "query 1 is empty");
  expect_refused(&nothing, 0, "query 0 has the letter 'A'");
  expect_refused(&none, 4, "there are no queries");
  expect_refused(&all, 256, "all 256 bytes");
  struct algo_data alone = {.rows = 4, .items = "ACGT"};
  CU_ASSERT_PTR_NOT_NULL(gpu_text_refuse(&alone));
}

static const struct check_test tests[] = {
    {"generated queries are found where they occur", test_generated},
    {"so are those of a text known by hand", test_mississippi},
    {"and all queries of all small texts", test_all_small_texts},
    {"and those of as many letters as there may be", test_many_letters},
    {"queries that cannot be are refused", test_refused},
    {NULL, NULL},
};
extern const struct check_suite suite_strings;
const struct check_suite suite_strings = {"string matching", tests,
                                          gpu_skip_tested};
