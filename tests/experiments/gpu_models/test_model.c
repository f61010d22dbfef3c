/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat model: what it prints and refuses.  What models say is tested beside
 * them. */
#include <config.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_algos/models/gpu_model.h"
#include "huge_pages/available_memory.h"
#include "tests/experiments/gpu_models/model_told.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static void test_the_json_has_the_keys(void) {
  json_t *object =
      model_told("maxsum list_ranking --n 2^22 --arch gtx280 --json");
  static const struct {
    const char *key;
    double value;
  } expected[] = {{"n", 4194304},
                  {"n_comp", 0},
                  {"n_memory", 132000},
                  {"cycles_thread_max", 132000},
                  {"cycles_thread_sum", 132000},
                  {"time_ms_max", 21.12},
                  {"time_ms_sum", 21.12}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, expected[i].key),
                           expected[i].value, 1e-9);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(object, "model")),
                         "maxsum");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(object, "case")),
                         "list_ranking");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(object, "arch")),
                         "gtx280");
  json_decref(object);
}

static void test_the_table_says_21_1_ms(void) {
  model_run("maxsum list_ranking --n 2^22 --arch gtx280");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "section 5.2"));
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "GeForce GTX 280\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "  21.1        21.1\n"));
}

/* Every case has its JSON on every GPU. */
static void test_all_cases_have_json(void) {
  for (const struct gpu_arch *arch = gpu_archs; arch->name; arch++)
    for (const struct gpu_case *c = gpu_model_find("maxsum")->cases; c->name;
         c++) {
      char line[160];
      snprintf(line, sizeof line, "maxsum %s --json --arch %s --%s 7", c->name,
               arch->name, c->parameters[0].name);
      json_t *object = model_told(line);
      CU_ASSERT(json_number_at(object, "time_ms_sum") >=
                json_number_at(object, "time_ms_max"));
      CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(object, "case")),
                             c->name);
      json_decref(object);
    }
}

/* All combinations, the last list fastest; each of its own. */
static void test_lists_are_combined(void) {
  static const double pairs[][2] = {{100, 1}, {100, 2}, {200, 1}, {200, 2}};
  char *line = model_result.out;
  model_run("maxsum bank_conflicts --bank 1,2 --json --n 100,200");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  for (size_t i = 0; i < 4; i++) {
    json_t *object = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
    CU_ASSERT_EQUAL(json_number_at(object, "n"), pairs[i][0]);
    CU_ASSERT_EQUAL(json_number_at(object, "bank"), pairs[i][1]);
    CU_ASSERT_EQUAL(json_number_at(object, "n_memory"),
                    4 * pairs[i][0] * pairs[i][1]);
    CU_ASSERT_EQUAL(json_number_at(object, "blocks_per_sm"), 1);
    json_decref(object);
    line = strchr(line, '\n') + 1;
  }
  CU_ASSERT_EQUAL(*line, '\0');
}

