/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cpu_algos/apsp.h"
#include "cpu_algos/graph.h"
#include "cpu_algos/random.h"
#include "experiments/data/data.h"
#include "experiments/device/device.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static struct scratch scratch;
static struct data data;
static char error[DATA_ERROR];

static int read_bytes(const struct data_kind *kind, const char *name,
                      const void *bytes, size_t count) {
  scratch_write(&scratch, name, bytes, count);
  *error = '\0';
  return data_read(&data, kind, scratch.path, NULL, error);
}

static int read_text(const struct data_kind *kind, const char *text) {
  return read_bytes(kind, "in.txt", text, strlen(text));
}

static const uint64_t *keys_of(const char *text, uint64_t count) {
  CU_ASSERT_EQUAL(read_text(&data_keys, text), 0);
  CU_ASSERT_EQUAL_FATAL(data.part[0].count, count);
  CU_ASSERT_PTR_NULL(data.part[0].next);
  return data.part[0].items;
}

static void test_keys(void) {
  const uint64_t *keys = keys_of("5\r\n\t18446744073709551615 \n0\n007", 4);
  CU_ASSERT_EQUAL(keys[0], 5);
  CU_ASSERT_EQUAL(keys[1], UINT64_MAX);
  CU_ASSERT_EQUAL(keys[2], 0);
  CU_ASSERT_EQUAL(keys[3], 7);
  data_fini(&data);
  keys_of("", 0);
  data_fini(&data);
  keys_of("1\n2\n", 2);
  data_fini(&data);
}

static void test_binary_keys(void) {
  static const unsigned char bytes[] = {1, 2, 0, 0, 0, 0, 0, 0x80, 10,
                                        0, 0, 0, 0, 0, 0, 0, 7};
  CU_ASSERT_EQUAL(read_bytes(&data_keys, "in.u64", bytes, 16), 0);
  CU_ASSERT_EQUAL_FATAL(data.part[0].count, 2);
  CU_ASSERT_EQUAL(((const uint64_t *)data.part[0].items)[0],
                  UINT64_C(0x8000000000000201));
  CU_ASSERT_EQUAL(((const uint64_t *)data.part[0].items)[1], 10);
  data_fini(&data);
  CU_ASSERT_EQUAL(read_bytes(&data_keys, "in.u64", bytes, 0), 0);
  CU_ASSERT_EQUAL(data.part[0].count, 0);
  data_fini(&data);
  CU_ASSERT_EQUAL(read_bytes(&data_keys, "in.u64", bytes, 17), -1);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "in.u64: 17 bytes"));
  data_fini(&data);
}

static void test_points(void) {
  CU_ASSERT_EQUAL(read_text(&data_points, "1 -2.5\r\n 1e-3\t+.5\n0 -0"), 0);
  CU_ASSERT_EQUAL_FATAL(data.part[0].count, 3);
  const double *numbers = data.part[0].items;
  static const double wanted[] = {1, -2.5, 1e-3, .5, 0, -0.0};
  CU_ASSERT_EQUAL(memcmp(numbers, wanted, sizeof wanted), 0);
  data_fini(&data);
  /* Exactly rounded: half way, to even; and what is too small is 0. */
  CU_ASSERT_EQUAL(
      read_text(&data_points, "9007199254740993 1e-999\n0.1 4.9e-324\n"), 0);
  numbers = data.part[0].items;
  CU_ASSERT_EQUAL(numbers[0], 9007199254740992.);
  CU_ASSERT_EQUAL(numbers[1], 0);
  CU_ASSERT_EQUAL(numbers[2], 0.1);
  CU_ASSERT_EQUAL(numbers[3], 0x1p-1074);
  data_fini(&data);
}

