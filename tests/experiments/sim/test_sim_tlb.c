/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `vat sim --tlb`. */
#include <config.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/machine/tlb_here.h"
#include "experiments/sim/itlb_option.h"
#include "experiments/sim/tlb_option.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"
#include "tests/vat/reference_tlb.h"

static struct scratch scratch;

static void leave_scratch(void) {
  scratch_fini(&scratch);
  *scratch.dir = '\0';
}

/* Two entries in two sets, then eight in one: tests/vat/test_tlb.c has the same
 * pages, and what a walk to each reads. */
#define BY_HAND                                                                \
  "printf '0\\n0\\n0x1000\\n0x2000\\n0\\n0x8000\\n0x1000\\n0x9000\\n0x4000\\n" \
  "0x2000\\n' |"

static void test_by_hand(void) {
  same_text(run_sim(NULL, BY_HAND,
                    "- --tlb l1=2x1,l2=8x8,pwc=4x4 --index-bits 2 --levels 3 "
                    "--json"),
            "{\"policy\": \"tlb\", \"tlb\": {\"l1\": [2, 1], \"l2\": [8, 8], "
            "\"pwc\": [4, 4]}, \"page_bits\": 12, \"index_bits\": 2, "
            "\"levels\": 3, \"accesses\": 10, \"translations\": 10, "
            "\"misses\": 10, \"misses_by_layer\": [6, 3, 1, 0]}\n");
  const char *text = run_sim(NULL, BY_HAND, "- --tlb l1=2x1,pwc=4x4");
  CU_ASSERT_PTR_NOT_NULL(strstr(
      text,
      "TLB: 2 entries in 1 ways; page-walk cache of a layer: 4 entries in 4 "
      "ways\n"));
}

static uint64_t state;

static uint64_t below(uint64_t m) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (state >> 33) % m;
}

enum { ACCESSES = 4000 };

/* Writes a trace, and counts what walks read of each layer. */
static void make_trace(const struct vat_tree *tree,
                       const struct tlb_shape *shape, uint64_t count[5]) {
  static struct tlb_reference all;
  static char text[ACCESSES * 16];
  size_t used = 0;
  uint64_t page = 0;
  tlb_reference_init(&all, tree, shape);
  for (uint64_t now = 1; now <= ACCESSES; now++) {
    if (!below(6)) page = below(TLB_REFERENCE_KEYS);
    page = (page + below(5)) % TLB_REFERENCE_KEYS;
    used += (size_t)sprintf(text + used, "0x%" PRIx64 "\n",
                            page << tree->page_bits | below(4096));
    for (unsigned n = tlb_reference_access(&all, page, now); n-- > 0;)
      count[n]++;
  }
  scratch_write(&scratch, "t", text, used);
}

/* On a text trace, and on a packed one. */
static void test_any_shape_agrees_with_the_definition(void) {
  static const char *const shapes[] = {
      "l1=16x4", "l1=8x2,pwc=4x1", "l1=4x1,l2=48x3", "l1=64x4,l2=96x12,pwc=8x8",
      "pwc=2x2,l2=16x16,l1=1x1"};
  const struct vat_tree tree = {3, 12, 4};
  scratch_init(&scratch);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    uint64_t count[5] = {0};
    struct tlb_shape shape;
    char arguments[200], expected[200];
    state = i + 1;
    CU_ASSERT_EQUAL_FATAL(tlb_shape_parse(shapes[i], &shape), 0);
    make_trace(&tree, &shape, count);
    snprintf(expected, sizeof expected,
             "\"misses_by_layer\": [%" PRIu64 ", %" PRIu64 ", %" PRIu64
             ", %" PRIu64 ", 0]}\n",
             count[0], count[1], count[2], count[3]);
    snprintf(arguments, sizeof arguments,
             "t --tlb %s --index-bits 3 --levels 4 --json", shapes[i]);
    const char *said = run_sim(scratch.dir, "", arguments);
    const char *misses = strstr(said, "\"misses_by_layer\"");
    CU_ASSERT_PTR_NOT_NULL_FATAL(misses);
    same_text(misses, expected);
  }
  leave_scratch();
}

static void test_streams_of_algorithms(void) {
  const char *of = "--algo permute --n 3000 --tlb l1=8x2,l2=32x4 --json";
  char stream[1024];
  scratch_init(&scratch);
  snprintf(stream, sizeof stream, "%s", run_sim(scratch.dir, "", of));
  same_text(run_sim(scratch.dir,
                    "\"$VAT\" trace --algo permute --n 3000 --format vat -o t;",
                    "t --tlb l1=8x2,l2=32x4 --json"),
            stream);
  leave_scratch();
}