static void test_refusals(void) {
  static const char *const cases[][2] = {
      {"", "no model; choose one of maxsum"},
      {"tmx", "tmx: unknown model; choose one of maxsum"},
      {"maxsum", "maxsum: no case; name one of matmul, list_ranking,"},
      {"maxsum sort --n 1",
       "sort: unknown case of maxsum; choose one of matmul, list_ranking, "
       "histogram, coalescing, bank_conflicts, kernel, or any algorithm with "
       "--algo or --results"},
      {"maxsum matmul", "matmul: no size; give --n"},
      {"maxsum matmul --n", "--n: needs a value"},
      {"maxsum matmul --n -3", "--n -3: not a size"},
      {"maxsum matmul --n 1.5", "--n 1.5: not a size"},
      {"maxsum matmul --n 0", "--n 0: out of range; it must be from 1"},
      {"maxsum matmul --n 18446744073709551615",
       "--n 1.84467e+19: out of range"},
      {"maxsum matmul --n 2^64", "--n 2^64: too large"},
      {"maxsum list_ranking --n 1", "--n 1: out of range; it must"},
      {"maxsum matmul --n 9 --whole-blocks 2",
       "--whole-blocks 2: out of range"},
      {"maxsum coalescing --n 9 --stride 33", "--stride 33: out of range"},
      {"maxsum matmul --n 9 --bank 1", "--bank: matmul does not depend on it"},
      {"maxsum matmul --n 9 --arch gtx1",
       "--arch gtx1: unknown GPU; choose one of gtx280, gtx285, c1060, gtx480, "
       "or a results file"},
      {"maxsum matmul --n 9 --arch ./no.jsonl", "--arch ./no.jsonl: No such"},
      {"maxsum matmul histogram", "histogram: only one case is allowed"},
      {"maxsum kernel --from /no/such", "/no/such"},
      {"maxsum kernel --from f --blocks 1", "--blocks: --from sets it"},
      {"maxsum --results /no/such.jsonl", "/no/such.jsonl: No such file"},
      {"maxsum --algo copy", "--algo copy: no size; give --n"},
      {"maxsum --algo copy --n 9 --bank 3",
       "--bank: with --algo, it comes from the counts"},
      {"maxsum matmul --algo copy --n 9",
       "--algo and matmul exclude each other"},
      {"maxsum --results f --bank 3",
       "--bank: with --results, it comes from the counts"},
      {"maxsum --results f --from g",
       "--from and --results exclude each other"},
      {"maxsum bank_conflicts --n 1:1e6*1.0001 --bank 1:16*1.1",
       "--n 1:1e6*1.0001: too large, or more than 10000 sizes; A..B "
       "takes every size"},
      {"maxsum matmul --q 3", "--q: no such option"}};
  model_refuses("", cases, sizeof cases / sizeof *cases);
}

static void test_help_has_the_tables(void) {
  model_run("--help");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  for (const struct gpu_case *c = gpu_model_find("maxsum")->cases; c->name;
       c++) {
    char line[40];
    snprintf(line, sizeof line, "\n  %s: ", c->name);
    CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, line));
    for (const struct gpu_parameter *p = c->parameters; p->name; p++) {
      snprintf(line, sizeof line, "  --%s=LIST", p->name);
      CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, line));
    }
  }
  for (const struct gpu_arch *arch = gpu_archs; arch->name; arch++)
    CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, arch->title));
}

/* Writes `text` to a file and runs `line` with its path at the end. */
static void run_with(const char *text, const char *line) {
  struct scratch scratch;
  char whole[700];
  scratch_init(&scratch);
  FILE *file = fopen(scratch_path(&scratch, "file"), "w");
  fputs(text, file);
  fclose(file);
  snprintf(whole, sizeof whole, "%s %s", line, scratch.path);
  model_run(whole);
  scratch_fini(&scratch);
}

/* Equation (1): 2 x 21.12 ms and 8 x 100 / 1.3e6. */
static void test_kernels_of_a_file_add_up(void) {
  run_with(
      "[{\"blocks\":373,\"threads\":512,\"accesses\":264},"
      "{\"blocks\":373,\"threads\":512,\"accesses\":264},"
      "{\"blocks\":9,\"comp\":62.5,\"shared\":37.5}]",
      "maxsum kernel --json --from");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  char *line = model_result.out;
  for (int i = 0; i < 3; i++) line = strchr(line, '\n') + 1;
  json_t *sum = json_loads(line, 0, NULL);
  CU_ASSERT_EQUAL(json_number_at(sum, "kernels"), 3);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(sum, "time_ms_max"),
                         42.24 + 8 * 150 / 1.3e6, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(sum, "time_ms_sum"),
                         42.24 + 8 * 212.5 / 1.3e6, 1e-9);
  CU_ASSERT(json_is_null(json_object_get(sum, "n_comp")));
  CU_ASSERT_PTR_NULL(json_object_get(sum, "blocks"));
  json_decref(sum);
  run_with("{\"n\":4194304,\"whole_blocks\":0}",
           "maxsum list_ranking --json --from");
  sum = json_loads(model_result.out, 0, NULL); /* one line */
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(sum, "time_ms_max"), 20.1649, 1e-4);
  CU_ASSERT_EQUAL(json_number_at(sum, "n"), 4194304);
  json_decref(sum);
}

