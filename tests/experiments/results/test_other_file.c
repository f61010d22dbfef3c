/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "tests/experiments/run_command.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

#define DATA VAT_TEST_SOURCE "/tests/experiments/"

/* How a file is written, and a word of what vat report answers. */
static const struct {
  const char *write, *who, *takes;
} cases[] = {
    {"\"$VAT\" compare --runs 3 --warmup 0 --arm a=true --arm b=true -o f >out",
     "vat compare -o", "vat profile --what-if --timed f"},
    {"\"$VAT\" compare --runs 3 --warmup 0 --arm a=true --arm b=true --json >f",
     "vat compare --json", "--compared f -o DIR"},
    {"cp " DATA "calibration_vm.json f", "vat calibrate -o",
     "give --machine f to vat report"},
    {"cp " DATA "what_if_profile.json f", "vat profile --what-if --json",
     "--profiled f -o DIR"},
    {"echo '{\"record\":\"profile\",\"schema\":2}' >f; echo vat-profile 1 >>f",
     "vat profile --save", "--from f"},
    {"echo \" L 1ffeffe7e0,8\" >t; \"$VAT\" sim t --format lackey --tc-nodes "
     "64 "
     "--json >f",
     "vat sim --json", "vat run -o FILE"},
    {"\"$VAT\" predict --algo permute --n 64 --json >f", "vat predict --json",
     "vat run -o FILE"},
    {"\"$VAT\" doctor --json >f", "vat doctor --json", "vat run -o FILE"},
    {"\"$VAT\" run permute --sizes 64 --pages 4k --reps 1 --json -o r >f",
     "vat run --json", "vat run -o FILE"},
};

static void test_what_vat_wrote_is_named(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char script[600];
    struct scratch scratch;
    struct command_result result;
    scratch_init(&scratch);
    snprintf(script, sizeof script,
             "{ %s; } 2>err; \"$VAT\" report f -o page; code=$?; rm -f *; "
             "exit $code",
             cases[i].write);
    run_shell(&result, scratch.dir, script);
    CU_ASSERT_EQUAL(result.code, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, cases[i].who));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, cases[i].takes));
    CU_ASSERT_PTR_NULL(strstr(result.err, "delete"));
    if (!strstr(result.err, cases[i].who)) printf("\ngot: %s\n", result.err);
    scratch_fini(&scratch);
  }
}

static void test_so_it_is_where_a_comparison_is_wanted(void) {
  struct scratch scratch;
  struct command_result result;
  scratch_init(&scratch);
  run_shell(
      &result, scratch.dir,
      "\"$VAT\" compare --runs 3 --warmup 0 --arm a=true --arm b=true -o f "
      ">out 2>err; \"$VAT\" report -o page --compared f --profiled " DATA
      "what_if_profile.json; code=$?; rm -f *; exit $code");
  CU_ASSERT_EQUAL(result.code, 2);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.err,
                                "not the output of vat compare "
                                "--json, but runs of vat compare "
                                "-o"));
  scratch_fini(&scratch);
}

static void test_so_it_is_by_other_commands(void) {
  static const char *const commands[][2] = {
      {"\"$VAT\" sim r", "r: not a trace, but results of vat run -o"},
      {"\"$VAT\" sim " DATA "calibration_vm.json", "vat calibrate -o"},
      {"\"$VAT\" validate --machine r r",
       "r: not a calibration of vat calibrate -o, but results of vat run"},
      {"\"$VAT\" validate --machine r " DATA "calibration_vm.json",
       "not results of vat run -o, but a calibration of vat calibrate -o"},
      {"\"$VAT\" report r --machine r -o page", "r: not a calibration"},
      {"\"$VAT\" profile --from r",
       "r: not a profile of vat profile --save, but results of vat run -o; "
       "to use it: vat report r -o DIR"},
  };
  struct scratch scratch;
  struct command_result result;
  scratch_init(&scratch);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    char script[600];
    snprintf(script, sizeof script,
             "\"$VAT\" run permute --sizes 64 --pages 4k --reps 1 -o r "
             ">out 2>err; %s; code=$?; rm -f *; exit $code",
             commands[i][0]);
    run_shell(&result, scratch.dir, script);
    CU_ASSERT_EQUAL(result.code, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, commands[i][1]));
  }
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"vat report names what vat wrote, and what takes it",
     test_what_vat_wrote_is_named},
    {"so it is where a comparison is wanted",
     test_so_it_is_where_a_comparison_is_wanted},
    {"so it is by other commands", test_so_it_is_by_other_commands},
    {NULL, NULL},
};

const struct check_suite suite_other_file = {
    .name = "other_file",
    .tests = tests,
};
