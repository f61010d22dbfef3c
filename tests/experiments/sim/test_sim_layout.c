/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `vat sim --layout`: files, and that the simulation has what they say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/json_file.h"
#include "experiments/sim/layout_file.h"
#include "experiments/sim/mixed_tlb_option.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static struct scratch scratch;

static int parse(struct layout_file *file, const char *text, size_t length,
                 char why[LAYOUT_FILE_WHY]) {
  FILE *stream = fmemopen((void *)(uintptr_t)text, length, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
  int failed = layout_file_parse(file, stream, why);
  fclose(stream);
  return failed;
}

static void test_a_file(void) {
  static const char text[] =
      "# heap\n\n 7f0000000000-0x7f0000200000\t2m # behind it\r\ndefault 64k\n"
      "0-1 4k";
  struct layout_file file;
  char why[LAYOUT_FILE_WHY];
  CU_ASSERT_EQUAL_FATAL(parse(&file, text, sizeof text - 1, why), 0);
  CU_ASSERT_EQUAL(file.count, 2);
  CU_ASSERT_EQUAL(file.range[0].start, 0x7f0000000000);
  CU_ASSERT_EQUAL(file.range[0].end, 0x7f0000200000);
  CU_ASSERT_EQUAL(file.range[0].page_bits, 21);
  CU_ASSERT_EQUAL(file.line[0], 3);
  CU_ASSERT_EQUAL(file.line[1], 5);
  CU_ASSERT_EQUAL(file.default_bits, 16);
  CU_ASSERT_EQUAL(layout_file_largest(&file), 21);
  layout_file_fini(&file);
}

static void test_files_that_are_none(void) {
  static const char *const wrong[][2] = {
      {"0-1 4k\nx\n", "2: not two words"},
      {"0-1 4k 4k", "1: not two words"},
      {"0-1 3k", "1: no page size"},
      {"0-1 64", "1: no page size"},
      {"0x-1 4k", "1: no range"},
      {"-1-2 4k", "1: no range"},
      {"0-g 4k", "1: no range"},
      {"0-1- 4k", "1: no range"},
      {"0-10000000000000000 4k", "1: no range"},
      {"5-5 4k", "1: the range ends"},
      {"default 4k\n\ndefault 2m", "3: default is given twice"}};
  struct layout_file file;
  char why[LAYOUT_FILE_WHY];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    *why = '\0';
    CU_ASSERT_EQUAL(parse(&file, wrong[i][0], strlen(wrong[i][0]), why), -1);
    CU_ASSERT(!strncmp(why, wrong[i][1], strlen(wrong[i][1])));
    CU_ASSERT_EQUAL(file.count, 0);
  }
  CU_ASSERT_EQUAL(parse(&file, "\0\n", 2, why), -1);
  CU_ASSERT_STRING_EQUAL(why, "1: a NUL byte; this is no text");
  char endless[5000];
  memset(endless, 'a', sizeof endless);
  CU_ASSERT_EQUAL(parse(&file, endless, sizeof endless, why), -1);
  CU_ASSERT_STRING_EQUAL(why, "1: a line of 4096 bytes; this is no layout");
}

/* A page of 2 MiB, one of 16 KiB at 0x204000, and base pages before and behind
 * it: 0x203000 and 0x208000. */
#define BY_HAND                                                         \
  "printf '0-200000 2m\\n204000-208000 16k\\n' >l;"                     \
  "printf '0\\n0x1ff000\\n0x204000\\n0x207fff\\n0x203000\\n0x208000\\n" \
  "0x205000\\n' |"

static void test_by_hand(void) {
  scratch_init(&scratch);
  same_text(
      run_sim(scratch.dir, BY_HAND, "- --layout l --json --tc-nodes 9"),
      "{\"policy\": \"islru\", \"tc_nodes\": 9, \"page_bits\": 12, "
      "\"index_bits\": 9, \"levels\": 2, \"layout\": {\"default_page_bits\": "
      "12, \"ranges\": [{\"page_bits\": 14, \"ranges\": 1, \"bytes\": 16384}, "
      "{\"page_bits\": 21, \"ranges\": 1, \"bytes\": 2097152}]}, "
      "\"accesses\": 7, \"translations\": 7, \"misses\": 6, "
      "\"misses_by_layer\": [3, 2, 1]}\n");
  same_text(run_sim(scratch.dir, BY_HAND,
                    "- --layout l --json --tlb l1=4x1,l1-2m=1x1 --levels 3"),
            "{\"policy\": \"tlb\", \"tlb\": {\"l1\": [4, 1], \"l2\": null, "
            "\"pwc\": null, \"l1-2m\": [1, 1]}, \"page_bits\": 12, "
            "\"index_bits\": 9, \"levels\": 3, \"layout\": "
            "{\"default_page_bits\": 12, \"ranges\": [{\"page_bits\": 14, "
            "\"ranges\": 1, \"bytes\": 16384}, {\"page_bits\": 21, "
            "\"ranges\": 1, \"bytes\": 2097152}]}, \"accesses\": 7, "
            "\"translations\": 7, \"misses\": 11, \"misses_by_layer\": "
            "[3, 4, 4, 0]}\n");
  const char *text = run_sim(scratch.dir, BY_HAND, "- --layout l");
  CU_ASSERT_PTR_NOT_NULL(
      strstr(text,
             "layout: 1 range of 16 KiB with pages of 16 KiB; 1 range of 2 MiB "
             "with pages of 2 MiB; the rest with pages of 4 KiB\n"));
  scratch_fini(&scratch);
}

