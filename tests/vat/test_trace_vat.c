/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat's own format: what is written is read back, and nothing else is. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/vat/suites_vat.h"
#include "tests/vat/trace_fixture.h"
#include "vat/trace_checksum.h"

/* Reference values of the algorithm's author. */
static void test_the_checksum_is_xxh64(void) {
  static const struct {
    const char *text;
    uint64_t sum;
  } known[] = {{"", UINT64_C(0xef46db3751d8e999)},
               {"a", UINT64_C(0xd24ec4f1a98c6e5b)},
               {"abc", UINT64_C(0x44bc2cf5ad770999)},
               {"The quick brown fox jumps over the lazy dog",
                UINT64_C(0x0b242d361fda71bc)}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    CU_ASSERT_EQUAL(vat_trace_checksum((const uint8_t *)known[i].text,
                                       strlen(known[i].text)),
                    known[i].sum);
}

static void check_round_trip(size_t count, bool piped) {
  struct accesses made;
  accesses_random(&made, count);
  struct bytes bytes = write_bytes(&made, "vat", piped);
  struct accesses read = read_bytes(bytes, NULL);
  CU_ASSERT_STRING_EQUAL(read.format, "vat");
  CU_ASSERT_TRUE_FATAL(accesses_equal(&made, &read));
  bytes_fini(&bytes);
  accesses_fini(&read);
  accesses_fini(&made);
}

static void test_what_is_written_is_read_back(void) {
  static const size_t counts[] = {1,     2,     15,    16,    17,
                                  65535, 65536, 65537, 200000};
  fixture_seed = 1;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    check_round_trip(counts[i], false);
    check_round_trip(counts[i], true);
  }
  for (int i = 0; i < 300; i++)
    check_round_trip(1 + fixture_random(3000), i & 1);
}

/* Addresses far apart are new places, one like the other; the last 16 of them
 * are still known. */
static void test_runs_of_new_places_are_remembered(void) {
  enum { RING = 16 };
  for (size_t fresh = RING; fresh <= 2 * RING; fresh += RING / 2) {
    struct accesses made;
    accesses_init(&made, fresh + RING);
    for (size_t i = 0; i < fresh; i++) made.addresses[i] = (i + 1) << 20;
    for (size_t i = fresh; i < fresh + RING; i++)
      made.addresses[i] = made.addresses[i - RING] + 8;
    struct bytes bytes = write_bytes(&made, "vat", false);
    struct accesses read = read_bytes(bytes, NULL);
    CU_ASSERT_TRUE(accesses_equal(&made, &read));
    bytes_fini(&bytes);
    accesses_fini(&read);
    accesses_fini(&made);
  }
}

/* One load of 8 bytes at 0x1000: by hand from doc/trace-format.md. */
static void test_the_bytes_are_those_of_the_document(void) {
  static const uint8_t header[24] = {0x89, 'V', 'A', 'T', '\r', '\n', 0x1a,
                                     '\n', 1,   0,   0,   0,    1,    0,
                                     0,    0,   1,   0,   0,    0,    0};
  /* Place 16 is at 0 and near; 0x1000 folds to 0x2000, two bytes. */
  static const uint8_t block[48] = {
      'V', 'B', 'L', 'K', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0,           0, 0,
      1,   0,   0,   0,   2, 0, 0, 0, 1, 0, 0, 0, 0, 0,           0, 0,
      2,   0,   0,   0,   0, 0, 0, 0, 8, 0, 0, 0, 0, 16 << 3 | 2, 0, 0x20};
  static const uint8_t trailer[16] = {'V', 'B', 'L', 'K', 0, 0, 0, 0, 1};
  struct accesses made;
  accesses_init(&made, 1);
  made.addresses[0] = 0x1000;
  made.sizes[0] = 8;
  struct bytes bytes = write_bytes(&made, "vat", false);
  CU_ASSERT_EQUAL_FATAL(bytes.count, 32 + 48 + 8 + 48);
  CU_ASSERT_EQUAL(memcmp(bytes.data, header, sizeof header), 0);
  CU_ASSERT_EQUAL(memcmp(bytes.data + 32, block, sizeof block), 0);
  CU_ASSERT_EQUAL(memcmp(bytes.data + 88, trailer, sizeof trailer), 0);
  bytes_fini(&bytes);
  bytes = write_bytes(&made, "vat", true); /* on a pipe nobody knows */
  memset(bytes.data, 0, 16);
  for (int i = 16; i < 24; i++) CU_ASSERT_EQUAL(bytes.data[i], 0xff);
  bytes_fini(&bytes);
  accesses_fini(&made);
}