static void test_matrices(void) {
  CU_ASSERT_EQUAL(
      read_text(&data_matrix, "\n2 3\n1 2 3\r\n\n4 5 6\n\n3 1\n7\n8\n9\n\n"),
      0);
  const struct algo_data *a = data.part, *b = a->next;
  CU_ASSERT_PTR_NOT_NULL_FATAL(b);
  CU_ASSERT_TRUE(a->rows == 2 && a->cols == 3 && a->count == 6);
  CU_ASSERT_TRUE(b->rows == 3 && b->cols == 1 && b->count == 3);
  CU_ASSERT_EQUAL(((const double *)a->items)[5], 6);
  CU_ASSERT_EQUAL(((const double *)b->items)[2], 9);
  CU_ASSERT_PTR_NULL(b->next);
  data_fini(&data);
  CU_ASSERT_EQUAL(read_text(&data_matrix, "0 0\n"), 0);
  CU_ASSERT_EQUAL(data.part[0].count, 0);
  data_fini(&data);
}

static void test_lists(void) {
  CU_ASSERT_EQUAL(read_text(&data_list, "1\n-1\n0\n"), 0);
  const int64_t *successors = data.part[0].items;
  CU_ASSERT_EQUAL_FATAL(data.part[0].count, 3);
  CU_ASSERT_TRUE(successors[0] == 1 && successors[1] == -1);
  data_fini(&data);
  CU_ASSERT_EQUAL(read_text(&data_list, ""), 0);
  data_fini(&data);
}

static void test_graphs(void) {
  CU_ASSERT_EQUAL(read_text(&data_graph_forest,
                            "c p sp 7 7\nc\np sp 3 2\r\n\n"
                            "a 3 1 -5\nc a 1 2 3\na 1 3 0"),
                  0);
  CU_ASSERT_EQUAL(data.part[0].rows, 3);
  CU_ASSERT_EQUAL_FATAL(data.part[0].count, 2);
  const struct cpu_graph_edge *edges = data.part[0].items;
  CU_ASSERT_TRUE(edges[0].from == 2 && edges[0].to == 0);
  CU_ASSERT_EQUAL(edges[0].weight, -5);
  CU_ASSERT_TRUE(edges[1].from == 0 && edges[1].to == 2);
  CU_ASSERT_EQUAL(edges[1].weight, 0);
  CU_ASSERT_EQUAL(cpu_given_n(data.part), 3);
  data_fini(&data);
  CU_ASSERT_EQUAL(read_text(&data_graph_distances, "p sp 0 0\n"), 0);
  CU_ASSERT_TRUE(!data.part[0].count && !cpu_given_n(data.part));
  data_fini(&data);
}

/* Comments of any length, and no line that is taken for another. */
static void test_comments_end_with_their_line(void) {
  enum { LENGTH = 3 << 20 };
  char *text = malloc(LENGTH + 100);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  memset(text, 'a', LENGTH);
  memcpy(text, "c ", 2);
  strcpy(text + LENGTH, "\np sp 2 1\na 1 2 3\nc");
  CU_ASSERT_EQUAL(read_text(&data_graph_distances, text), 0);
  CU_ASSERT_EQUAL(data.part[0].count, 1);
  data_fini(&data);
  free(text);
}

