/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <stdint.h>

#include "huge_pages/region.h"
#include "huge_pages/size_text.h"
#include "tests/huge_pages/huge_pages_suites.h"

static void name_is(size_t bytes, const char *name) {
  char text[HP_NAME_SIZE];
  CU_ASSERT_STRING_EQUAL(hp_page_name(bytes, text), name);
}

static void text_is(size_t bytes, const char *words) {
  char text[HP_SIZE_TEXT];
  CU_ASSERT_STRING_EQUAL(hp_size_text(bytes, text), words);
}

static void test_page_names(void) {
  name_is(4096, "4k");
  name_is(65536, "64k");
  name_is((size_t)2 << 20, "2m");
  name_is((size_t)512 << 20, "512m");
  name_is((size_t)1 << 30, "1g");
  name_is((size_t)16 << 30, "16g");
}

static void test_odd_sizes_have_names_that_fit(void) {
  name_is(0, "0");
  name_is(4097, "4097");
  name_is(3 << 10, "3k");
  name_is(SIZE_MAX, "184467440737095");
}

static void test_sizes_in_words(void) {
  text_is(0, "0 bytes");
  text_is(4096, "4 KiB");
  text_is((size_t)2 << 20, "2 MiB");
  text_is((size_t)1 << 30, "1 GiB");
  text_is((size_t)3 << 29, "1.5 GiB");
}

static const struct check_test tests[] = {
    {"a page size is named in its largest whole unit", test_page_names},
    {"numbers that are no page size fit a name",
     test_odd_sizes_have_names_that_fit},
    {"sizes read in words", test_sizes_in_words},
    {0},
};
const struct check_suite suite_size_text = {"size_text", tests, NULL};