static void test_shapes_as_text(void) {
  static const char *const wrong[] = {"",
                                      "l2=64x4",
                                      "l1=64",
                                      "l1=64x4,",
                                      "l1=12x4",
                                      "l1=64x4,l1=8x8",
                                      "l1=+64x4",
                                      "l1=64x 4",
                                      "l1=64x4 ",
                                      "l1=x4",
                                      "l1=64x4;l2=",
                                      "l1=99999999x1",
                                      "l3=64x4",
                                      "l1=0x0",
                                      "l1=-1x1",
                                      "l1=64x4,l2=0x4",
                                      "l1=64,l2=4x4"};
  struct tlb_shape shape;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (!tlb_shape_parse(wrong[i], &shape)) CU_FAIL("a shape that is none");
  CU_ASSERT_EQUAL(tlb_shape_parse("pwc=32x4,l2=1536x12,l1=64x4", &shape), 0);
  CU_ASSERT_EQUAL(shape.level[0].entries, 64);
  CU_ASSERT_EQUAL(shape.level[1].ways, 12);
  CU_ASSERT_EQUAL(shape.walk.entries, 32);
  CU_ASSERT_EQUAL(tlb_shape_parse("l1=64x4", &shape), 0);
  CU_ASSERT_EQUAL(shape.level[1].entries, 0);
}

/* As a Zen 3 tells: first level 64 entries, full, second 2048 of 8 ways or some
 * more.  A Zen 4: 72, full, and 3072, of which 12 ways are whole sets. */
static uint32_t told[2];
static void amd(uint32_t leaf, uint32_t subleaf, uint32_t regs[4]) {
  (void)subleaf;
  memset(regs, 0, 4 * sizeof *regs);
  if (leaf == 0) regs[0] = 0x10;
  if (leaf == 0x80000000) regs[0] = 0x80000023;
  if (leaf == 0x80000005) regs[1] = told[0];
  if (leaf == 0x80000006) regs[1] = told[1];
}

/* Of instructions; of stores; of loads 16 sets of 6 ways; of 2 MiB; of all 128
 * of 16. */
static void in_leaf_18(uint32_t leaf, uint32_t subleaf, uint32_t regs[4]) {
  static const uint32_t tlbs[][4] = {{4, 8 << 16 | 1, 32, 1 << 5 | 2},
                                     {0, 16 << 16 | 1, 1, 1 << 5 | 1 << 8 | 5},
                                     {0, 6 << 16 | 1, 16, 1 << 5 | 4},
                                     {0, 4 << 16 | 2, 8, 1 << 5 | 4},
                                     {0, 16 << 16 | 3, 128, 2 << 5 | 3}};
  memset(regs, 0, 4 * sizeof *regs);
  if (leaf == 0) regs[0] = 0x20;
  if (leaf == 0x18 && subleaf < 5) memcpy(regs, tlbs[subleaf], sizeof *tlbs);
}

/* An Emerald Rapids whose hypervisor hides the leaf; and one of no model. */
static uint32_t signature;
static void hidden(uint32_t leaf, uint32_t subleaf, uint32_t regs[4]) {
  static const uint32_t intel[4] = {0x1c, 0x756e6547, 0x6c65746e, 0x49656e69};
  (void)subleaf;
  memset(regs, 0, 4 * sizeof *regs);
  if (leaf == 0) memcpy(regs, intel, sizeof intel);
  if (leaf == 1) regs[0] = signature;
}

static void mute(uint32_t leaf, uint32_t subleaf, uint32_t regs[4]) {
  (void)leaf, (void)subleaf;
  memset(regs, 0, 4 * sizeof *regs);
}

static void test_processors_tell(void) {
  struct tlb_shape shape;
  told[0] = 0xff40ff40, told[1] = 0x68004200;
  CU_ASSERT_EQUAL(tlb_of_cpuid(&shape, amd), 0);
  CU_ASSERT_EQUAL(shape.level[0].entries, 64);
  CU_ASSERT_EQUAL(shape.level[0].ways, 64);
  CU_ASSERT_EQUAL(shape.level[1].entries, 2048);
  CU_ASSERT_EQUAL(shape.level[1].ways, 8);
  CU_ASSERT_EQUAL(shape.walk.entries, 0);
  told[0] = 0xff48ff40, told[1] = 0x6c004200;
  CU_ASSERT_EQUAL(tlb_of_cpuid(&shape, amd), 0);
  CU_ASSERT_EQUAL(shape.level[0].ways, 72);
  CU_ASSERT_EQUAL(shape.level[1].entries, 3072);
  CU_ASSERT_EQUAL(shape.level[1].ways, 12);
  CU_ASSERT_EQUAL(tlb_of_cpuid(&shape, in_leaf_18), 0);
  CU_ASSERT_EQUAL(shape.level[0].entries, 96);
  CU_ASSERT_EQUAL(shape.level[0].ways, 6);
  CU_ASSERT_EQUAL(shape.level[1].entries, 2048);
  CU_ASSERT_EQUAL(shape.level[1].ways, 16);
  signature = 0xc06f2;
  memset(&shape, 0, sizeof shape);
  CU_ASSERT_EQUAL(tlb_of_cpuid(&shape, hidden), 0);
  CU_ASSERT_EQUAL(shape.level[0].entries, 96);
  CU_ASSERT_EQUAL(shape.level[1].ways, 16);
  signature = 0x50654;
  CU_ASSERT_EQUAL(tlb_of_cpuid(&shape, hidden), 0);
  CU_ASSERT_EQUAL(shape.level[1].entries, 1536);
  signature = 0x600;
  CU_ASSERT_EQUAL(tlb_of_cpuid(&shape, hidden), -1);
  CU_ASSERT_EQUAL(tlb_of_cpuid(&shape, mute), -1);
  CU_ASSERT_EQUAL(errno, ENOTSUP);
}