static const struct {
  const struct data_kind *kind;
  const char *text, *line;
} malformed[] = {
    {&data_keys, "1\n-5\n", ":2: '-5' is not a number that fits here"},
    {&data_keys, "18446744073709551616",
     ":1: 18446744073709551616 is too large"},
    {&data_keys, "99999999999999999999999", ":1: 9999"},
    {&data_keys, "1\n2 3\n", ":2: '3' is one number too many"},
    {&data_keys, "1\n2,\n", ":2: '2,' is not a number that fits here"},
    {&data_keys, "1\n\n2\n", ":2: a number is missing"},
    {&data_keys, "1.0", ":1: '1.0'"},
    {&data_keys, "1e6", ":1: '1e6'"},
    {&data_keys, "0x10", ":1: '0x10'"},
    {&data_keys, "+1", ":1: '+1'"},
    {&data_keys, "nan", ":1: 'nan'"},
    {&data_keys, "1\r2\n", ":1: '?' is one number too many"},
    {&data_keys,
     "\xef\xbb\xbf"
     "1\n",
     ":1: '???1'"},
    {&data_points, "1 2\n3\n", ":2: a number is missing"},
    {&data_points, "1 2 3\n", ":1: '3' is one number too many"},
    {&data_points, "1 2\nnan 3\n", ":2: 'nan' is not a finite number"},
    {&data_points, "1 2\n3 inf\n", ":2: 'inf' is not a finite number"},
    {&data_points, "1 -Infinity\n", ":1: '-Infinity' is not a finite number"},
    {&data_points, "1 0x1p3\n", ":1: '0x1p3' is not a finite number"},
    {&data_points, "1 1e999\n", ":1: 1e999 is too large"},
    {&data_points, "1 2e\n", ":1: '2e' is not a finite number"},
    {&data_points, "1,5 2\n",
     ":1: '1,5' is not a finite number; write two numbers a line, x and y, and "
     "a blank between them"},
    {&data_points, "1 2\n\n", ":2: a number is missing"},
    {&data_matrix, "", ":1: empty"},
    {&data_matrix, "2\n", ":1: a number is missing"},
    {&data_matrix, "2 2 2\n", ":1: '2' is one number too many"},
    {&data_matrix, "1 1\n1\n3 0\n", ":3: rows without columns"},
    {&data_matrix, "0 2\n", ":1: rows without columns"},
    {&data_matrix, "-2 2\n", ":1: '-2'"},
    {&data_matrix, "2 2\n1 2\n3\n", ":3: 1 numbers in the row"},
    {&data_matrix, "2 2\n1 2\n3 4 5\n", ":3: '5' is one number too many"},
    {&data_matrix, "2 2\n1 2\n", ":3: the file ends after 1 of the 2 rows"},
    {&data_matrix, "1 1\nnan\n", ":2: 'nan' is not a finite number"},
    {&data_matrix, "1 1\n1\n1 1\n1\n1 1\n1\n", ":5: a third matrix"},
    {&data_matrix, "4294967296 4294967296\n", ":1: 4294967296 x"},
    {&data_matrix, "1000000000 1000000000\n1\n", ":1: 1000000000 x"},
    {&data_list, "1\n2\n-1\n3\n4\n7\n",
     ":6: successor 7 is not one of the 6 elements,"},
    {&data_list, "-2\n", ":1: -2 is negative"},
    {&data_list, "9223372036854775808\n",
     ":1: 9223372036854775808 is too large"},
    {&data_list, "-9223372036854775808\n", ":1: -9223372036854775808"},
    {&data_list, "-\n", ":1: '-' is not a number that fits here"},
    {&data_graph_distances, "", ":1: the file ends without a line"},
    {&data_graph_distances, "a 1 2 3\n", ":1: an edge before the line 'p sp"},
    {&data_graph_distances, "p sp 2\n", ":1: a number is missing"},
    {&data_graph_distances, "p sp 2 x\n",
     ":1: 'x' is not a number that fits here"},
    {&data_graph_distances, "p sp -2 1\n",
     ":1: '-2' is not a number that fits here"},
    {&data_graph_distances, "p max 2 1\n", ":1: a problem that is not 'sp'"},
    {&data_graph_distances, "p sp 2 1 1\n", ":1: '1' is one number too many"},
    {&data_graph_distances, "p sp 4294967295 1\n", ":1: more than 2^32"},
    {&data_graph_distances, "p sp 2 0\np sp 2 0\n",
     ":2: a second 'p' line; line 1"},
    {&data_graph_distances, "c\np sp 2 2\na 1 2 3\n",
     ":4: the file ends after 1 of the 2 edges that line 2"},
    {&data_graph_distances, "p sp 2 1\na 1 2 3\nc\na 2 1 3\n",
     ":4: more than the 1 edges that line 1"},
    {&data_graph_distances, "p sp 2 1\na 0 1 3\n",
     ":2: 0 is not one of the 2 vertices,"},
    {&data_graph_distances, "p sp 2 1\na 1 3 3\n",
     ":2: 3 is not one of the 2 vertices,"},
    {&data_graph_distances, "p sp 2 1\na 1 -1 3\n",
     ":2: '-1' is not a number that fits here"},
    {&data_graph_distances, "p sp 2 1\n\na 2 2 3\n",
     ":3: an edge from vertex 2 to itself"},
    {&data_graph_distances, "p sp 2 1\na 1 2 nan\n",
     ":2: 'nan' is not a number that fits here"},
    {&data_graph_distances, "p sp 2 1\na 1 2 1.5\n",
     ":2: '1.5' is not a number that fits here"},
    {&data_graph_distances, "p sp 2 1\na 1 2\n", ":2: a number is missing"},
    {&data_graph_distances, "p sp 2 1\na 1 2 3 4\n",
     ":2: '4' is one number too many"},
    {&data_graph_distances, "p sp 2 1\nab 1 2 3\n", ":2: lines begin with"},
    {&data_graph_distances, "p sp 2 1\ne 1 2 3\n", ":2: lines begin with"},
    {&data_graph_distances, "p sp 3 3\na 1 2 3\na 2 3 3\nc\na 1 2 4\n",
     ":5: the edge from 1 to 2 is already in line 2"},
};

