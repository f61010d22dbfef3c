/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat merge: what it keeps, what it refuses, and what it misses. */
#include <config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/results/results.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

#define MACHINE(cpu, memory)                                        \
  "{\"record\":\"machine\",\"schema\":1,\"cpu\":{\"vendor\":\"" cpu \
  "\"},\"memory_bytes\":" memory "}\n"
#define ONE MACHINE("one", "1000000")
#define ONE_TOO MACHINE("one", "1000100")
#define OTHER MACHINE("other", "1000000")
/* Two points of a repetition each. */
#define PLAN(shard)                                                     \
  "{\"record\":\"plan\",\"algos\":[{\"name\":\"permute\",\"sizes\":[8," \
  "16]}],\"pages\":[\"4k\"],\"reps\":1" shard "}\n"
#define SHARD(pair) PLAN(",\"shard\":" pair)
#define SAMPLE_MORE(n, rep, more)                                              \
  "{\"record\":\"sample\",\"algo\":\"permute\",\"device\":\"cpu\",\"n\":" n    \
  ",\"pages_asked\":\"4k\",\"pages_granted\":{\"4k\":4096},\"rep\":" rep       \
  ",\"ns\":80,\"ram_ops\":8,\"ns_per_op\":10,\"counters\":{},\"check\":\"ok\"" \
  ",\"seed\":1" more "}\n"
#define SAMPLE(n, rep) SAMPLE_MORE(n, rep, "")

static struct scratch scratch;
static struct command_result result;

/* vat merge ARGUMENTS in a folder where a and b are. */
static void merge(const char *a, const char *b, const char *arguments) {
  char script[300];
  scratch_init(&scratch);
  scratch_write(&scratch, "a", a, strlen(a));
  scratch_write(&scratch, "b", b, strlen(b));
  snprintf(script, sizeof script, "\"$VAT\" merge %s", arguments);
  run_shell(&result, scratch.dir, script);
}

static bool merged_is(const char *expected) {
  size_t count;
  char *text = scratch_read(scratch_path(&scratch, "out"), &count);
  bool same = text ? !strcmp(text, expected) : !*expected;
  if (!same) printf("\nexpected:\n%sgot:\n%s", expected, text ? text : "");
  free(text);
  return same;
}

/* Exit 2 with one line that begins so, and nothing written. */
static bool refuses(const char *a, const char *b, const char *arguments,
                    const char *says) {
  merge(a, b, arguments);
  const char *end = strchr(result.err, '\n');
  bool refused = result.code == VAT_USAGE && end && !end[1] &&
                 !strncmp(result.err, says, strlen(says)) && merged_is("");
  if (!refused) printf("\n%s: exit %d, %s", arguments, result.code, result.err);
  scratch_fini(&scratch);
  return refused;
}

static void test_every_line_is_kept(void) {
  static const char a[] =
      ONE "{\"record\":\"weather\",\"sun\" : true}\n" SAMPLE("8", "0")
          SAMPLE_MORE("8", "1", ",\"later\":  [1]");
  static const char b[] = OTHER SAMPLE("8", "0");
  char both[2048];
  snprintf(both, sizeof both, "%s%s", a, b);
  merge(a, b, "a b -o out");
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT_STRING_EQUAL(result.out,
                         "out: 2 runs, 2 kinds of machine, 3 samples\n");
  CU_ASSERT_STRING_EQUAL(result.err, "");
  CU_ASSERT(merged_is(both));
  scratch_fini(&scratch);
}

static void test_a_merged_file_can_be_merged(void) {
  merge(ONE SAMPLE("8", "0"), ONE_TOO SAMPLE("8", "1"),
        "a -o c && \"$VAT\" merge c b -o out");
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT(merged_is(ONE SAMPLE("8", "0") ONE_TOO SAMPLE("8", "1")));
  scratch_fini(&scratch);
}

static void test_half_a_line_is_dropped_and_told(void) {
  merge(ONE SAMPLE("8", "0") "{\"rec", OTHER SAMPLE("8", "0"), "a b -o out");
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT(!strncmp(result.err, "vat: a: an incomplete last line", 31));
  CU_ASSERT(merged_is(ONE SAMPLE("8", "0") OTHER SAMPLE("8", "0")));
  scratch_fini(&scratch);
}

