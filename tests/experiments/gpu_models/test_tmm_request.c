/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat model tmm --arch FILE: the machine that a results file tells of. */
#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "tests/experiments/gpu_models/model_told.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static const char sample[] =
    "{\"record\":\"sample\",\"algo\":\"scan\",\"device\":\"emu\",\"n\":64,"
    "\"pages_asked\":\"4k\",\"pages_granted\":{\"4k\":4096},\"granted_ok\":"
    "true,"
    "\"rep\":0,\"ns\":1000,\"ram_ops\":10,\"ns_per_op\":100,\"counters\":{},"
    "\"check\":\"ok\",\"seed\":1}\n";

/* Writes a results file and runs `line` with its path at the end. */
static void run_on(const char *machine, const char *line) {
  struct scratch scratch;
  char whole[700];
  scratch_init(&scratch);
  FILE *file = fopen(scratch_path(&scratch, "file"), "w");
  fprintf(file, "%s\n%s", machine, sample);
  fclose(file);
  snprintf(whole, sizeof whole, "tmm %s %s", line, scratch.path);
  model_run(whole);
  scratch_fini(&scratch);
}

static void test_the_gpu_of_a_results_file(void) {
  static const char gpu[] =
      "{\"record\":\"machine\",\"schema\":1,\"gpu\":{\"name\":\"Some GPU\","
      "\"compute_capability\":[9,0],\"sms\":132,\"clock_khz\":1980000}}";
  run_on(gpu, "scan --n 4096 --L 500 --json --arch");
  json_t *object = json_loads(model_result.out, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(object);
  CU_ASSERT_STRING_EQUAL(json_text_at(object, "arch"), "Some GPU");
  CU_ASSERT_EQUAL(json_number_at(object, "P"), 16896);
  CU_ASSERT_EQUAL(json_number_at(object, "X"), 16);
  json_decref(object);
  run_on(gpu, "scan --n 4096 --arch");
  CU_ASSERT_EQUAL(model_result.code, VAT_USAGE);
  CU_ASSERT_STRING_EQUAL(
      model_result.err,
      "vat: --arch: the record of Some GPU does not have L; give --L, the "
      "cycles of an access to its global memory\n");
  static const char *const unknown[] = {
      "{\"record\":\"machine\",\"schema\":1}",
      "{\"record\":\"machine\",\"schema\":1,\"gpu\":{\"name\":\"a\\u001bc\","
      "\"compute_capability\":[9,0],\"sms\":132}}",
      "{\"record\":\"machine\",\"schema\":1,\"gpu\":{\"name\":\"a\","
      "\"compute_capability\":[9,0],\"sms\":1e300}}"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    run_on(unknown[i], "scan --n 4096 --arch");
    CU_ASSERT_EQUAL(model_result.code, VAT_USAGE);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(model_result.err, "does not describe a GPU, "));
  }
}

static void test_gpus_of_two_results_files(void) {
  static const char *const names[] = {"One GPU", "Two GPU"};
  struct scratch scratch;
  char line[600] = "tmm scan --n 4096 --L 500 --json --arch ";
  scratch_init(&scratch);
  for (size_t i = 0; i < 2; i++) {
    const char *path = scratch_path(&scratch, i ? "two" : "one");
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file,
            "{\"record\":\"machine\",\"schema\":1,\"gpu\":{\"name\":\"%s\","
            "\"compute_capability\":[9,0],\"sms\":132}}\n%s",
            names[i], sample);
    fclose(file);
    strcat(strcat(line, i ? "," : ""), path);
  }
  json_t *lines = model_told_lines(line);
  for (size_t i = 0; i < 2; i++)
    CU_ASSERT_STRING_EQUAL(json_text_at(json_array_get(lines, i), "arch"),
                           names[i]);
  json_decref(lines);
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"the GPU of a results file", test_the_gpu_of_a_results_file},
    {"GPUs of two results files", test_gpus_of_two_results_files},
    {0}};

const struct check_suite suite_tmm_request = {"machines of results files",
                                              tests, NULL};