/* A "-" of a parameter may be "_" in a file, and nothing else. */
static void test_keys_are_whole(void) {
  run_with("{\"n\":64,\"whole-blocks\":1}", "maxsum matmul --from");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  run_with("{\"n\":64,\"whole.blocks\":1}", "maxsum matmul --from");
  CU_ASSERT_EQUAL(model_result.code, VAT_USAGE);
  run_with("{\"n\":64,\"whole_block\":1}", "maxsum matmul --from");
  CU_ASSERT_EQUAL(model_result.code, VAT_USAGE);
  run_with("{\"n\":64,\"whole_blocks2\":1}", "maxsum matmul --from");
  CU_ASSERT_EQUAL(model_result.code, VAT_USAGE);
}

static void test_bad_files_are_refused(void) {
  static const char *const cases[][2] = {
      {"{\"blocks\":1", ":1: cut off: "},
      {"", ":1: not JSON: "},
      {"7", ":1: not JSON: "},
      {"[]", ": the array is empty; it needs kernels"},
      {"[3]", ": kernel 1: it must be an object of parameters"},
      {"[{\"blocks\":1},{}]", ": kernel 2: \"blocks\" is missing"},
      {"{\"blocks\":1,\"size\":2}",
       ": kernel 1: size: unknown parameter of kernel"},
      {"{\"blocks\":\"1\"}", ": kernel 1: blocks: it must be a number"},
      {"{\"blocks\":0}", ": kernel 1: blocks 0: out of range"},
      {"{\"blocks\":1,\"comp\":-1}", ": kernel 1: comp -1: out of range"},
      {"{\"blocks\":1,\"threads\":2000}",
       ": kernel 1: threads 2000: out of range"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run_with(cases[i][0], "maxsum kernel --from");
    bool right =
        model_result.code == VAT_USAGE && strstr(model_result.err, cases[i][1]);
    if (!right)
      printf("\n%s: %d %s\n", cases[i][0], model_result.code, model_result.err);
    CU_ASSERT(right);
  }
}

static void test_a_folder_is_no_file(void) {
  static const char *const cases[][2] = {
      {"maxsum kernel --from /", "/: Is a directory\n"},
      {"maxsum kernel --from /none", "/none: No such file or directory\n"},
      {"calibrated bloom_blastn --fit /", "/: Is a directory\n"}};
  model_refuses("", cases, sizeof cases / sizeof *cases);
}

#define SAMPLE(algo, n, counters)                                            \
  "{\"record\":\"sample\",\"algo\":\"" algo "\",\"device\":\"emu\",\"n\":" n \
  ",\"pages_asked\":\"4k\",\"pages_granted\":{\"4k\":4096},\"granted_ok\":"  \
  "true,\"rep\":0,\"ns\":1000,\"ram_ops\":10,\"ns_per_op\":100,\"counters\"" \
  ":{" counters "},\"check\":\"ok\",\"seed\":1}\n"
static const char counted[] = "{\"record\":\"machine\",\"schema\":1}\n" SAMPLE(
    "scan", "64",
    "\"warp_instructions\":60,\"accesses\":960,\"lines_read\":20,"
    "\"lines_written\":40,\"bank_waves\":90,\"threads\":960,"
    "\"thread_blocks\":30")
    SAMPLE("scan", "128",
           "\"warp_instructions\":60,\"accesses\":960,\"lines_read\":20,"
           "\"bank_waves\":90,\"threads\":960,\"thread_blocks\":30")
        SAMPLE("sort", "64", "\"cycles\":5");

/* A warp on each multiprocessor: 2 instructions, 2 lines of 16 threads each, 3
 * waves. */
static void test_counts_are_taken(void) {
  run_with(counted, "maxsum scan --n 64 --json --results");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  json_t *object = json_loads(model_result.out, 0, NULL); /* one line */
  CU_ASSERT_PTR_NOT_NULL_FATAL(object);
  CU_ASSERT_EQUAL(json_number_at(object, "n"), 64);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "n_comp"), 8, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "n_memory"), 32.25 + 12, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "blocks_per_sm"), 1, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "time_ms_max"), 44.25 / 1.3e6,
                         1e-12);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(object, "counted")),
                         "emu");
  json_decref(object);
}