/* By the machine's kind: a little memory that firmware keeps is no other. */
static void test_duplicates_name_both_lines(void) {
  CU_ASSERT(refuses(ONE SAMPLE("8", "0"), ONE_TOO SAMPLE("8", "0"),
                    "a b -o out", "vat: b:2: repeats the sample of a:2"));
  CU_ASSERT(refuses(ONE SAMPLE("8", "0") SAMPLE("16", "0"),
                    ONE SAMPLE("8", "1") SAMPLE("16", "0") SAMPLE("8", "0"),
                    "a b -o out", "vat: b:3: repeats the sample of a:3"));
  CU_ASSERT(refuses(ONE SAMPLE("8", "0"), "", "a a -o out",
                    "vat: a:2: repeats the sample of a:2"));
  CU_ASSERT(refuses(ONE SAMPLE("8", "0") OTHER SAMPLE("8", "0"),
                    ONE SAMPLE("8", "0"), "a b -o out",
                    "vat: b:2: repeats the sample of a:2"));
}

static void test_another_schema_is_refused(void) {
  CU_ASSERT(refuses(ONE SAMPLE("8", "0"),
                    "{\"record\":\"machine\",\"schema\":2}\n", "a b -o out",
                    "vat: b:1: has schema 2, but this vat reads 1"));
}

static void test_what_is_no_results_file(void) {
  CU_ASSERT(refuses(ONE SAMPLE("8", "0"), "", "a b -o out", "vat: b: empty"));
  CU_ASSERT(refuses(ONE SAMPLE("8", "0"), "hello\n", "a b -o out",
                    "vat: b:1: not JSON"));
  CU_ASSERT(refuses(ONE SAMPLE("8", "0"), ONE, "a b -o out",
                    "vat: b: contains no plan and no sample of vat run"));
  CU_ASSERT(refuses(ONE SAMPLE("8", "0"), "", "a c -o out", "vat: c: No such"));
  CU_ASSERT(
      refuses(ONE SAMPLE("8", "0"), "", "a . -o out", "vat: .: is a folder"));
}

static void test_bad_usage(void) {
  CU_ASSERT(refuses("", "", "-o out", "vat: nothing to merge"));
  CU_ASSERT(refuses("", "", "a b", "vat: no output file"));
  CU_ASSERT(refuses("", "", "a b -o ''", "vat: --output: '' is not"));
  CU_ASSERT(refuses("", "", "a b -o -", "vat: -o -: results can only"));
  CU_ASSERT(refuses("", "", "a b -o /dev/null", "vat: -o /dev/null: is not"));
  CU_ASSERT(refuses(ONE SAMPLE("8", "0"), "", "a -o a", "vat: -o a: is one"));
  CU_ASSERT(refuses(ONE SAMPLE("8", "0"), "", "a -o ./a", "vat: -o ./a: is"));
  CU_ASSERT(refuses(ONE SAMPLE("8", "0"), "", "a -o no/where", "vat: -o no/"));
}

static void test_a_refusal_leaves_what_was_there(void) {
  merge(ONE SAMPLE("8", "0"), "hello\n",
        "a -o out && \"$VAT\" merge a b -o out; ls -A | wc -l");
  CU_ASSERT(merged_is(ONE SAMPLE("8", "0")));
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\n3\n")); /* no temporary file */
  scratch_fini(&scratch);
}

static void test_missing_shards_are_told(void) {
  merge(ONE SHARD("[1,2]") SAMPLE("8", "0"),
        OTHER SHARD("[2,2]") SAMPLE("16", "0"), "a b -o out");
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT_STRING_EQUAL(result.err, "");
  scratch_fini(&scratch);
  merge(ONE SHARD("[2,2]") SAMPLE("16", "0"), "", "a -o out");
  CU_ASSERT_EQUAL(result.code, VAT_FAILED);
  same_text(result.err,
            "vat: out: shard 1 of 2 of the sweep of a is missing; add its "
            "file\n");
  CU_ASSERT(merged_is(ONE SHARD("[2,2]") SAMPLE("16", "0")));
  scratch_fini(&scratch);
}

#define REPS_2                                                          \
  "{\"record\":\"plan\",\"algos\":[{\"name\":\"permute\",\"sizes\":[8," \
  "16]}],\"pages\":[\"4k\"],\"reps\":2,\"shard\":[2,2]}\n"

static void test_shards_of_two_commands_are_told(void) {
  merge(ONE SHARD("[1,2]") SAMPLE("8", "0"),
        ONE REPS_2 SAMPLE("16", "0") SAMPLE("16", "1"), "a b -o out");
  CU_ASSERT_EQUAL(result.code, VAT_FAILED);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(result.err,
             "vat: out: shard 2 of b belongs to another sweep than a "
             "(\"reps\" differs); measure all shards with the same command\n"));
  scratch_fini(&scratch);
}