static struct bytes small_trace(bool piped) {
  struct accesses made;
  fixture_seed = 2;
  accesses_random(&made, 600); /* several blocks: sizes are many */
  for (size_t i = 0; i < 600; i++) made.sizes[i] = (uint32_t)i;
  struct bytes bytes = write_bytes(&made, "vat", piped);
  accesses_fini(&made);
  return bytes;
}

/* One block with steps, and the trailer. */
static struct bytes stepped_trace(bool piped) {
  struct accesses made;
  fixture_seed = 5;
  accesses_steps(&made, 4096, 3, 400);
  for (size_t i = 0; i < 4096; i++) made.sizes[i] = 1 + (made.kinds[i] = i & 1);
  struct bytes bytes = write_bytes(&made, "vat", piped);
  CU_ASSERT_FATAL(bytes.data[32 + 36] > 0);
  accesses_fini(&made);
  return bytes;
}

static void check_damage(struct bytes bytes) {
  for (size_t count = 0; count < bytes.count; count++)
    CU_ASSERT_PTR_NOT_NULL(
        *error_of((struct bytes){count, bytes.data}, NULL) ? "" : NULL);
  for (size_t i = 0; i < bytes.count; i++) {
    for (int change = 1; change < 256; change = change * 8 + (i & 1)) {
      bytes.data[i] ^= (uint8_t)change;
      struct accesses read = read_bytes(bytes, "vat");
      CU_ASSERT_EQUAL_FATAL(read.code, EINVAL);
      accesses_fini(&read);
      bytes.data[i] ^= (uint8_t)change;
    }
  }
  bytes_fini(&bytes);
}

static void test_every_truncation_and_change_is_refused(void) {
  check_damage(small_trace(false));
  check_damage(stepped_trace(false));
}

static void test_errors_name_the_offset(void) {
  struct bytes bytes = small_trace(false);
  size_t all = bytes.count;
  bytes.count = all - 1;
  const char *error = error_of(bytes, NULL);
  char place[32];
  snprintf(place, sizeof place, ": offset %zu: cut off", all - 48);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, place));
  bytes.count = all;
  bytes.data[40] ^= 1;
  CU_ASSERT_PTR_NOT_NULL(strstr(error_of(bytes, NULL), ": offset 32: damaged"));
  bytes_fini(&bytes);
}

/* Where the block at `at` ends. */
static size_t block_end(struct bytes bytes, size_t at) {
  size_t end = at + 40 + 5 * bytes.data[at + 16] +
               (bytes.data[at + 17] ? 5 * 256 : 0) + 8 * bytes.data[at + 36];
  for (int i = 24; i < 36; i += 4)
    end += bytes.data[at + i] + 256u * bytes.data[at + i + 1];
  return end + 8;
}

static void test_blocks_do_not_get_lost_or_swapped(void) {
  struct bytes bytes = small_trace(true);
  size_t first = block_end(bytes, 32), second = block_end(bytes, first);
  CU_ASSERT_FATAL(second < bytes.count - 48);
  struct bytes without = {bytes.count - (first - 32), malloc(bytes.count)};
  memcpy(without.data, bytes.data, 32);
  memcpy(without.data + 32, bytes.data + first, bytes.count - first);
  CU_ASSERT_PTR_NOT_NULL(strstr(error_of(without, NULL), "missing"));
  /* The last block gone, the trailer there. */
  without.count = first + 48;
  memcpy(without.data, bytes.data, first);
  memcpy(without.data + first, bytes.data + bytes.count - 48, 48);
  CU_ASSERT_PTR_NOT_NULL(strstr(error_of(without, NULL), "missing"));
  bytes_fini(&without);
  bytes = join(bytes, bytes_of_text("x"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error_of(bytes, NULL), "behind the end"));
  bytes_fini(&bytes);
}

static void test_a_header_that_promises_another_count_is_refused(void) {
  struct bytes bytes = small_trace(false);
  for (int i = 0; i < 2; i++) {
    memset(bytes.data + 16, i ? 0xfe : 0, 8);
    uint64_t sum = vat_trace_checksum(bytes.data, 24);
    for (int k = 0; k < 8; k++) bytes.data[24 + k] = (uint8_t)(sum >> 8 * k);
    CU_ASSERT_PTR_NOT_NULL(strstr(error_of(bytes, NULL), "promises"));
  }
  bytes_fini(&bytes);
}

static void test_other_versions_are_refused_by_name(void) {
  struct bytes bytes = small_trace(false);
  bytes.data[8] = 2;
  uint64_t sum = vat_trace_checksum(bytes.data, 24);
  for (int k = 0; k < 8; k++) bytes.data[24 + k] = (uint8_t)(sum >> 8 * k);
  CU_ASSERT_PTR_NOT_NULL(strstr(error_of(bytes, NULL), "version"));
  bytes_fini(&bytes);
}