static bool is(const struct tlb_cache_shape *cache, unsigned entries,
               unsigned ways) {
  return cache->entries == entries && cache->ways == ways;
}

/* Of fetches: an AMD has a second level of its own, an Intel that of data. */
static void test_processors_tell_of_fetches(void) {
  struct mixed_tlb_shape shape;
  char text[ITLB_SHAPE_TEXT];
  told[0] = 0xff48ff40, told[1] = 0x6c004200;
  CU_ASSERT_EQUAL(itlb_of_cpuid(&shape, amd), 0);
  CU_ASSERT(is(&shape.all.level[0], 64, 64));
  CU_ASSERT(is(&shape.all.level[1], 512, 4));
  told[1] = 0x4200; /* what both share */
  CU_ASSERT_EQUAL(itlb_of_cpuid(&shape, amd), 0);
  CU_ASSERT(is(&shape.all.level[1], 0, 0));
  CU_ASSERT_EQUAL(itlb_of_cpuid(&shape, in_leaf_18), 0);
  CU_ASSERT_STRING_EQUAL(itlb_shape_text(&shape, text), "l1=256x8");
  signature = 0xc06f2;
  CU_ASSERT_EQUAL(itlb_of_cpuid(&shape, hidden), 0);
  CU_ASSERT_STRING_EQUAL(itlb_shape_text(&shape, text), "l1=256x8,l1-2m=32x8");
  signature = 0x600;
  CU_ASSERT_EQUAL(itlb_of_cpuid(&shape, hidden), -1);
  CU_ASSERT_EQUAL(itlb_of_cpuid(&shape, mute), -1);
  CU_ASSERT_EQUAL(errno, ENOTSUP);
}

static void test_shapes_of_fetches_as_text(void) {
  static const char *const right[] = {"l1=64x4", "l1=128x8,l1-2m=8x8",
                                      "l1=64x64,l2=512x8",
                                      "l1=64x4,l1-2m=8x8,l2=512x8,l2-2m=64x4"};
  static const char *const wrong[] = {"l2=64x4",
                                      "l1=64x4,pwc=4x4",
                                      "l1=64x4,coalesce=16k",
                                      "l1=64x4,l1-1g=4x4",
                                      "l1=64x4,l1-2m=4x4,l1-1g=4x4",
                                      "l1=64x4,l2-2m=4x4",
                                      "l1=12x8",
                                      ""};
  struct mixed_tlb_shape shape;
  char text[ITLB_SHAPE_TEXT];
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    CU_ASSERT_EQUAL(itlb_shape_parse(right[i], &shape), 0);
    CU_ASSERT_STRING_EQUAL(itlb_shape_text(&shape, text), right[i]);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    CU_ASSERT_EQUAL(itlb_shape_parse(wrong[i], &shape), -1);
}

static const struct check_test tests[] = {
    {"processors tell of fetches", test_processors_tell_of_fetches},
    {"shapes of fetches as text", test_shapes_of_fetches_as_text},
    {"a short stream by hand", test_by_hand},
    {"any shape agrees with the definition",
     test_any_shape_agrees_with_the_definition},
    {"shapes as text", test_shapes_as_text},
    {"processors tell theirs", test_processors_tell},
    {NULL, NULL}};

const struct check_suite suite_sim_tlb = {"sim --tlb", tests, NULL};

static const struct check_test stream_tests[] = {
    {"streams of algorithms", test_streams_of_algorithms}, {NULL, NULL}};

static const char *no_streams(void) {
#ifdef HAVE_STREAMS
  return NULL;
#else
  return "built without address streams";
#endif
}

const struct check_suite suite_sim_tlb_streams = {"sim --tlb: streams",
                                                  stream_tests, no_streams};
