/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines as `perf script` prints them, and files of them. */
#include "experiments/cli/command.h"
#include "experiments/profile/perf_line.h"
#include "experiments/profile/perf_samples.h"
#include "tests/experiments/suites.h"

static struct perf_line line;
static const char *why;

static enum perf_line_kind parse(const char *text) {
  char ended[512];
  why = "";
  snprintf(ended, sizeof ended, "%s\n", text);
  enum perf_line_kind kind = perf_line_parse(ended, &line, &why);
  /* The names point into the line. */
  static char names[2][128];
  snprintf(names[0], sizeof names[0], "%.*s", (int)line.symbol_length,
           line.symbol);
  snprintf(names[1], sizeof names[1], "%.*s", (int)line.object_length,
           line.object);
  line.symbol = names[0];
  line.object = names[1];
  return kind;
}

static void is_sample(const char *text, uint64_t period, uint64_t address,
                      uint64_t ip, const char *symbol, const char *object) {
  CU_ASSERT_EQUAL(parse(text), PERF_LINE_SAMPLE);
  CU_ASSERT_EQUAL(line.period, period);
  CU_ASSERT_EQUAL(line.address, address);
  CU_ASSERT_EQUAL(line.ip, ip);
  CU_ASSERT_STRING_EQUAL(line.symbol, symbol);
  CU_ASSERT_STRING_EQUAL(line.object, object);
}

static void test_line_whole(void) {
  is_sample(
      "prog  4321/4322  [003] 17.123456:       1009 "
      "cpu/mem-loads,ldlat=30/P:     7f12345678a0          5080144 |OP "
      "LOAD|LVL L1 hit|SNP None|TLB L1 hit|LCK No|BLK  N/A               "
      " 37     55d0c0401136 main+0x16 (/usr/bin/prog) 2M",
      1009, 0x7f12345678a0, 0x55d0c0401136, "main", "/usr/bin/prog");
  CU_ASSERT_EQUAL(line.tid, 4322);
  CU_ASSERT_TRUE(line.large);
}

/* Of perf 6.1: page faults of sort. */
static void test_line_of_page_faults(void) {
  is_sample(
      "14799 30974.305154:          1 page-faults:     5638909e4548 "
      "[unknown] (/usr/bin/sort) ffffffff817554ea elf_load "
      "([kernel.kallsyms])",
      1, 0x5638909e4548, 0xffffffff817554ea, "elf_load", "[kernel.kallsyms]");
  is_sample(
      "14799 30974.305229: 1 page-faults: 7f3f306ba110 dl_close_state.2 "
      "(/a b (deleted)) 401136 main (/usr/bin/sort)",
      1, 0x7f3f306ba110, 0x401136, "main", "/usr/bin/sort");
  CU_ASSERT_EQUAL(parse("1 3.5: 1 page-faults: 7f3f306ba110 no_end (/usr/bin"),
                  PERF_LINE_BAD);
}

static void test_line_parts(void) {
  is_sample("4321 17.123456: 1009 ev:p: 7f1a0 37 401136 f(int) (/a (deleted))",
            1009, 0x7f1a0, 0x401136, "f(int)", "/a (deleted)");
  CU_ASSERT_EQUAL(line.tid, 4321);
  CU_ASSERT_FALSE(line.large);
  is_sample("     1009      ev:       7f1a0     401136 [unknown] ([heap]) 4K",
            1009, 0x7f1a0, 0x401136, "", "[heap]");
  CU_ASSERT_EQUAL(line.tid, 0);
  is_sample("17.123456:       1009      7f1a0     401136", 1009, 0x7f1a0,
            0x401136, "", "");
  is_sample("two words   7/8   17.5:  9 ev:   0   401136 operator| (/lib/x)", 9,
            0, 0x401136, "operator|", "/lib/x");
  CU_ASSERT_EQUAL(line.tid, 8);
}

/* A column of numbers has several blanks before it, a symbol one. */
static void test_line_hex_symbol(void) {
  is_sample(" 7 1.5:  9 ev:        7f1a0        37     401136 add (/lib/x)", 9,
            0x7f1a0, 0x401136, "add", "/lib/x");
  is_sample(" 7 1.5:  9 ev:        7f1a0        37     401136 (/lib/x)", 9,
            0x7f1a0, 0x401136, "", "/lib/x");
  is_sample(" 7 1.5:  9 ev: ffffffff81000000 ffffffff82000000 add (/lib/x)", 9,
            0xffffffff81000000, 0xffffffff82000000, "add", "/lib/x");
}

