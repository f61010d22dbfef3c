/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats of others: samples, a second parser, and what must be refused. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vat/suites_vat.h"
#include "tests/vat/trace_fixture.h"

static const char *const foreign[] = {
    "text", "lackey", "drmemtrace-view", "drmemtrace-bin", "champsim", "perf"};
enum { FOREIGN = sizeof foreign / sizeof *foreign };

static struct accesses read_sample(const char *name, const char *suffix,
                                   const char *format, size_t capacity) {
  char path[512];
  snprintf(path, sizeof path, VAT_TEST_DATA "/sample.%s%s", name, suffix);
  return read_path(path, format, capacity);
}

/* The expected accesses stand beside the sample, in lackey's notation. */
static void test_samples_read_as_they_should(void) {
  for (size_t i = 0; i < FOREIGN; i++) {
    struct accesses expected =
        read_sample(foreign[i], ".expected", "lackey", 100);
    CU_ASSERT_FATAL(!expected.code && expected.count > 4);
    for (size_t capacity = 1; capacity < 30; capacity++) {
      struct accesses found = read_sample(foreign[i], "", NULL, capacity);
      struct accesses forced =
          read_sample(foreign[i], "", foreign[i], capacity);
      CU_ASSERT_STRING_EQUAL(found.format, foreign[i]);
      CU_ASSERT_TRUE(accesses_equal(&found, &expected));
      CU_ASSERT_TRUE(accesses_equal(&forced, &expected));
      accesses_fini(&found);
      accesses_fini(&forced);
    }
    accesses_fini(&expected);
  }
}

static void test_each_format_of_the_table_has_a_sample(void) {
  size_t known = 0;
  for (size_t i = 0; vat_trace_formats[i]; i++, known++) {
    const struct vat_trace_format *format = vat_trace_formats[i];
    CU_ASSERT_PTR_EQUAL(vat_trace_format_find(format->name), format);
    CU_ASSERT(strlen(format->summary) > 10);
  }
  CU_ASSERT_EQUAL(known, FOREIGN + 1); /* vat's own has a suite of its own */
  errno = 0;
  CU_ASSERT_PTR_NULL(vat_trace_format_find("pin"));
  CU_ASSERT_EQUAL(errno, EINVAL);
}

static const char *format_of(const char *text) {
  static char format[32];
  struct accesses read = read_text(text, NULL);
  strcpy(format, read.code ? read.error : read.format);
  accesses_fini(&read);
  return format;
}

static void test_decimal_digits_are_text_and_hexadecimal_ones_perf(void) {
  CU_ASSERT_STRING_EQUAL(format_of("10\n20\n"), "text");
  CU_ASSERT_STRING_EQUAL(format_of("  10 \n"), "text");
  CU_ASSERT_STRING_EQUAL(format_of("10\n2a\n"), "perf");
  CU_ASSERT_STRING_EQUAL(format_of("0x10\n0x2a\n"), "text");
  CU_ASSERT_STRING_EQUAL(format_of("10\n0x2a\n"), "text");
  CU_ASSERT_STRING_EQUAL(format_of("# x\n\ndeadbeef"), "perf");
  CU_ASSERT_STRING_EQUAL(format_of("==1== Lackey\n L 04001000,8\n"), "lackey");
}

/* A parser as different as can be: sscanf, line by line. */
static bool reference_lackey(const char *line, struct accesses *to) {
  char kind;
  uint64_t address;
  uint32_t size;
  if (line[0] == '=') return true;
  if (sscanf(line, " %c %" SCNx64 ",%" SCNu32, &kind, &address, &size) != 3)
    return false;
  for (int store = 0; store < 2; store++) {
    if (kind == (store ? 'L' : 'S') || (kind == 'I' && store)) continue;
    to->addresses[to->count] = address;
    to->sizes[to->count] = size;
    to->kinds[to->count++] = kind == 'I' ? VAT_FETCH
                             : store     ? VAT_STORE
                                         : VAT_LOAD;
  }
  return true;
}

static bool reference_text(const char *line, struct accesses *to) {
  char *end;
  line += strspn(line, " \t");
  if (*line == '#' || *line == '\n') return true;
  to->addresses[to->count] =
      strtoull(line, &end, strncmp(line, "0x", 2) ? 10 : 16);
  to->sizes[to->count] = 1;
  to->kinds[to->count++] = VAT_LOAD;
  return end > line;
}

static size_t random_lackey(char *to) {
  static const char *const kinds[] = {"I ", " L", " S", " M"};
  uint64_t address = fixture_random(0) >> fixture_random(64);
  if (!fixture_random(20))
    return (size_t)sprintf(to, "==%d== a line\n", (int)fixture_random(99999));
  return (size_t)sprintf(to, "%s %08" PRIx64 ",%d\n", kinds[fixture_random(4)],
                         address, 1 << fixture_random(7));
}

