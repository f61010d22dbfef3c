/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the bytes of a trace arrive: packed, in pieces, too many of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/vat/suites_vat.h"
#include "tests/vat/trace_fixture.h"

static const char *const written[] = {"vat", "lackey"};

typedef struct bytes pack(struct bytes);
static pack *const packs[] = {pack_gzip, pack_zstd};

static void check_read(struct bytes bytes, const struct accesses *expected) {
  struct accesses read = read_bytes(bytes, NULL);
  CU_ASSERT_TRUE(accesses_equal(&read, expected));
  accesses_fini(&read);
}

static void test_packed_traces_are_unpacked(void) {
  fixture_seed = 20;
  for (int i = 0; i < 20; i++) {
    struct accesses made;
    accesses_random(&made, 1 + fixture_random(i < 16 ? 3000 : 120000));
    for (size_t f = 0; f < 2; f++) {
      struct bytes bytes = write_bytes(&made, written[f], false);
      for (size_t p = 0; p < 2; p++) {
        struct bytes packed = packs[p](bytes);
        check_read(packed, &made);
        bytes_fini(&packed);
      }
      bytes_fini(&bytes);
    }
    accesses_fini(&made);
  }
}

/* A trace in two or three packed parts, as cat makes it. */
static void test_packed_parts_may_follow_each_other(void) {
  struct accesses made;
  fixture_seed = 21;
  accesses_random(&made, 30000);
  struct bytes bytes = write_bytes(&made, "lackey", false);
  for (size_t p = 0; p < 2; p++) {
    for (int i = 0; i < 20; i++) {
      size_t cut = fixture_random(bytes.count);
      struct bytes first = {cut, bytes.data}, nothing = {0, bytes.data};
      struct bytes second = {bytes.count - cut, bytes.data + cut};
      struct bytes all = join(packs[p](first), packs[p](nothing));
      all = join(all, packs[p](second));
      check_read(all, &made);
      bytes_fini(&all);
    }
  }
  bytes_fini(&bytes);
  accesses_fini(&made);
}

static void test_a_frame_to_be_skipped_is_skipped(void) {
  static const uint8_t skipped[] = {0x51, 0x2a, 0x4d, 0x18, 3, 0,
                                    0,    0,    1,    2,    3};
  struct bytes begin = {sizeof skipped, malloc(sizeof skipped)};
  struct bytes text = bytes_of_text("0x10\n");
  memcpy(begin.data, skipped, sizeof skipped);
  struct bytes all = join(begin, pack_zstd(text));
  struct accesses read = read_bytes(all, NULL);
  CU_ASSERT(!read.code && read.count == 1);
  accesses_fini(&read);
  bytes_fini(&all);
  bytes_fini(&text);
}

static void test_cut_off_or_damaged_packings_are_refused(void) {
  struct accesses made;
  fixture_seed = 22;
  accesses_random(&made, 300);
  struct bytes bytes = write_bytes(&made, "lackey", false);
  for (size_t p = 0; p < 2; p++) {
    struct bytes packed = packs[p](bytes);
    for (size_t count = 1; count < packed.count; count++) {
      const char *error = error_of((struct bytes){count, packed.data}, NULL);
      if (count > 8) CU_ASSERT_PTR_NOT_NULL(strstr(error, "cut off"));
    }
    for (size_t i = 0; i < 200; i++) { /* harm is what matters here */
      size_t at = fixture_random(packed.count);
      packed.data[at] ^= 4;
      struct accesses read = read_bytes(packed, NULL);
      accesses_fini(&read);
      packed.data[at] ^= 4;
    }
    packed = join(packed, bytes_of_text("garbage behind"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error_of(packed, NULL), "damaged"));
    bytes_fini(&packed);
  }
  bytes_fini(&bytes);
  accesses_fini(&made);
}

static void test_other_packings_are_named_with_the_fix(void) {
  struct bytes xz = bytes_of_text(
      "\xfd"
      "7zXZ..");
  xz.data[5] = 0;
  CU_ASSERT_PTR_NOT_NULL(strstr(error_of(xz, NULL), "xz -dc"));
  bytes_fini(&xz);
}