static void test_line_others(void) {
  CU_ASSERT_EQUAL(parse(""), PERF_LINE_EMPTY);
  CU_ASSERT_EQUAL(parse("  \t"), PERF_LINE_EMPTY);
  CU_ASSERT_EQUAL(parse("# captured on: today"), PERF_LINE_EMPTY);
  CU_ASSERT_EQUAL(parse(" 7 1.5: PERF_RECORD_COMM: x"), PERF_LINE_EMPTY);
  CU_ASSERT_EQUAL(parse(" 7 1.5: PERF_RECORD_LOST lost 12"), PERF_LINE_LOST);
}

static void is_bad(const char *text, const char *because) {
  CU_ASSERT_EQUAL(parse(text), PERF_LINE_BAD);
  CU_ASSERT_STRING_EQUAL(why, because);
}

static void test_line_bad(void) {
  is_bad("PERFILE2", "neither a time nor an event");
  is_bad("ev: 7f1a0 401136", "no period");
  is_bad("7 1.5: ev: 7f1a0 401136", "no period before the event");
  is_bad("7 1.5: 0 ev: 7f1a0 401136", "the period is no number of accesses");
  is_bad("7 1.5: 99999999999999999999 ev: 7f1a0 401136",
         "the period is no number of accesses");
  is_bad("7 1.5: 9 ev: main (/bin/x)", "no address behind the period");
  is_bad("7 1.5: 9 ev:", "no address behind the period");
  is_bad("7 1.5: 9 ev: 7f1a0 main (/bin/x)", "no ip behind the address");
  is_bad("7 1.5: 9 ev: 7f1a0", "no ip behind the address");
}

static int read_text(struct perf_samples *samples, const char *text) {
  FILE *file = fmemopen((void *)text, strlen(text), "r");
  int code = perf_samples_read(samples, file, "text");
  fclose(file);
  return code;
}

/* Two threads, each with a clock of its own, which a sample without an address
 * moves, and one of the kernel's memory does not. */
static void test_samples(void) {
  struct perf_samples s;
  CU_ASSERT_EQUAL(read_text(&s,
                            "# comment\n"
                            "8 1.0: 10 ev:   7000   40 f (/x)\n"
                            "7 1.1: 20 ev:   7008   41 [unknown] (/lib/x)\n"
                            "8 1.2: 30 ev:   0      40 f (/x)\n"
                            "8 1.3: 40 ev:   ffff800000000000 40 f (/x)\n"
                            "8 1.4: 50 ev:   7010   40 f (/x)\n"),
                  VAT_OK);
  CU_ASSERT_EQUAL_FATAL(s.count, 3);
  CU_ASSERT_EQUAL(s.threads, 2);
  CU_ASSERT_EQUAL(s.nowhere, 1);
  CU_ASSERT_EQUAL(s.kernel, 1);
  CU_ASSERT_EQUAL(s.accesses, 110);
  CU_ASSERT_EQUAL(s.sample[0].tid, 7);
  CU_ASSERT_EQUAL(s.sample[0].at, 20);
  CU_ASSERT_STRING_EQUAL(s.sample[0].function, "x+0x41");
  CU_ASSERT_EQUAL(s.sample[1].at, 10);
  CU_ASSERT_EQUAL(s.sample[2].at, 90);
  CU_ASSERT_EQUAL(s.sample[2].stands_for, 45);
  CU_ASSERT_STRING_EQUAL(s.sample[2].function, "f");
  CU_ASSERT_EQUAL(perf_samples_thread_end(&s, 1), 3);
  perf_samples_fini(&s);
}

static const struct check_test tests[] = {
    {"a line of page faults", test_line_of_page_faults},
    {"a line with all fields", test_line_whole},
    {"lines with some of them", test_line_parts},
    {"a symbol that looks like a number", test_line_hex_symbol},
    {"comments, other records, lost samples", test_line_others},
    {"damaged lines", test_line_bad},
    {"samples of two threads", test_samples},
    {NULL, NULL}};

const struct check_suite suite_perf_line = {"perf_line", tests, NULL};
