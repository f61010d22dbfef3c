/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "experiments/doctor/doctor.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"
#include "tests/huge_pages/fake_machine.h"

static const char *const text_mode[] = {NULL};
static const char *const json_mode[] = {"--json", NULL};
static struct command_result result;

/* What `findings` print, to be freed. */
static char *printed(const struct findings *findings) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  CU_ASSERT_PTR_NOT_NULL_FATAL(out);
  findings_print(out, findings);
  fclose(out);
  return text;
}

static void test_findings_read_as_a_table(void) {
  struct findings f = {.section = "Pages", .sudo = true};
  findings_ok(&f, "4k", "pages of %d KiB", 4);
  findings_missing(&f, "2m", "echo 1 | sudo tee /sys/x", "no pages");
  findings_info(&f, "thp enabled", "never");
  char *text = printed(&f);
  CU_ASSERT_STRING_EQUAL(text,
                         "Pages\n"
                         "  ok  4k                pages of 4 KiB\n"
                         "  --  2m                no pages\n"
                         "    echo 1 | sudo tee /sys/x\n"
                         "      thp enabled       never\n");
  free(text);
  CU_ASSERT_EQUAL(f.missing, 1);
  findings_fini(&f);
}

static void test_equal_lacks_are_told_once(void) {
  struct findings f = {.section = "Counters"};
  static const char *const names[] = {"cycles",      "instructions", "walks",
                                      "walk_cycles", "walks_4k",     "walks_2m",
                                      "walks_1g",    "stlb_hits"};
  for (size_t i = 0; i < 8; i++)
    findings_missing(&f, names[i], "run on metal", "no PMU in this VM");
  findings_missing(&f, "page_faults", "run on metal", "another reason");
  char *text = printed(&f);
  CU_ASSERT_STRING_EQUAL(
      text,
      "Counters\n"
      "  --  cycles, instructions, walks, walk_cycles, walks_4k, walks_2m, "
      "walks_1g,\n"
      "      stlb_hits: no PMU in this VM\n"
      "    run on metal\n"
      "  --  page_faults       another reason\n"
      "    run on metal\n");
  free(text);
  CU_ASSERT_EQUAL(f.missing, 9);
  findings_fini(&f);
}

static void test_long_values_are_broken_between_words(void) {
  struct findings f = {.section = "S"};
  findings_info(&f, "a name that is longer than", "%s",
                "words words words words words words words words words words "
                "words words words words");
  findings_info(&f, "x", "%0100d", 1); /* has no place to be broken */
  char *text = printed(&f);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "longer than\n"));
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    CU_ASSERT_TRUE(strlen(line) <= 80 || strstr(line, "0000000"));
  free(text);
  findings_fini(&f);
}

static void test_long_names_of_events_are_broken_behind_colons(void) {
  struct findings f = {.section = "S"};
  findings_ok(&f, "walks", "PAPI native: %s",
              "L1_DTLB_MISS:TLB_RELOAD_4K_L2_MISS:TLB_RELOAD_COALESCED_PAGE_"
              "MISS:TLB_RELOAD_2M_L2_MISS:TLB_RELOAD_1G_L2_MISS");
  char *text = printed(&f);
  CU_ASSERT_STRING_EQUAL(
      text,
      "S\n"
      "  ok  walks             PAPI native: "
      "L1_DTLB_MISS:TLB_RELOAD_4K_L2_MISS:\n"
      "                        TLB_RELOAD_COALESCED_PAGE_MISS:"
      "TLB_RELOAD_2M_L2_MISS:\n"
      "                        TLB_RELOAD_1G_L2_MISS\n");
  free(text);
  findings_fini(&f);
}

static void check_fix(bool root, bool sudo, const char *expected) {
  struct findings f = {.section = "S", .root = root, .sudo = sudo};
  findings_missing(&f, "x", "sudo a && echo 1 | sudo tee b", "why");
  CU_ASSERT_STRING_EQUAL(f.at[0].fix, expected);
  findings_missing(&f, "x", "pseudo nothing", "why");
  CU_ASSERT_STRING_EQUAL(f.at[1].fix, "pseudo nothing");
  findings_fini(&f);
}

static void test_commands_work_for_who_reads_them(void) {
  check_fix(false, true, "sudo a && echo 1 | sudo tee b");
  check_fix(true, true, "a && echo 1 | tee b");
  check_fix(true, false, "a && echo 1 | tee b");
  check_fix(false, false, "a && echo 1 | tee b  # as root");
}

static void test_overlong_texts_are_cut(void) {
  struct findings f = {.section = "S"};
  char text[2000];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  findings_missing(&f, text, text, "%s", text);
  CU_ASSERT_EQUAL(strlen(f.at[0].name), sizeof f.at[0].name - 1);
  CU_ASSERT_EQUAL(strlen(f.at[0].value), sizeof f.at[0].value - 1);
  CU_ASSERT_TRUE(strlen(f.at[0].fix) < sizeof f.at[0].fix);
  findings_fini(&f);
}

static bool starts(const char *line, const char *with) {
  return !strncmp(line, with, strlen(with));
}