/* With right checksums, all that the rest of the reader must survive: run under
 * ASan and valgrind. */
static void check_hostile(struct bytes bytes) {
  size_t end = block_end(bytes, 32);
  for (int round = 0; round < 2000; round++) {
    struct bytes hostile = {end, malloc(end)};
    memcpy(hostile.data, bytes.data, end);
    for (uint64_t changes = 1 + fixture_random(4); changes--;)
      hostile.data[36 + fixture_random(end - 44)] =
          (uint8_t)(fixture_random(2) ? fixture_random(256) : 255);
    uint64_t sum = vat_trace_checksum(hostile.data + 32, end - 40);
    for (int k = 0; k < 8; k++)
      hostile.data[end - 8 + (size_t)k] = (uint8_t)(sum >> 8 * k);
    struct accesses read = read_bytes(hostile, "vat");
    CU_ASSERT_EQUAL(read.code, EINVAL); /* the trailer is missing */
    accesses_fini(&read);
    bytes_fini(&hostile);
  }
  bytes_fini(&bytes);
}

static void test_hostile_blocks_do_no_harm(void) {
  fixture_seed = 3;
  check_hostile(small_trace(true));
  check_hostile(stepped_trace(true));
}

static void test_the_count_is_known_where_it_was_written(void) {
  for (int piped = 0; piped < 2; piped++) {
    struct bytes bytes = small_trace(piped);
    char error[VAT_TRACE_ERROR_SIZE], path[64];
    uint64_t addresses[64];
    uint32_t sizes[64];
    uint8_t kinds[64];
    int fd = memfd_create("trace", 0);
    CU_ASSERT_EQUAL(write(fd, bytes.data, bytes.count), (ssize_t)bytes.count);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct vat_trace *trace = vat_trace_open(path, NULL, error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
    const struct vat_accesses out = {addresses, sizes, kinds};
    CU_ASSERT_EQUAL(vat_trace_read(trace, &out, 64, error), 64);
    CU_ASSERT_EQUAL(vat_trace_count(trace), piped ? 0 : 600);
    CU_ASSERT(vat_trace_progress(trace) > 0 && vat_trace_progress(trace) <= 1);
    vat_trace_close(trace);
    close(fd);
    bytes_fini(&bytes);
  }
}

static size_t bytes_for(uint64_t (*next)(size_t i), size_t count) {
  struct accesses made;
  accesses_init(&made, count);
  for (size_t i = 0; i < count; i++) {
    made.addresses[i] = next(i);
    made.sizes[i] = 8;
    made.kinds[i] = i % 4 ? VAT_LOAD : VAT_STORE;
  }
  struct bytes bytes = write_bytes(&made, "vat", false);
  accesses_fini(&made);
  bytes_fini(&bytes);
  return bytes.count;
}

static uint64_t scan(size_t i) { return UINT64_C(0x7f0000000000) + 8 * i; }
static uint64_t three_arrays_and_the_stack(size_t i) {
  if (i % 4 == 3) return UINT64_C(0x7fff12345678) - 8 * (i / 4 % 3);
  return UINT64_C(0x5500000000) + ((i % 4) << 28) + i / 4 * 8;
}
static uint64_t random_words(size_t i) {
  (void)i;
  return UINT64_C(0x5500c0000000) + 8 * fixture_random(1 << 29);
}

static uint64_t search_down(size_t i) { /* halves, as binary search takes */
  static uint64_t at;
  uint64_t half = UINT64_C(1) << (28 - i % 26);
  if (i % 26 == 0) return at = UINT64_C(0x5500c0000000);
  return fixture_random(2) ? (at += half) : (at -= half);
}

static void test_local_traces_take_little(void) {
  enum { COUNT = 200000 };
  CU_ASSERT(bytes_for(search_down, COUNT) < COUNT / 2);
  CU_ASSERT(bytes_for(scan, COUNT) < COUNT / 200);
  CU_ASSERT(bytes_for(three_arrays_and_the_stack, COUNT) < COUNT / 50);
  CU_ASSERT(bytes_for(random_words, COUNT) < COUNT * 41 / 10);
}

static void test_a_writer_refuses_what_it_cannot_write(void) {
  char error[VAT_TRACE_ERROR_SIZE];
  static const char *const formats[] = {"perf", "champsim", "nonsense"};
  for (size_t i = 0; i < 3; i++) {
    errno = 0;
    CU_ASSERT_PTR_NULL(vat_trace_writer_create(1, "x", formats[i], error));
    CU_ASSERT_EQUAL(errno, EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, formats[i]));
  }
  struct vat_trace_writer *writer =
      vat_trace_writer_create(1, "x", "vat", error);
  uint64_t address = 1;
  uint32_t size = 1;
  uint8_t kind = VAT_ACCESS_KINDS;
  const struct vat_accesses one = {&address, &size, &kind};
  CU_ASSERT_EQUAL(vat_trace_writer_write(writer, &one, 1, error), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
  vat_trace_writer_destroy(writer);
  vat_trace_writer_destroy(NULL);
  vat_trace_close(NULL);
}

static void test_a_finished_trace_stays_as_it_is(void) {
  static const char *const formats[] = {"vat", "text", "lackey"};
  uint64_t address = 64;
  uint32_t size = 8;
  uint8_t kind = VAT_LOAD;
  const struct vat_accesses one = {&address, &size, &kind};
  for (size_t i = 0; i < 2 * sizeof formats / sizeof *formats; i++) {
    char error[VAT_TRACE_ERROR_SIZE];
    int fd = memfd_create("trace", MFD_CLOEXEC);
    struct vat_trace_writer *writer =
        vat_trace_writer_create(fd, "memory", formats[i / 2], error);
    CU_ASSERT_EQUAL(vat_trace_writer_write(writer, &one, i % 2, error), 0);
    CU_ASSERT_EQUAL(vat_trace_writer_finish(writer, error), 0);
    off_t end = lseek(fd, 0, SEEK_END);
    CU_ASSERT_EQUAL(vat_trace_writer_finish(writer, error), 0);
    errno = 0;
    CU_ASSERT_EQUAL(vat_trace_writer_write(writer, &one, 1, error), -1);
    CU_ASSERT_EQUAL(errno, EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "memory: "));
    CU_ASSERT_EQUAL(vat_trace_writer_finish(writer, error), 0);
    CU_ASSERT_EQUAL(lseek(fd, 0, SEEK_END), end);
    vat_trace_writer_destroy(writer);
    close(fd);
  }
}