static void test_what_is_malformed_is_refused_with_its_line(void) {
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
    CU_ASSERT_EQUAL(read_text(malformed[i].kind, malformed[i].text), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, malformed[i].line));
    if (!strstr(error, malformed[i].line))
      fprintf(stderr, "%s: %s\n", malformed[i].text, error);
    data_fini(&data);
  }
  static const char nul[] = "1\n2\0\n";
  CU_ASSERT_EQUAL(read_bytes(&data_keys, "in.txt", nul, sizeof nul - 1), -1);
  data_fini(&data);
  CU_ASSERT_EQUAL(read_bytes(&data_points, "in.txt", nul, sizeof nul - 1), -1);
  data_fini(&data);
}

static void test_what_cannot_be_read_is_named(void) {
  CU_ASSERT_EQUAL(
      data_read(&data, &data_keys, "/proc/nonexistent", NULL, error), -1);
  CU_ASSERT_STRING_EQUAL(error, "/proc/nonexistent: No such file or directory");
  data_fini(&data);
  CU_ASSERT_EQUAL(data_read(&data, &data_keys, scratch.dir, NULL, error), -1);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, ": Is a directory"));
  data_fini(&data);
  CU_ASSERT_EQUAL(data_read(&data, &data_keys, "/dev/zero", NULL, error), -1);
  data_fini(&data);
}

/* Words across the edges of the buffer, at every place; and longer ones than
 * any number. */
static void test_buffers_have_no_edges(void) {
  enum { BUFFER = 1 << 20 };
  char *text = malloc(BUFFER + 4000);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  for (int blanks = BUFFER - 40; blanks < BUFFER + 4; blanks++) {
    memset(text, ' ', (size_t)blanks);
    strcpy(text + blanks, "18446744073709551615 \r\n 12345678901234567890");
    const uint64_t *keys = keys_of(text, 2);
    CU_ASSERT_EQUAL(keys[0], UINT64_MAX);
    CU_ASSERT_EQUAL(keys[1], UINT64_C(12345678901234567890));
    data_fini(&data);
  }
  memset(text, '0', 3000);
  strcpy(text + 3000, "1\n");
  CU_ASSERT_EQUAL(read_text(&data_keys, text), -1);
  data_fini(&data);
  strcpy(text + 700, ".5 1\n");
  CU_ASSERT_EQUAL(read_text(&data_points, text), 0);
  CU_ASSERT_EQUAL(*(const double *)data.part[0].items, .5);
  data_fini(&data);
  memset(text, '1', 3000);
  strcpy(text + 3000, " 1\n");
  CU_ASSERT_EQUAL(read_text(&data_points, text), -1);
  data_fini(&data);
  free(text);
}