/* "11 missing in 3 entries (--), ..." or "3 missing (--), ...". */
static void check_count(const char *line, size_t entries) {
  size_t missing = 0, said = 0;
  int numbers = sscanf(line, "%zu missing in %zu entries", &missing, &said);
  CU_ASSERT_TRUE(numbers >= 1);
  if (numbers == 2) CU_ASSERT_TRUE(missing > said);
  CU_ASSERT_EQUAL(numbers == 2 ? said : missing, entries);
}

/* Each missing entry is followed by its fix, and the last line counts them. */
static void check_text(const char *text) {
  bool wants_fix = false;
  size_t entries = 0;
  char last[128] = "";
  for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
    CU_ASSERT_PTR_NOT_NULL_FATAL(strchr(line, '\n'));
    bool fix = starts(line, "    ") && line[4] != ' ';
    if (wants_fix) CU_ASSERT_TRUE(fix || starts(line, "      "));
    if (!wants_fix) CU_ASSERT_FALSE(fix);
    wants_fix = (wants_fix && !fix) || starts(line, "  --  ");
    entries += starts(line, "  --  ");
    if (!fix) CU_ASSERT_TRUE(strcspn(line, "\n") <= 80);
    snprintf(last, sizeof last, "%.*s", (int)strcspn(line, "\n"), line);
  }
  CU_ASSERT_FALSE(wants_fix);
  check_count(last, entries);
}

/* The number of missing; -1 if one has no fix. */
static json_int_t check_json(const char *text) {
  json_t *report = json_loads(text, 0, NULL), *finding;
  size_t i;
  json_int_t missing = 0;
  CU_ASSERT_PTR_NOT_NULL_FATAL(report);
  json_array_foreach(json_object_get(report, "findings"), i, finding) {
    const char *fix = json_string_value(json_object_get(finding, "mend"));
    const char *state = json_string_value(json_object_get(finding, "state"));
    bool absent = !strcmp(state, "lack");
    CU_ASSERT_EQUAL(absent, fix && *fix);
    CU_ASSERT_TRUE(*json_string_value(json_object_get(finding, "value")));
    missing += absent;
  }
  CU_ASSERT_TRUE(i > 10);
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(report, "lacks")),
                  missing);
  CU_ASSERT_TRUE(json_is_object(json_object_get(report, "machine")));
  json_decref(report);
  return missing;
}

static json_int_t check_both(bool as_nobody) {
  run_command(&result, cmd_doctor, text_mode, as_nobody);
  CU_ASSERT_EQUAL(result.code, 0);
  if (!running_on_valgrind()) CU_ASSERT_STRING_EQUAL(result.err, "");
  check_text(result.out);
  run_command(&result, cmd_doctor, json_mode, as_nobody);
  CU_ASSERT_EQUAL(result.code, 0);
  if (!running_on_valgrind()) CU_ASSERT_STRING_EQUAL(result.err, "");
  return check_json(result.out);
}

static void test_this_machine_can_be_examined(void) { check_both(false); }

static void test_a_machine_that_tells_nothing_can_be_examined(void) {
  fake_machine_start();
  CU_ASSERT_TRUE(check_both(false) >= 3);
  fake_machine_stop();
}

static void test_paranoia_is_the_users_to_fix(void) {
  fake_machine_start();
  fake_machine_write("/proc/sys/kernel/perf_event_paranoid", "3\n");
  run_command(&result, cmd_doctor, text_mode, false);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(result.out, "sysctl kernel.perf_event_paranoid=2"));
  fake_machine_write("/proc/self/status",
                     "Name:\tvat\nCapEff:\t0000004000000000\n");
  run_command(&result, cmd_doctor, text_mode, false);
  CU_ASSERT_PTR_NULL(strstr(result.out, "sysctl"));
  fake_machine_stop();
}

static void test_bad_usage_exits_2(void) {
  static const char *const bad[][2] = {{"x"}, {"--no-such"}};
  for (size_t i = 0; i < 2; i++) {
    run_command(&result, cmd_doctor, bad[i], false);
    CU_ASSERT_EQUAL(result.code, VAT_USAGE);
    CU_ASSERT_STRING_EQUAL(result.out, "");
  }
}

static const struct check_test tests[] = {
    {"findings read as a table", test_findings_read_as_a_table},
    {"equal missing are told once", test_equal_lacks_are_told_once},
    {"long values are broken between words",
     test_long_values_are_broken_between_words},
    {"long names of events are broken behind colons",
     test_long_names_of_events_are_broken_behind_colons},
    {"commands work for who reads them", test_commands_work_for_who_reads_them},
    {"overlong texts are cut", test_overlong_texts_are_cut},
    {"this machine can be examined", test_this_machine_can_be_examined},
    {"a machine that tells nothing can be examined",
     test_a_machine_that_tells_nothing_can_be_examined},
    {"paranoia is the users' to fix", test_paranoia_is_the_users_to_fix},
    {"bad usage exits 2", test_bad_usage_exits_2},
    {0}};

const struct check_suite suite_doctor = {"doctor", tests, NULL};

static void test_nobody_can_examine_this_machine(void) {
  CU_ASSERT_TRUE(check_both(true) >= 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "run --reserve"));
}

static const char *skip(void) {
  return geteuid() ? "not root: cannot become nobody" : NULL;
}

static const struct check_test nobody_tests[] = {
    {"nobody can examine this machine", test_nobody_can_examine_this_machine},
    {0}};

const struct check_suite suite_doctor_nobody = {"doctor: as nobody",
                                                nobody_tests, skip};
