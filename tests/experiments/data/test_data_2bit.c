/* SPDX-License-Identifier: GPL-3.0-or-later */
/* .2bit files: they are as the FASTA of the same letters, or refused. */
#include <stdlib.h>
#include <string.h>

#include "experiments/data/data.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

enum { RUNS = 1000, ROOM = 1 << 18, LONG = 300000 };

static struct scratch scratch;
static char error[DATA_ERROR];

/* A file as it is written. */
static struct {
  unsigned char bytes[ROOM];
  size_t count;
  bool swapped;
} file;

static void put(uint32_t number) {
  if (file.swapped) number = __builtin_bswap32(number);
  memcpy(file.bytes + file.count, &number, sizeof number);
  file.count += sizeof number;
}

/* Runs of N, then one run of small letters, which is of no consequence. */
static void put_record(const char *letters) {
  uint32_t start[RUNS], size[RUNS], runs = 0, n = (uint32_t)strlen(letters);
  for (uint32_t i = 0; i < n; i++) {
    if (letters[i] != 'N') continue;
    if (!i || letters[i - 1] != 'N') {
      start[runs] = i;
      size[runs++] = 0;
    }
    size[runs - 1]++;
  }
  put(n);
  put(runs);
  for (uint32_t i = 0; i < runs; i++) put(start[i]);
  for (uint32_t i = 0; i < runs; i++) put(size[i]);
  put(1);
  put(0);
  put(n);
  put(0);
  for (uint32_t i = 0; i < n; i++) {
    const char *at = strchr("TCAG", letters[i]);
    if (i % 4 == 0) file.bytes[file.count++] = 0;
    file.bytes[file.count - 1] |=
        (unsigned char)((at ? at - "TCAG" : 0) << (6 - 2 * (i % 4)));
  }
}

/* Offsets are filled in once records are there. */
static void make(const char *const *records, uint32_t count, bool swapped) {
  size_t index = 16;
  file.count = 0;
  file.swapped = swapped;
  put(0x1a412743);
  put(0);
  put(count);
  put(0);
  for (uint32_t i = 0; i < count; i++) {
    file.bytes[file.count++] = 2;
    file.bytes[file.count++] = 'r';
    file.bytes[file.count++] = (unsigned char)('0' + i);
    put(0);
  }
  for (uint32_t i = 0; i < count; i++) {
    size_t here = file.count;
    file.count = index + 3;
    put((uint32_t)here);
    file.count = here;
    index += 7;
    put_record(records[i]);
  }
}

static int read_it(struct data *data, size_t bytes) {
  *error = '\0';
  scratch_write(&scratch, "in.2bit", file.bytes, bytes);
  return data_read(data, &data_dna, scratch.path, NULL, error);
}

static void expect_as_fasta(const char *const *records, uint32_t count) {
  struct data packed, plain;
  FILE *fasta = fopen(scratch_path(&scratch, "in.fa"), "w");
  for (uint32_t i = 0; i < count; i++) fprintf(fasta, ">\n%s\n", records[i]);
  fclose(fasta);
  CU_ASSERT_EQUAL_FATAL(data_read(&plain, &data_dna, scratch.path, NULL, error),
                        0);
  CU_ASSERT_EQUAL(read_it(&packed, file.count), 0);
  const struct algo_data *a = packed.part, *b = plain.part;
  CU_ASSERT(a->count == b->count && a->rows == b->rows && a->cols == b->cols);
  CU_ASSERT(a->count == b->count &&
            !memcmp(a->items, b->items, a->count * sizeof(uint64_t)));
  data_fini(&packed);
  data_fini(&plain);
}

static void test_records(void) {
  static const char *const records[] = {"ACGTA",     "",  "NNACNGTNN", "T",
                                        "GGCCAATTN", "N", "CATG"};
  scratch_init(&scratch);
  for (uint32_t count = 0; count <= 7; count++)
    for (int swapped = 0; swapped < 2; swapped++) {
      make(records, count, swapped);
      expect_as_fasta(records, count);
    }
  scratch_fini(&scratch);
}

/* More than is read at a time, and than is unpacked. */
static void test_long(void) {
  char *letters = malloc(LONG + 1);
  const char *const records[] = {"ACG", letters, "TTT"};
  scratch_init(&scratch);
  for (size_t i = 0; i < LONG; i++)
    letters[i] = i % 1000 < 3 ? 'N' : "ACGT"[i * i % 13 % 4];
  letters[LONG] = '\0';
  make(records, 3, false);
  expect_as_fasta(records, 3);
  scratch_fini(&scratch);
  free(letters);
}

static void refused_as(size_t bytes, const char *expected) {
  struct data data;
  CU_ASSERT_EQUAL(read_it(&data, bytes), -1);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, expected));
  if (!strstr(error, expected)) fprintf(stderr, "%s\n", error);
  data_fini(&data);
}

/* Byte `at` of what is right is `to`. */
static void refused_with(size_t at, unsigned char to, const char *expected) {
  static const char *const records[] = {"ACNGT", "GN"};
  make(records, 2, false);
  file.bytes[at] = to;
  refused_as(file.count, expected);
}

static void test_refused(void) {
  static const char *const records[] = {"ACNGT", "GN"};
  scratch_init(&scratch);
  make(records, 2, false);
  for (size_t cut = 4; cut < file.count; cut++)
    refused_as(cut, "in.2bit: the 2bit data is incomplete");
  refused_with(4, 1, "in.2bit: is 2bit data of an unsupported version");
  refused_with(19, 31, "in.2bit: has records in another order than its index");
  refused_with(
      38, 5, "in.2bit: has runs of N that overlap or end outside their record");
  refused_with(
      42, 9, "in.2bit: has runs of N that overlap or end outside their record");
  refused_with(11, 255, "in.2bit: the 2bit data is incomplete");
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"records", test_records},
    {"a long one", test_long},
    {"cut off, or other than they are", test_refused},
    {0}};
const struct check_suite suite_data_2bit = {"data: DNA in .2bit", tests, NULL};