static size_t random_text(char *to) {
  uint64_t address = fixture_random(0) >> fixture_random(64);
  switch (fixture_random(8)) {
    case 0:
      return (size_t)sprintf(to, "# %" PRIu64 "\n", address);
    case 1:
      return (size_t)sprintf(to, " \t\n");
    case 2:
      return (size_t)sprintf(to, " 0x%016" PRIX64 "\t# %d\n", address, 3);
    case 3:
    case 4:
      return (size_t)sprintf(to, "%" PRIu64 "\n", address);
    default:
      return (size_t)sprintf(to, "0x%" PRIx64 "\n", address);
  }
}

/* More than a window of them, so that lines cross its end. */
static void check_against(const char *format, size_t (*make)(char *to),
                          bool (*parse)(const char *, struct accesses *)) {
  enum { LINES = 150000, MOST = 64 };
  struct bytes bytes = {0, malloc((size_t)LINES * MOST)};
  struct accesses expected;
  accesses_init(&expected, 2 * LINES);
  expected.count = 0;
  for (int i = 0; i < LINES; i++) {
    char *line = (char *)bytes.data + bytes.count;
    bytes.count += make(line);
    CU_ASSERT_TRUE_FATAL(parse(line, &expected));
  }
  CU_ASSERT_FATAL(bytes.count > 3 << 19);
  struct accesses read = read_bytes(bytes, format);
  CU_ASSERT_TRUE(accesses_equal(&read, &expected));
  accesses_fini(&read);
  accesses_fini(&expected);
  bytes_fini(&bytes);
}

static void test_random_lackey_and_text_agree_with_a_second_parser(void) {
  fixture_seed = 10;
  check_against("lackey", random_lackey, reference_lackey);
  check_against("text", random_text, reference_text);
}

static void test_what_text_writers_write_is_read_back(void) {
  fixture_seed = 11;
  for (int i = 0; i < 100; i++) {
    struct accesses made;
    accesses_random(&made, 1 + fixture_random(i < 98 ? 2000 : 100000));
    struct bytes bytes = write_bytes(&made, "lackey", i & 1);
    struct accesses read = read_bytes(bytes, NULL);
    CU_ASSERT_STRING_EQUAL(read.format, "lackey");
    CU_ASSERT_TRUE(accesses_equal(&read, &made));
    accesses_fini(&read);
    bytes_fini(&bytes);
    bytes = write_bytes(&made, "text", i & 1);
    read = read_bytes(bytes, NULL);
    memset(made.kinds, VAT_LOAD, made.count);
    for (size_t k = 0; k < made.count; k++) made.sizes[k] = 1;
    CU_ASSERT_STRING_EQUAL(read.format, "text");
    CU_ASSERT_TRUE(accesses_equal(&read, &made));
    accesses_fini(&read);
    accesses_fini(&made);
    bytes_fini(&bytes);
  }
}

static void check_error(const char *text, const char *format,
                        const char *part) {
  struct bytes bytes = bytes_of_text(text);
  const char *error = error_of(bytes, format);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, part));
  if (!strstr(error, part)) printf("%s: %s\n", text, error);
  bytes_fini(&bytes);
}

static const char *const bad_lines[][2] = {
    {"text", "0x"},
    {"text", "0xfffffffffffffffff"},
    {"text", "18446744073709551616"},
    {"text", "99999999999999999999999"},
    {"text", "-1"},
    {"text", "1 2"},
    {"text", "1,"},
    {"text", "0x1g"},
    {"text", "\001"},
    {"lackey", " L 1ffeffe7,8x"},
    {"lackey", " L 1ffeffe,8"},
    {"lackey", " L 1ffeffe7e0"},
    {"lackey", " L 1ffeffe7e0,"},
    {"lackey", " L 1ffeffe7e0,4294967296"},
    {"lackey", " L  1ffeffe7e0,8"},
    {"lackey", " X 1ffeffe7e0,8"},
    {"lackey", "L  1ffeffe7e0,8"},
    {"lackey", "I 04001000,3"},
    {"lackey", " I 04001000,3"},
    {"lackey", " L fffffffffffffffff,8"},
    {"lackey", "==x== y"},
    {"lackey", "=="},
    {"lackey", "SB x"},
    {"drmemtrace-view", "  1  1: W0.T1 read  4 byte(s) at 0x1"},
    {"drmemtrace-view", "  1  1: W0.T1 jump  4 byte(s) @ 0x1"},
    {"drmemtrace-view", "  1  1: W0.T1"},
    {"drmemtrace-view", "  1  1:"},
    {"drmemtrace-view", "  1  1: W0.T1 read  x byte(s) @ 0x1"},
    {"perf", "0x10"},
    {"perf", "10 20"},
    {"perf", "fffffffffffffffff"},
};
static const struct {
  const char *format, *good;
} begins[] = {{"text", "1\n"},
              {"lackey", "I  04001000,3\n"},
              {"drmemtrace-view", " 1 1: W0.T1 read 4 byte(s) @ 0x1\n"},
              {"perf", "a\n"}};