static void test_a_pipe_may_deliver_in_any_pieces(void) {
  static const size_t chunks[] = {1, 2, 7, 4095, 4096, 65537};
  fixture_seed = 23;
  for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
    struct accesses made;
    accesses_random(&made, chunks[i] < 10 ? 3000 : 100000);
    for (size_t f = 0; f < 2; f++) {
      struct bytes bytes = write_bytes(&made, written[f], true);
      struct bytes packed = pack_gzip(bytes);
      struct accesses plain = read_pipe(bytes, chunks[i]);
      struct accesses unpacked = read_pipe(packed, chunks[i]);
      CU_ASSERT_TRUE(accesses_equal(&plain, &made));
      CU_ASSERT_TRUE(accesses_equal(&unpacked, &made));
      accesses_fini(&plain);
      accesses_fini(&unpacked);
      bytes_fini(&packed);
      bytes_fini(&bytes);
    }
    accesses_fini(&made);
  }
}

/* A line may take a window, with its end; not a byte more. */
static void test_lines_of_a_megabyte_are_read_and_longer_ones_refused(void) {
  enum { WINDOW = 1 << 20 };
  for (size_t length = WINDOW - 2; length <= WINDOW + 1; length++) {
    struct bytes bytes = {2 + length + 4, malloc(2 + length + 4)};
    memcpy(bytes.data, "1\n", 2);
    memset(bytes.data + 2, 'x', length);
    bytes.data[2] = '#';
    memcpy(bytes.data + 2 + length, "\n22\n", 4);
    struct accesses read = read_bytes(bytes, NULL);
    CU_ASSERT_EQUAL(read.code, length < WINDOW ? 0 : EINVAL);
    if (read.code)
      CU_ASSERT_PTR_NOT_NULL(
          strstr(read.error, ":2: a line of more than 1048576 bytes"));
    CU_ASSERT_EQUAL(read.count, length < WINDOW ? 2 : 1);
    accesses_fini(&read);
    bytes_fini(&bytes);
  }
}

static void test_a_line_of_ten_megabytes_is_refused(void) {
  struct bytes bytes = {10 << 20, malloc(10 << 20)};
  memset(bytes.data, '7', bytes.count);
  CU_ASSERT_PTR_NOT_NULL(strstr(error_of(bytes, "text"), ":1: a line of more"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error_of(bytes, NULL), ":1: "));
  bytes_fini(&bytes);
}

static long peak_kib(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/* 128 MiB of blank lines in a few KiB. */
static void test_a_bomb_takes_no_memory(void) {
  enum { PART = 1 << 24, PARTS = 8 };
  struct bytes blank = {PART, malloc(PART)};
  memset(blank.data, '\n', PART);
  for (size_t p = 0; p < 2; p++) {
    struct bytes packed = packs[p](blank), all = bytes_of_text("");
    for (int i = 0; i < PARTS; i++) {
      struct bytes copy = {packed.count, malloc(packed.count)};
      memcpy(copy.data, packed.data, packed.count);
      all = join(all, copy);
    }
    long before = peak_kib();
    CU_ASSERT_PTR_NOT_NULL(strstr(error_of(all, NULL), "no accesses"));
    CU_ASSERT(peak_kib() - before < 64 << 10);
    bytes_fini(&packed);
    bytes_fini(&all);
  }
  bytes_fini(&blank);
}

static void test_what_cannot_be_opened_says_why(void) {
  char error[VAT_TRACE_ERROR_SIZE];
  CU_ASSERT_PTR_NULL(vat_trace_open("/proc/nonexistent/x", NULL, error));
  CU_ASSERT_EQUAL(errno, ENOENT);
  CU_ASSERT_STRING_EQUAL(error,
                         "/proc/nonexistent/x: No such file or directory");
  CU_ASSERT_PTR_NULL(vat_trace_open("/", NULL, error));
  CU_ASSERT_EQUAL(errno, EISDIR);
}

static const struct check_test tests[] = {
    {"packed traces are unpacked", test_packed_traces_are_unpacked},
    {"packed parts may follow each other",
     test_packed_parts_may_follow_each_other},
    {"a frame to be skipped is skipped", test_a_frame_to_be_skipped_is_skipped},
    {"cut off or damaged packings are refused",
     test_cut_off_or_damaged_packings_are_refused},
    {"other packings are named with the fix",
     test_other_packings_are_named_with_the_fix},
    {"a pipe may deliver in any pieces", test_a_pipe_may_deliver_in_any_pieces},
    {"lines of a megabyte are read and longer ones refused",
     test_lines_of_a_megabyte_are_read_and_longer_ones_refused},
    {"a line of ten megabytes is refused",
     test_a_line_of_ten_megabytes_is_refused},
    {"a bomb takes no memory", test_a_bomb_takes_no_memory},
    {"what cannot be opened says why", test_what_cannot_be_opened_says_why},
    {0}};

const struct check_suite suite_trace_input = {"trace_input", tests, NULL};