static bool same_data(const struct algo_data *a, const struct algo_data *b,
                      unsigned words) {
  return a->count == b->count && a->rows == b->rows && a->cols == b->cols &&
         !memcmp(a->items, b->items, a->count * words * sizeof(uint64_t));
}

/* Any bits that are a finite number, as often whole ones. */
static double any_double(struct cpu_random *random) {
  double value = 0;
  do {
    uint64_t bits = cpu_random_next(random);
    memcpy(&value, &bits, sizeof value);
  } while (!isfinite(value));
  return cpu_random_next(random) & 1 ? rint(fmod(value, 1e17)) : value;
}

static void make(const struct data_kind *kind, uint64_t n, uint64_t seed,
                 struct algo_data *given, uint64_t *items) {
  struct cpu_random random = {seed};
  *given = (struct algo_data){.count = n, .items = items};
  if (kind == &data_matrix && n) {
    given->rows = 1 + cpu_random_below(&random, n < 5 ? n : 5);
    given->cols = n / given->rows;
    given->count = given->rows * given->cols;
  }
  for (uint64_t i = 0; i < n * kind->words; i++) {
    double number = any_double(&random);
    if (kind == &data_keys)
      items[i] = cpu_random_next(&random) >> cpu_random_below(&random, 64);
    else if (kind == &data_list)
      items[i] = cpu_random_below(&random, n + 1) - 1;
    else
      memcpy(&items[i], &number, sizeof number);
  }
}

static void test_what_is_written_is_read_back(void) {
  enum { MOST = 3000 };
  static uint64_t items[2 * MOST];
  for (size_t k = 0; data_kinds[k]; k++)
    for (uint64_t n = 0; !data_kinds[k]->one_way && n < MOST; n = n * 3 / 2 + 1)
      for (int binary = 0; binary <= data_kinds[k]->binary; binary++) {
        struct algo_data given;
        make(data_kinds[k], n, n + k, &given, items);
        const char *path =
            scratch_path(&scratch, binary ? "out.u64" : "out.txt");
        CU_ASSERT_EQUAL(data_write(data_kinds[k], &given, path, error), 0);
        CU_ASSERT_EQUAL_FATAL(
            data_read(&data, data_kinds[k], path, NULL, error), 0);
        CU_ASSERT_TRUE(same_data(&given, data.part, data_kinds[k]->words));
        data_fini(&data);
      }
}

static void test_forms_by_hand(void) {
  static const double numbers[] = {0.1, -0.0, 3, -1e300};
  static const int64_t ranks[] = {2, -1, 0};
  static const int32_t lengths[] = {0, CPU_APSP_NONE, -7, 0};
  static const uint32_t least[] = {0, 0, 2};
  static const struct cpu_graph_edge tree[] = {{0, 2, -3}, {4294967294, 2, 7}};
  const struct algo_data points = {.count = 2, .items = numbers},
                         matrix = {4, 2, 2, numbers, NULL},
                         list = {.count = 3, .items = ranks},
                         paths = {.count = 4, .rows = 2, .items = lengths},
                         components = {.count = 3, .items = least},
                         forest = {.count = 2, .items = tree};
  static const struct {
    const struct data_kind *kind;
    const char *text;
  } forms[] = {
      {&data_points, "0.10000000000000001 -0\n3 -1.0000000000000001e+300\n"},
      {&data_matrix,
       "2 2\n0.10000000000000001 -0\n3 -1.0000000000000001e+300\n"},
      {&data_list, "2\n-1\n0\n"},
      {&data_graph_distances, "0 inf\n-7 0\n"},
      {&data_graph_components, "1\n1\n3\n"},
      {&data_graph_forest, "total 4\n1 3 -3\n4294967295 3 7\n"}};
  const struct algo_data *const answers[] = {&points, &matrix,     &list,
                                             &paths,  &components, &forest};
  for (int i = 0; i < 6; i++) {
    const char *path = scratch_path(&scratch, "form");
    CU_ASSERT_EQUAL(data_write(forms[i].kind, answers[i], path, error), 0);
    char *text = scratch_read(path, NULL);
    CU_ASSERT_STRING_EQUAL(text, forms[i].text);
    free(text);
  }
}

