/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FASTA and FASTQ: what is read, packed or not, and what is refused. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "cpu_algos/dna.h"
#include "experiments/data/data.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static struct scratch scratch;
static struct data data;
static char error[DATA_ERROR];

static int read_bytes(const char *name, const void *bytes, size_t count) {
  scratch_write(&scratch, name, bytes, count);
  *error = '\0';
  return data_read(&data, &data_dna, scratch.path, NULL, error);
}

/* "ACGT" and "-" for what is none, "|" where a record begins. */
static void expect_letters(const char *expected) {
  struct cpu_dna dna = cpu_dna_of(&data.part[0]);
  char text[400] = "";
  size_t at = 0, record = 0;
  for (uint64_t i = 0; i <= dna.n; i++) {
    for (; record < dna.records && dna.begins[record] == i; record++)
      text[at++] = '|';
    if (i < dna.n)
      text[at++] = cpu_dna_known(&dna, i)
                       ? "ACGT"[dna.letters[i / 32] >> 2 * (i % 32) & 3]
                       : '-';
  }
  CU_ASSERT_STRING_EQUAL(text, expected);
  CU_ASSERT_EQUAL(record, dna.records);
  CU_ASSERT_EQUAL(data.part[0].count, cpu_dna_items(dna.n, dna.records));
}

static void expect_text(const char *text, const char *expected) {
  CU_ASSERT_EQUAL(read_bytes("in.fa", text, strlen(text)), 0);
  if (*error) fprintf(stderr, "%s\n", error);
  expect_letters(expected);
  data_fini(&data);
}

static void test_records(void) {
  expect_text("", "");
  expect_text(">one\nACGT\n", "|ACGT");
  expect_text(">one\nAC\nGT\n>two of them\nTT", "|ACGT|TT");
  expect_text(">a\n>b\nAC\n>c\n>d\n", "||AC||");
  expect_text("\n\n>a\n\nAC\n\n", "|AC");
}

static void test_letters(void) {
  expect_text(">lower\nacgtuU\n", "|ACGTTT");
  expect_text(">iupac\nANRYSWKMBDHVnC\n", "|A------------C");
  expect_text(">windows\r\nAC\r\nGT\r\n", "|ACGT");
  expect_text(">cut\r\nACGT\r", "|ACGT");
  expect_text(">a >b\nA C\tG T\n", "|ACGT");
}

static void refused_as(const char *text, const char *expected) {
  CU_ASSERT_EQUAL(read_bytes("in.fa", text, strlen(text)), -1);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, expected));
  if (!strstr(error, expected)) fprintf(stderr, "%s\n", error);
  data_fini(&data);
}

static void test_refused(void) {
  refused_as("ACGT\n", "in.fa:1: letters before the first line '>NAME'; ");
  refused_as(">a\nACGT\nAC.T\n", "in.fa:3: '.' is not a letter of DNA");
  refused_as(">a\nAC>b\n", "in.fa:2: '>' is not a letter of DNA");
  refused_as(">a\n@b\n", "in.fa:2: '@' is not a letter of DNA");
  refused_as(">a\n\x01", "in.fa:2: byte 0x01 is not a letter of DNA");
  CU_ASSERT_EQUAL(read_bytes("nul.fa", ">a\n\0C", 5), -1);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "nul.fa:2: byte 0x00 "));
  data_fini(&data);
}

/* Quality may look like anything else, and be of several lines, as letters. */
static void test_fastq(void) {
  expect_text("@a\nACGT\n+\nIIII\n", "|ACGT");
  expect_text("\n@a b\r\nacgu\r\n+a b\r\n!~@+\r\n\r\n", "|ACGT");
  expect_text("@a\nAC\nNT\n+\n@@\n+>\n@b\nG\n+\n@", "|AC-T|G");
  expect_text("@a\n\n+\n\n@b\n+\n@c\nA\n+\nI\n@d\n+",
              "||"
              "|A|");
}

static void test_no_fastq(void) {
  refused_as("@a\nACGT\n", "in.fa:3: the last record has no quality; ");
  refused_as("@a\nACGT", "in.fa:2: the last record has no quality; ");
  refused_as("@a", "in.fa:1: the last record has no quality; ");
  refused_as("@a\nACGT\n+\nIII\n",
             "in.fa:5: the last record has 1 quality values too few");
  refused_as("@a\nACGT\n+", "in.fa:3: the last record has 4 quality values");
  refused_as("@a\nACGT\n+\nIIIII\n",
             "in.fa:4: more quality values than letters,");
  refused_as("@a\nACG\n+\nIII\n>b\nA\n",
             "in.fa:5: more quality values than letters,");
  refused_as("@a\nACGT\n+\nII I\n",
             "in.fa:4: byte 0x20 is not a quality value");
  refused_as(">a\rACGT\r", "in.fa:1: a CR within the line");
  refused_as("@a\nACGT\n@b\nACGT\n", "in.fa:3: '@' is not a letter of DNA");
  refused_as("@a\nAC.T\n+\nIIII\n", "in.fa:2: '.' is not a letter of DNA");
}