/* All pages of 2 MiB: the lines of the plain tree, one layer up. */
static void uniform(const char *options) {
  char arguments[256], mixed[4096];
  snprintf(arguments, sizeof arguments, "t %s --layout l --json", options);
  const char *said = run_sim(scratch.dir, "", arguments);
  const char *misses = strstr(said, "\"accesses\"");
  CU_ASSERT_PTR_NOT_NULL_FATAL(misses);
  snprintf(mixed, sizeof mixed, "%s", misses);
  char *first = strstr(mixed, "[0, ");
  CU_ASSERT_PTR_NOT_NULL_FATAL(first);
  memmove(first + 1, first + 4, strlen(first + 3));
  snprintf(arguments, sizeof arguments, "t %s --page-bits 21 --json", options);
  said = run_sim(scratch.dir, "", arguments);
  same_text(mixed, strstr(said, "\"accesses\""));
}

static void test_uniform_layouts_are_plain(void) {
  scratch_init(&scratch);
  scratch_write(&scratch, "l", "default 2m\n", 11);
  run_sim(
      scratch.dir,
      "awk 'BEGIN { for (i = x = 1; i < 3000; i++) { x = x * 69069 % 65536; "
      "print \"0x\" int(x / 1024) * 200000 } }' >t;",
      "t --page-bits 21");
  uniform("--policy lru --tc-nodes 5");
  uniform("--policy islru --tc-nodes 9");
  uniform("--policy min --tc-nodes 6");
  uniform("--policy plru --tc-nodes 7");
  uniform("--tlb l1=2x1,l2=4x2");
  scratch_fini(&scratch);
}

static void test_nested(void) {
  scratch_init(&scratch);
  const char *said = run_sim(
      scratch.dir, BY_HAND,
      "- --nested split --layout l --host-layout l --host-levels 4 --json");
  /* Paths of 2, 2, 3, 3, 3, 3 and 3 nodes, and the data. */
  CU_ASSERT_PTR_NOT_NULL(strstr(said, "\"host\": {\"tc_nodes\": 1536, "));
  CU_ASSERT_PTR_NOT_NULL(strstr(said, "\"translations\": 26, "));
  CU_ASSERT_PTR_NOT_NULL(strstr(said, "\"host_layout\": {"));
  scratch_fini(&scratch);
}

static void test_refused(void) {
  scratch_init(&scratch);
  scratch_write(&scratch, "t", "0\n", 2);
  static const char *const refusals[][2] = {
      {"echo 0-2000 4k >l; echo 1000-3000 4k >>l; \"$VAT\" sim t --layout l",
       "l:2: this range overlaps with that of line 1"},
      {"echo default 1k >l; \"$VAT\" sim t --layout l",
       "l: pages of 1 KiB are smaller than the tree's, 4 KiB"},
      {"echo default 2m >l; \"$VAT\" sim t --layout l --levels 1",
       "l: pages of 2 MiB would be on layer 1 of a tree of 1 levels"},
      {"echo x >l; \"$VAT\" sim t --layout l", "l:1: not two words"},
      {"\"$VAT\" sim t --layout none", "--layout none: No such file"},
      {"\"$VAT\" sim t --layout l --all-w", "--layout and --all-w exclude"},
      {"\"$VAT\" sim t --host-layout l", "--host-layout"},
      {"\"$VAT\" sim t --tlb l1=4x4,l1-4k=4x4", "--tlb l1=4x4,l1-4k=4x4: not"}};
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
    shell_refuses(scratch.dir, refusals[i][0], refusals[i][1]);
  scratch_fini(&scratch);
}