static void test_a_bad_line_is_named(void) {
  for (size_t i = 0; i < sizeof bad_lines / sizeof *bad_lines; i++) {
    for (size_t k = 0; k < sizeof begins / sizeof *begins; k++) {
      char text[256];
      if (strcmp(begins[k].format, bad_lines[i][0])) continue;
      snprintf(text, sizeof text, "%s\n%s\n%s", begins[k].good, bad_lines[i][1],
               begins[k].good);
      check_error(text, bad_lines[i][0], ":3: \"");
      check_error(text, NULL, ":3: \"");
    }
  }
}

static void test_mixed_formats_are_named(void) {
  check_error("1\n L 04001000,8\n", NULL,
              ":2: \" L 04001000,8\" is of format lackey, in a trace of "
              "format text");
  check_error("I  04001000,3\n0x10\n", NULL, "is of format text");
  check_error("12\n34\ndeadbeef\n", "text", "is of format perf");
}

static void test_a_bad_line_is_shown_in_part_and_in_printable_characters(void) {
  check_error("1\nab\033[31m\001c\n", "text", "\"ab?[31m?c\"");
  check_error("1\nx234567890123456789012345678901234567890123456789\n", "text",
              "\"x234567890123456789012345678901234567890...\"");
}

static void test_accesses_before_a_bad_line_are_read_first(void) {
  struct accesses read = read_text("1\n2\n3\nx\n4\n", "text");
  CU_ASSERT_EQUAL(read.code, EINVAL);
  CU_ASSERT_EQUAL(read.count, 3);
  accesses_fini(&read);
}

static void test_traces_of_no_format_are_refused(void) {
  check_error("", NULL, "empty");
  check_error("hello\n", NULL, ":1: the line is of no known trace format");
  check_error("\177ELF\2\1\1", NULL, ": is a program, not a trace");
  check_error("hello", NULL, "text, lackey, ");
  check_error("\n\n", NULL, "no accesses");
  check_error("# nothing\n", NULL, "no accesses");
  check_error("# 0 accesses\n#\n", NULL, "no accesses");
  check_error("# 0 accesses\n", "lackey", "no line of format lackey");
  check_error("==1== nothing\n", NULL, "no accesses");
  check_error("1\n", "pin", "pin: no such trace format; there are text, ");
  fixture_seed = 12;
  for (int i = 0; i < 300; i++) {
    struct bytes noise = {1 + fixture_random(i < 290 ? 300 : 100000), NULL};
    noise.data = malloc(noise.count);
    for (size_t k = 0; k < noise.count; k++)
      noise.data[k] = (uint8_t)fixture_random(256);
    noise.data[0] = 0xf7; /* not even the beginning of anything */
    for (size_t f = 0; vat_trace_formats[f]; f++) {
      struct accesses read = read_bytes(noise, vat_trace_formats[f]->name);
      accesses_fini(&read);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(error_of(noise, NULL), ": offset 0: "));
    bytes_fini(&noise);
  }
}

static void test_records_that_are_cut_off_or_wrong_name_the_offset(void) {
  static const struct {
    const char *format;
    size_t length, bad; /* of a record; the byte in it that is checked */
  } binary[] = {{"drmemtrace-bin", 12, 1}, {"champsim", 64, 8}};
  for (size_t i = 0; i < 2; i++) {
    char path[512], place[64];
    snprintf(path, sizeof path, VAT_TEST_DATA "/sample.%s", binary[i].format);
    FILE *file = fopen(path, "r");
    struct bytes bytes = {0, malloc(4096)};
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    bytes.count = fread(bytes.data, 1, 4096, file);
    fclose(file);
    size_t last = bytes.count - binary[i].length;
    bytes.count--;
    snprintf(place, sizeof place, ": offset %zu: cut off", last);
    CU_ASSERT_PTR_NOT_NULL(strstr(error_of(bytes, binary[i].format), place));
    bytes.count++;
    bytes.data[last + binary[i].bad] = 99;
    snprintf(place, sizeof place, ": offset %zu: no record", last);
    CU_ASSERT_PTR_NOT_NULL(strstr(error_of(bytes, binary[i].format), place));
    bytes_fini(&bytes);
  }
}

static const struct check_test tests[] = {
    {"samples read as they should", test_samples_read_as_they_should},
    {"each format of the table has a sample",
     test_each_format_of_the_table_has_a_sample},
    {"decimal digits are text and hexadecimal ones perf",
     test_decimal_digits_are_text_and_hexadecimal_ones_perf},
    {"random lackey and text agree with a second parser",
     test_random_lackey_and_text_agree_with_a_second_parser},
    {"what text writers write is read back",
     test_what_text_writers_write_is_read_back},
    {"a bad line is named", test_a_bad_line_is_named},
    {"mixed formats are named", test_mixed_formats_are_named},
    {"a bad line is shown in part and in printable characters",
     test_a_bad_line_is_shown_in_part_and_in_printable_characters},
    {"accesses before a bad line are read first",
     test_accesses_before_a_bad_line_are_read_first},
    {"traces of no format are refused", test_traces_of_no_format_are_refused},
    {"records that are cut off or wrong name the offset",
     test_records_that_are_cut_off_or_wrong_name_the_offset},
    {0}};

const struct check_suite suite_trace_formats = {"trace_formats", tests, NULL};