/* What was written before the error must not come twice. */
static void test_a_writer_that_failed_goes_on_failing(void) {
  static const char *const formats[] = {"vat", "text", "lackey"};
  uint64_t address = 64;
  uint32_t size = 8;
  uint8_t kind = VAT_LOAD;
  const struct vat_accesses one = {&address, &size, &kind};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    char error[VAT_TRACE_ERROR_SIZE];
    struct vat_trace_writer *writer =
        vat_trace_writer_create(-1, "nowhere", formats[i], error);
    CU_ASSERT_EQUAL(vat_trace_writer_write(writer, &one, 1, error), 0);
    for (int again = 0; again < 2; again++) {
      errno = 0;
      CU_ASSERT_EQUAL(vat_trace_writer_finish(writer, error), -1);
      CU_ASSERT_EQUAL(errno, EBADF);
      errno = 0;
      CU_ASSERT_EQUAL(vat_trace_writer_write(writer, &one, 1, error), -1);
      CU_ASSERT_EQUAL(errno, EBADF);
      CU_ASSERT_PTR_NOT_NULL(strstr(error, "nowhere: "));
    }
    vat_trace_writer_destroy(writer);
  }
}

static const struct check_test tests[] = {
    {"the checksum is xxh64", test_the_checksum_is_xxh64},
    {"what is written is read back", test_what_is_written_is_read_back},
    {"runs of new places are remembered",
     test_runs_of_new_places_are_remembered},
    {"the bytes are those of the document",
     test_the_bytes_are_those_of_the_document},
    {"every truncation and change is refused",
     test_every_truncation_and_change_is_refused},
    {"errors name the offset", test_errors_name_the_offset},
    {"blocks do not get lost or swapped",
     test_blocks_do_not_get_lost_or_swapped},
    {"a header that promises another count is refused",
     test_a_header_that_promises_another_count_is_refused},
    {"other versions are refused by name",
     test_other_versions_are_refused_by_name},
    {"hostile blocks do no harm", test_hostile_blocks_do_no_harm},
    {"the count is known where it was written",
     test_the_count_is_known_where_it_was_written},
    {"local traces take little", test_local_traces_take_little},
    {"a writer refuses what it cannot write",
     test_a_writer_refuses_what_it_cannot_write},
    {"a finished trace stays as it is", test_a_finished_trace_stays_as_it_is},
    {"a writer that failed goes on failing",
     test_a_writer_that_failed_goes_on_failing},
    {0}};

const struct check_suite suite_trace_vat = {"trace_vat", tests, NULL};