static void test_shapes_as_text(void) {
  static const char *const wrong[] = {"",
                                      "l1=4x4,",
                                      "l1-2m=4x4",
                                      "l1=4x4,l1-2m=4x4,l1-2m=4x4",
                                      "l1=4x4,l2-2m=4x4",
                                      "l1=4x4,l1-3m=4x4",
                                      "l1=4x4,l1-2m=4x3",
                                      "l1=4x4,l3-2m=4x4",
                                      "l1=4x4,coalesce=4k",
                                      "l1=4x4,coalesce=128k",
                                      "l1=4x4,coalesce=16k,coalesce=16k",
                                      ("l1=4x4,l1-8k=4x4,l1-16k=4x4,l1-32k=4x4,"
                                       "l1-64k=4x4,l1-128k=4x4")};
  struct mixed_tlb_shape shape;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (!mixed_tlb_parse(wrong[i], &shape)) CU_FAIL("a shape that is none");
  CU_ASSERT_EQUAL(mixed_tlb_parse("l2-1g=16x4,coalesce=32k,l1=64x4,l1-1g=4x4,"
                                  "l2=1536x12,l1-2m=32x4",
                                  &shape),
                  0);
  CU_ASSERT_EQUAL(shape.from[0].page_bits, 21);
  CU_ASSERT_EQUAL(shape.from[0].level[0].entries, 32);
  CU_ASSERT_EQUAL(shape.from[0].level[1].entries, 0);
  CU_ASSERT_EQUAL(shape.from[1].page_bits, 30);
  CU_ASSERT_EQUAL(shape.from[1].level[1].ways, 4);
  CU_ASSERT_EQUAL(shape.from[2].page_bits, 0);
  CU_ASSERT_EQUAL(shape.coalesce_bits, 15);
}

/* A calibration whose entries hold `joined` base pages; NULL: undecided. */
static void write_machine(const char *name, json_t *joined) {
  char path[600], why[400];
  json_t *cal =
      json_file_read(VAT_TEST_SOURCE "/tests/experiments/calibration_vm.json",
                     why, sizeof why);
  CU_ASSERT_PTR_NOT_NULL_FATAL(cal);
  json_t *none = json_pack("{s:n,s:n,s:n}", "value", "lo", "hi");
  json_t *reach = json_pack("{s:O,s:O,s:O,s:O,s:O}", "1", none, "2", none, "4",
                            none, "8", none, "16", none);
  json_object_set_new(
      cal, "coalescing",
      json_pack("{s:n,s:s,s:i,s:[{s:o,s:o,s:o}],s:[]}", "absent", "proof",
                "smaps", "page_bytes", 4096, "tlb", "entries", none, "reach",
                reach, "joined", joined, "points"));
  snprintf(path, sizeof path, "%s/%s", scratch.dir, name);
  CU_ASSERT_EQUAL_FATAL(json_dump_file(cal, path, JSON_COMPACT), 0);
  json_decref(cal);
}

/* What vat calibrate found is as good as the size. */
static void test_coalescing_by_calibration(void) {
  static const char sim[] =
      "\"$VAT\" sim --algo permute --n 2^16 --tlb l1=64x4,coalesce=";
  struct command_result by_size, by_file;
  char script[300];
  scratch_init(&scratch);
  write_machine("four.json", json_integer(4));
  write_machine("one.json", json_integer(1));
  write_machine("none.json", json_null());
  snprintf(script, sizeof script, "%s16k", sim);
  run_shell(&by_size, scratch.dir, script);
  if (by_size.code == 3) { /* built without address streams */
    scratch_fini(&scratch);
    return;
  }
  snprintf(script, sizeof script, "%sfour.json", sim);
  run_shell(&by_file, scratch.dir, script);
  CU_ASSERT_EQUAL(by_file.code, 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(by_file.out, "holds 16 KiB"));
  same_text(by_file.out, by_size.out);
  snprintf(script, sizeof script, "%sone.json", sim);
  run_shell(&by_file, scratch.dir, script);
  CU_ASSERT_EQUAL(by_file.code, 0);
  CU_ASSERT_PTR_NULL(strstr(by_file.out, "holds"));
  snprintf(script, sizeof script, "%snone.json", sim);
  run_shell(&by_file, scratch.dir, script);
  CU_ASSERT_EQUAL(by_file.code, 3);
  CU_ASSERT_PTR_NOT_NULL(strstr(by_file.err, "(undecided); fix: "));
  run_shell(
      &by_file, scratch.dir,
      "\"$VAT\" sim --algo permute --n 2^10 --tlb here,coalesce=one.json");
  /* Not every processor tells of its TLBs. */
  if (by_file.code != 3)
    CU_ASSERT_PTR_NOT_NULL(strstr(by_file.err, "is from another machine"));
  snprintf(script, sizeof script, "%sfour.json,coalesce=8k", sim);
  shell_refuses(scratch.dir, script, "--tlb l1=64x4,coalesce=four.json,coal");
  shell_refuses(scratch.dir,
                "\"$VAT\" sim --algo permute --n 2^10 --tlb "
                "l1=64x4,coalesce=./no",
                "./no: No such file");
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"a file", test_a_file},
    {"files that are none", test_files_that_are_none},
    {"by hand", test_by_hand},
    {"uniform layouts are plain", test_uniform_layouts_are_plain},
    {"nested", test_nested},
    {"refused", test_refused},
    {"shapes as text", test_shapes_as_text},
    {"coalescing by calibration", test_coalescing_by_calibration},
    {NULL, NULL}};

const struct check_suite suite_sim_layout = {"sim_layout", tests, NULL};
