/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of vat's own format that name their steps. */
#include <stdlib.h>
#include <string.h>

#include "tests/vat/suites_vat.h"
#include "tests/vat/trace_fixture.h"
#include "vat/trace_checksum.h"

static void check_steps(size_t count, uint64_t pool, uint64_t other) {
  struct accesses made;
  accesses_steps(&made, count, pool, other);
  struct bytes bytes = write_bytes(&made, "vat", false);
  struct accesses read = read_bytes(bytes, NULL);
  CU_ASSERT_TRUE_FATAL(accesses_equal(&made, &read));
  if (count < 4096)
    CU_ASSERT_EQUAL(bytes.data[32 + 36], 0);
  else
    CU_ASSERT(bytes.data[32 + 36] >= pool / 2);
  CU_ASSERT(bytes.data[32 + 36] <= 248);
  bytes_fini(&bytes);
  accesses_fini(&read);
  accesses_fini(&made);
}

static void test_blocks_with_steps_are_read_back(void) {
  static const size_t counts[] = {4095, 4096, 4097, 65536, 65537, 140000};
  fixture_seed = 4;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (uint64_t pool = 1; pool < 300; pool += 1 + pool * 2)
      check_steps(counts[i], pool, 50);
  check_steps(65536, 247, 30);
  check_steps(65536, 248, 30);
  check_steps(65536, 249, 30);
}

/* What a file of this block, with a right checksum, reads as. */
static struct accesses read_block(const uint8_t *block, size_t size) {
  struct accesses one;
  accesses_init(&one, 1);
  struct bytes file = write_bytes(&one, "vat", true);
  accesses_fini(&one);
  file.count = 32; /* its header, which promises no count */
  struct bytes rest = {size + 8, malloc(size + 8)};
  uint64_t sum = vat_trace_checksum(block, size);
  memcpy(rest.data, block, size);
  for (size_t k = 0; k < 8; k++) rest.data[size + k] = (uint8_t)(sum >> 8 * k);
  file = join(file, rest);
  struct accesses read = read_bytes(file, "vat");
  bytes_fini(&file);
  return read;
}

/* Three loads by hand from doc/trace-format.md. */
static void test_steps_are_those_of_the_document(void) {
  enum { SIZE = 58 };
  static const uint8_t block[SIZE] = {
      'V', 'B', 'L',     'K', 3, 0, 0, 0, 0, 0, 0, 0,
      0,   0,   0,       0,               /* 3 accesses */
      1,   0,   0,       0,   2, 0, 0, 0, /* shapes, bytes of deltas */
      3,   0,   0,       0,   0, 0, 0, 0, 2, 0, 0, 0, /* stored */
      1,   0,   0,       0,   8, 0, 0, 0, 0, /* steps; a load of 8 bytes */
      0,   1,   0,       0,   0, 0, 0, 0,    /* step 0 is 0x100 */
      0,   0,   248 + 2, 3,   2 /* two bytes of delta: 0x203 unfolds to -0x102
                                 */
  };
  static const uint64_t expected[3] = {0x100, 0x200, 0x200 - 0x102};
  struct accesses read = read_block(block, SIZE);
  CU_ASSERT_EQUAL_FATAL(read.count, 3);
  for (size_t i = 0; i < 3; i++) {
    CU_ASSERT_EQUAL(read.addresses[i], expected[i]);
    CU_ASSERT_EQUAL(read.sizes[i], 8);
  }
  accesses_fini(&read);
}

/* Numbers from 248 on are no steps; a trailer has none. */
static void test_a_block_names_at_most_248_steps(void) {
  for (uint8_t steps = 247; steps < 250; steps++) {
    uint8_t block[40 + 5 + 8 * 249 + 1] = {'V', 'B', 'L', 'K', 1};
    size_t size = 40u + 5 + 8u * steps + 1;
    block[16] = block[24] = 1; /* shapes, bytes of operations */
    block[36] = steps;
    block[45 + 8 * 246] = 77;
    block[size - 1] = 246;
    struct accesses read = read_block(block, size);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(read.error, steps > 248 ? ": damaged: no header" : ": cut off"));
    CU_ASSERT_EQUAL_FATAL(read.count, steps <= 248);
    if (read.count) CU_ASSERT_EQUAL(read.addresses[0], 77);
    accesses_fini(&read);
  }
  uint8_t trailer[48] = {'V', 'B', 'L', 'K', [36] = 1};
  struct accesses read = read_block(trailer, sizeof trailer);
  CU_ASSERT_PTR_NOT_NULL(strstr(read.error, ": damaged: no header"));
  accesses_fini(&read);
}

static const struct check_test tests[] = {
    {"blocks with steps are read back", test_blocks_with_steps_are_read_back},
    {"steps are those of the document", test_steps_are_those_of_the_document},
    {"a block names at most 248 steps", test_a_block_names_at_most_248_steps},
    {0}};

const struct check_suite suite_trace_steps = {"trace_steps", tests, NULL};