static void test_unfinished_shards_are_told(void) {
  merge(ONE PLAN("") SAMPLE("8", "0"), "", "a -o out");
  CU_ASSERT_EQUAL(result.code, VAT_FAILED);
  same_text(result.err,
            "vat: a: 1 of its 2 samples are missing; measure them with vat run "
            "--resume -o a\n");
  scratch_fini(&scratch);
  merge(ONE PLAN(",\"time_budget_s\":1") SAMPLE("8", "0"), "", "a -o out");
  CU_ASSERT_EQUAL(result.code, VAT_OK); /* the time was up */
  scratch_fini(&scratch);
}

static struct results *machines;
static size_t count;
static char error[RESULTS_ERROR_SIZE];

static int read_both(const char *a) {
  scratch_init(&scratch);
  int failed = results_read_machines(
      &machines, &count, scratch_write(&scratch, "a", a, strlen(a)), error);
  scratch_fini(&scratch);
  return failed;
}

static void free_machines(void) {
  while (count) results_fini(&machines[--count]);
  free(machines);
}

static void test_samples_find_their_machine(void) {
  static const char text[] = ONE SAMPLE("8", "0") OTHER SAMPLE("8", "0")
      SAMPLE("8", "1") ONE_TOO SAMPLE("16", "0") SAMPLE("16", "1") "{";
  CU_ASSERT_EQUAL_FATAL(read_both(text), 0);
  CU_ASSERT_EQUAL_FATAL(count, 2);
  CU_ASSERT_EQUAL(machines[0].count, 3);
  CU_ASSERT_EQUAL(machines[0].runs, 2);
  CU_ASSERT_EQUAL(machines[0].samples[2].n, 16);
  CU_ASSERT_EQUAL(machines[0].samples[2].line, 8);
  CU_ASSERT_EQUAL(machines[1].count, 2);
  CU_ASSERT_EQUAL(machines[1].runs, 1);
  CU_ASSERT_TRUE(machines[0].cut);
  CU_ASSERT_TRUE(machines[1].cut);
  free_machines();
  CU_ASSERT_EQUAL(read_both(ONE SAMPLE("8", "0") OTHER ONE SAMPLE("8", "0")),
                  -1);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, ":5: repeats the sample of line 2"));
  CU_ASSERT_EQUAL(count, 0);
}

static void test_machines_of_one_kind(void) {
  static const struct {
    const char *a, *b;
    bool same;
  } pairs[] = {
      {"{}", "{}", true},
      {"{\"cpu\":1}", "{}", false},
      {"{\"cpu\":1,\"memory_bytes\":1000}", "{\"cpu\":1,\"memory_bytes\":990}",
       true},
      {"{\"memory_bytes\":1000}", "{\"memory_bytes\":980}", false},
      {"{\"vm\":{\"is_vm\":true}}", "{\"vm\":{\"is_vm\":false}}", false},
      {"{\"gpu\":{\"name\":\"a\"}}", "{\"gpu\":{\"name\":\"b\"}}", false},
      {"{\"gpu\":{\"name\":\"a\"}}", "{\"gpu\":null}", false},
      {"{\"gpu\":null,\"time\":1}", "{\"time\":2}", true},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    json_t *a = json_loads(pairs[i].a, 0, NULL);
    json_t *b = json_loads(pairs[i].b, 0, NULL);
    CU_ASSERT_EQUAL(results_same_machine(a, b), pairs[i].same);
    CU_ASSERT_EQUAL(results_same_machine(b, a), pairs[i].same);
    json_decref(a);
    json_decref(b);
  }
}

static const struct check_test tests[] = {
    {"every line is kept", test_every_line_is_kept},
    {"a merged file can be merged", test_a_merged_file_can_be_merged},
    {"half a line is dropped and told", test_half_a_line_is_dropped_and_told},
    {"duplicates name both lines", test_duplicates_name_both_lines},
    {"another schema is refused", test_another_schema_is_refused},
    {"what is no results file", test_what_is_no_results_file},
    {"bad usage", test_bad_usage},
    {"a refusal leaves what was there", test_a_refusal_leaves_what_was_there},
    {"missing shards are told", test_missing_shards_are_told},
    {"shards of two commands are told", test_shards_of_two_commands_are_told},
    {"unfinished shards are told", test_unfinished_shards_are_told},
    {"samples find their machine", test_samples_find_their_machine},
    {"machines of one kind", test_machines_of_one_kind},
    {0},
};

const struct check_suite suite_merge = {.name = "merge", .tests = tests};