/* Lines alone say nothing of time. */
static void test_too_few_counts_are_none(void) {
  run_with("{\"record\":\"machine\",\"schema\":1}\n" SAMPLE(
               "scan", "64", "\"lines_read\":20,\"lines_written\":40"),
           "maxsum scan --results");
  CU_ASSERT_EQUAL(model_result.code, VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(
      model_result.err, ": some counts that the model needs are missing"));
}

static void test_what_was_not_counted_is_null(void) {
  run_with(counted, "maxsum --json --results");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  const char *second = strchr(model_result.out, '\n') + 1;
  json_t *object = json_loads(second, 0, NULL); /* the last: sort has none */
  CU_ASSERT_EQUAL(json_number_at(object, "n"), 128);
  CU_ASSERT(json_is_null(json_object_get(object, "time_ms_max")));
  CU_ASSERT(json_is_null(json_object_get(object, "n_memory")));
  json_decref(object);
  run_with(counted, "maxsum sort --results");
  CU_ASSERT_EQUAL(model_result.code, VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(model_result.err,
             ": some counts that the model needs are "
             "missing for sort; count them with vat run ALGO --device emu"));
  run_with(counted, "maxsum scan --n 65 --results");
  CU_ASSERT_EQUAL(model_result.code, VAT_USAGE);
}

#ifdef HAVE_EMU_COUNTED
/* A block of 256 threads moves 4096 words, 16 bytes a thread at a time: 2048
 * accesses, 128 lines read and as many written. */
static void test_the_emulator_counts(void) {
  static const char *const ways[] = {"maxsum --algo copy --n 4096 --json",
                                     "maxsum copy --n 4096 --json"};
  for (size_t i = 0; i < 2; i++) {
    model_run(ways[i]);
    CU_ASSERT_EQUAL(model_result.code, VAT_OK);
    json_t *object = json_loads(model_result.out, 0, NULL);
    CU_ASSERT_EQUAL(json_number_at(object, "n"), 4096);
    CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "n_memory"),
                           (256 * 500 + 2048) / 256.0, 1e-9);
    /* Memory has eight instructions a thread, and they are not all. */
    CU_ASSERT(json_number_at(object, "n_comp") > 8 * 4);
    json_decref(object);
  }
  model_run("maxsum --algo nix --n 9");
  CU_ASSERT_EQUAL(model_result.code, VAT_USAGE);
  model_run("maxsum --algo copy --n 2^32");
  CU_ASSERT_EQUAL(model_result.code, VAT_USAGE);
  /* Twice 16 GiB, here and on the device: some machines have them. */
  if (hp_memory_available() >= (size_t)32 << 30) return;
  model_run("maxsum --algo copy --n 2^31");
  CU_ASSERT_EQUAL(model_result.code, VAT_ABSENT);
}
#endif