/* Of more letters than a buffer has, all in one line or in lines of 60. */
static void make_long(char *text, size_t letters, size_t line) {
  strcpy(text, ">long\n");
  char *at = text + strlen(text);
  for (size_t i = 0; i < letters; i++) {
    *at++ = "ACGTN"[i * i % 13 % 5];
    if (i % line == line - 1) *at++ = '\n';
  }
  *at = '\0';
}

static void expect_long(size_t letters) {
  struct cpu_dna dna = cpu_dna_of(&data.part[0]);
  CU_ASSERT_EQUAL_FATAL(dna.n, letters);
  size_t wrong = 0;
  for (size_t i = 0; i < letters; i++) {
    unsigned code = (unsigned)(i * i % 13 % 5);
    bool known = cpu_dna_known(&dna, i);
    wrong += known != (code < 4);
    wrong += known && (dna.letters[i / 32] >> 2 * (i % 32) & 3) != code;
  }
  CU_ASSERT_EQUAL(wrong, 0);
}

static size_t gzip(const void *from, size_t count, void *to, size_t room) {
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)from,
                     .avail_in = (uInt)count,
                     .next_out = to,
                     .avail_out = (uInt)room};
  CU_ASSERT_EQUAL_FATAL(
      deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
      Z_OK);
  CU_ASSERT_EQUAL_FATAL(deflate(&stream, Z_FINISH), Z_STREAM_END);
  deflateEnd(&stream);
  return room - stream.avail_out;
}

enum { LETTERS = 2500000, ROOM = 3000000 };

static void test_packed(void) {
  static char text[ROOM], packed[ROOM];
  for (size_t line = 60; line <= LETTERS; line += LETTERS - 60) {
    make_long(text, LETTERS, line);
    size_t count = strlen(text), bytes = gzip(text, count, packed, ROOM);
    CU_ASSERT_EQUAL(read_bytes("plain.fa", text, count), 0);
    expect_long(LETTERS);
    data_fini(&data);
    CU_ASSERT_EQUAL(read_bytes("in.fa.gz", packed, bytes), 0);
    CU_ASSERT_EQUAL(data.bytes, bytes);
    expect_long(LETTERS);
    data_fini(&data);
    bytes = ZSTD_compress(packed, ROOM, text, count, 3);
    CU_ASSERT_FALSE(ZSTD_isError(bytes));
    CU_ASSERT_EQUAL(read_bytes("in.fa.zst", packed, bytes), 0);
    expect_long(LETTERS);
    data_fini(&data);
  }
}

/* Wherever it is cut: by the line up to which it could be read. */
static void test_cut_off(void) {
  static const char text[] = ">a\nACGT\nACGT\n";
  unsigned char packed[200];
  size_t bytes = gzip(text, strlen(text), packed, sizeof packed);
  for (size_t cut = 3; cut < bytes; cut++) {
    CU_ASSERT_EQUAL(read_bytes("cut.gz", packed, cut), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "the gzip data is cut off"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "cut.gz:"));
    data_fini(&data);
  }
  packed[bytes - 6] ^= 1; /* of the checksum */
  CU_ASSERT_EQUAL(read_bytes("cut.gz", packed, bytes), -1);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "the gzip data is damaged"));
  data_fini(&data);
  refused_as("BZh91AY",
             "in.fa:1: is compressed with bzip2; unpack it and pipe it in: "
             "`bzip2 -dc");
}

static void with_scratch(void (*test)(void)) {
  scratch_init(&scratch);
  test();
  scratch_fini(&scratch);
}

#define WITH_SCRATCH(name) \
  static void name##_there(void) { with_scratch(name); }
WITH_SCRATCH(test_records)
WITH_SCRATCH(test_letters)
WITH_SCRATCH(test_refused)
WITH_SCRATCH(test_fastq)
WITH_SCRATCH(test_no_fastq)
WITH_SCRATCH(test_packed)
WITH_SCRATCH(test_cut_off)

/* Of w letters of one record, all known. */
static void test_starts(void) {
  struct algo_data *part = &data.part[0];
  scratch_init(&scratch);
  static const char text[] = ">a\nACGTA\n>b\n>c\nACGNACGTN\n>d\nAC\n";
  CU_ASSERT_EQUAL(read_bytes("in.fa", text, strlen(text)), 0);
  struct cpu_dna dna = cpu_dna_of(part);
  uint64_t starts[1];
  CU_ASSERT_EQUAL(cpu_dna_starts(&dna, 3, starts), 4);
  CU_ASSERT_EQUAL(starts[0], 0x7 | 1 << 5 | 3 << 9);
  CU_ASSERT_EQUAL(cpu_dna_starts(&dna, 5, starts), 5);
  CU_ASSERT_EQUAL(starts[0], 1);
  CU_ASSERT_EQUAL(cpu_dna_mer(dna.letters, 1, 3), 1 | 2 << 2 | 3 << 4);
  data_fini(&data);
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"records", test_records_there},
    {"letters, and others", test_letters_there},
    {"what is no FASTA", test_refused_there},
    {"FASTQ", test_fastq_there},
    {"what is no FASTQ", test_no_fastq_there},
    {"packed by gzip and zstd", test_packed_there},
    {"cut off or damaged", test_cut_off_there},
    {"where w-mers begin", test_starts},
    {0}};
const struct check_suite suite_data_dna = {"data: DNA", tests, NULL};