/* A file keeps what it was, and nothing else is left. */
static void test_what_cannot_be_written(void) {
  static const uint64_t keys[] = {1, 2};
  const struct algo_data answer = {.count = 2, .items = keys};
  const char *bad[] = {"/proc/nonexistent/out", scratch.dir, "", "/dev/full",
                       "/proc/version"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    if (i != 3 && (i != 4 || geteuid()))
      CU_ASSERT_EQUAL(data_write_try(bad[i], error), -1);
    CU_ASSERT_EQUAL(data_write(&data_keys, &answer, bad[i], error), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, ": cannot be written: "));
  }
  CU_ASSERT_EQUAL(data_write_try("-", error), 0);
  CU_ASSERT_EQUAL(data_write_try(scratch_path(&scratch, "new"), error), 0);
  CU_ASSERT_NOT_EQUAL(access(scratch.path, F_OK), 0);
}

static void test_the_hash_tells_inputs_apart(void) {
  static const char *const texts[] = {"1\n2\n3\n", "1\n3\n2\n", "1\n2\n",
                                      "1\n2\n4\n", "0\n",       ""};
  enum { TEXTS = sizeof texts / sizeof *texts };
  uint64_t hashes[TEXTS];
  for (int i = 0; i < TEXTS; i++) {
    CU_ASSERT_EQUAL(read_text(&data_keys, texts[i]), 0);
    hashes[i] = data.hash;
    CU_ASSERT_EQUAL(data.bytes, strlen(texts[i]));
    data_fini(&data);
    for (int j = 0; j < i; j++) CU_ASSERT_NOT_EQUAL(hashes[i], hashes[j]);
  }
  CU_ASSERT_EQUAL(read_text(&data_keys, "1\r\n2\r\n3"), 0);
  CU_ASSERT_EQUAL(data.hash, hashes[0]);
  data_fini(&data);
}

static void test_every_kind_an_algorithm_names_is_there(void) {
  const struct algo *algo;
  for (size_t i = 0; (algo = device_any_algo(i)); i++)
    if (algo->data) CU_ASSERT_PTR_NOT_NULL(data_kind_find(algo->data));
  CU_ASSERT_PTR_NULL(data_kind_find("nosuch"));
}

/* The last one, in a directory of the others' making. */
static void test_nothing_is_left(void) {
  static const char *const made[] = {"in.txt", "in.u64", "out.txt", "out.u64",
                                     "form"};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    unlink(scratch_path(&scratch, made[i]));
  CU_ASSERT_EQUAL(rmdir(scratch.dir), 0);
  scratch_fini(&scratch);
}

static void test_scratch(void) { scratch_init(&scratch); }

static const struct check_test tests[] = {
    {"there is room for files", test_scratch},
    {"keys are read", test_keys},
    {"binary keys are read", test_binary_keys},
    {"points are read", test_points},
    {"matrices are read", test_matrices},
    {"lists are read", test_lists},
    {"graphs are read", test_graphs},
    {"comments end with their line", test_comments_end_with_their_line},
    {"what is malformed is refused with its line",
     test_what_is_malformed_is_refused_with_its_line},
    {"what cannot be read is named", test_what_cannot_be_read_is_named},
    {"buffers have no edges", test_buffers_have_no_edges},
    {"what is written is read back", test_what_is_written_is_read_back},
    {"forms are as by hand", test_forms_by_hand},
    {"what cannot be written is named", test_what_cannot_be_written},
    {"the hash tells inputs apart", test_the_hash_tells_inputs_apart},
    {"every kind an algorithm names is there",
     test_every_kind_an_algorithm_names_is_there},
    {"nothing is left", test_nothing_is_left},
    {0}};

const struct check_suite suite_data = {"data", tests, NULL};