/* 132 multiprocessors of 128 cores at 1.98 GHz; a transaction serves 32. */
static void test_the_gpu_of_a_results_file(void) {
  run_with(
      "{\"record\":\"machine\",\"schema\":1,\"gpu\":{\"name\":\"Some GPU\","
      "\"compute_capability\":[9,0],\"sms\":132,\"clock_khz\":1980000}}"
      "\n" SAMPLE("scan", "64", ""),
      "maxsum coalescing --n 2162688 --stride=32 --json --arch");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  json_t *object = json_loads(model_result.out, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(object);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "n_memory"), 32 * 2 * 16.625,
                         1e-9);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "time_ms_max"), 1064 / 1.98e6,
                         1e-9);
  json_t *arch = json_object_get(object, "arch");
  CU_ASSERT(json_is_string(arch) &&
            !strcmp(json_string_value(arch), "Some GPU"));
  json_decref(object);
  run_with(counted, "maxsum matmul --n 64 --arch");
  CU_ASSERT_EQUAL(model_result.code, VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(
      model_result.err, ": its machine record does not describe a GPU, "));
}

/* To its three digits. */
static void same_ms(const char *line, const char *case_name, double n,
                    double whole, double ms) {
  const struct gpu_model *model = gpu_model_find("maxsum");
  const struct gpu_case *c = gpu_case_find(model, case_name);
  double p[GPU_PARAMETERS_MAX], out[GPU_OUTPUTS_MAX];
  for (size_t i = 0; c->parameters[i].name; i++) p[i] = c->parameters[i].usual;
  p[0] = n;
  if (whole >= 0) p[1] = whole;
  c->evaluate(gpu_archs, p, out);
  double told = out[gpu_model_output(model, "time_ms_max")];
  bool same = fabs(told - ms) <= 0.0051 * told;
  if (!same) printf("\n%s has %g, not %g\n", line, ms, told);
  CU_ASSERT(same);
}

/* A row of a table, which is of the case that its section is of. */
static bool compare_row(const char *line, const char *section) {
  double n, a, b, c, d, e;
  if (!strcmp(section, "### Matrix") &&
      sscanf(line, "| %lf | %lf | %lf | %lf | %lf | %lf |", &n, &a, &b, &c, &d,
             &e) == 6) {
    same_ms(line, "matmul", n, 0, c);
    same_ms(line, "matmul", n, 1, e);
    return true;
  }
  if (sscanf(line, "| 2^%lf | %lf | %lf | %lf | %lf |", &n, &a, &b, &c, &d) !=
      5)
    return false;
  if (!strcmp(section, "### List"))
    same_ms(line, "list_ranking", exp2(n), -1, d);
  else
    same_ms(line, "histogram", exp2(n), -1, c);
  return true;
}

static void test_the_doc_has_these_numbers(void) {
  char line[512], section[16] = "";
  size_t rows = 0;
  FILE *doc = fopen(VAT_TEST_SOURCE "/doc/gpu-models.md", "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
  while (fgets(line, sizeof line, doc)) {
    if (!strncmp(line, "### ", 4)) {
      snprintf(section, sizeof section, "%.15s", line);
      section[4 + strcspn(section + 4, " ,\n")] = '\0';
    }
    rows += compare_row(line, section);
  }
  fclose(doc);
  CU_ASSERT_EQUAL(rows, 6 + 5 + 7);
}

static const struct check_test tests[] = {
    {"the JSON has the keys", test_the_json_has_the_keys},
    {"the table says 21.1 ms", test_the_table_says_21_1_ms},
    {"all cases have JSON", test_all_cases_have_json},
    {"lists are combined", test_lists_are_combined},
    {"refusals", test_refusals},
    {"help has the tables", test_help_has_the_tables},
    {"kernels of a file add up", test_kernels_of_a_file_add_up},
    {"keys are whole", test_keys_are_whole},
    {"a folder is no file", test_a_folder_is_no_file},
    {"bad files are refused", test_bad_files_are_refused},
    {"the doc has these numbers", test_the_doc_has_these_numbers},
#ifdef HAVE_EMU_COUNTED
    {"the emulator counts for it", test_the_emulator_counts},
#endif
    {"the GPU of a results file", test_the_gpu_of_a_results_file},
    {"counts are taken", test_counts_are_taken},
    {"too few counts are none", test_too_few_counts_are_none},
    {"what was not counted is null", test_what_was_not_counted_is_null},
    {0}};

const struct check_suite suite_model = {"vat model", tests, NULL};
