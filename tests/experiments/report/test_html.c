/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/html.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static char *escaped(const char *text) {
  char *out;
  size_t size;
  FILE *page = open_memstream(&out, &size);
  html_text(page, text);
  fclose(page);
  return out;
}

static void test_text_stays_text(void) {
  char *out = escaped("<a href=\"x\" b='y'>&amp;\a\n 1 -> 2 \303\251\303");
  CU_ASSERT_STRING_EQUAL(out,
                         "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;"
                         "   1 &rarr; 2 \303\251\357\277\275");
  free(out);
}

static void test_ids_of_pictures_do_not_clash(void) {
  char *out;
  size_t size;
  FILE *page = open_memstream(&out, &size);
  html_svg(page,
           "<?xml version=\"1.0\"?><svg viewBox=\"0 0 800 600\"><g id=\"c\">"
           "<rect fill=\"#ffffff\"/><defs><path id='p'/></defs>"
           "<use xlink:href='#p'/></g></svg>\n",
           "f1-", "a \"label\"");
  fclose(page);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "<path id='f1-p'/>"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "xlink:href='#f1-p'"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "a &quot;label&quot;"));
  CU_ASSERT_PTR_NULL(strstr(out, "<?xml"));
  CU_ASSERT_PTR_NULL(strstr(out, "#ffffff"));
  free(out);
}

static void test_what_is_no_picture_gives_none(void) {
  char *out;
  size_t size;
  FILE *page = open_memstream(&out, &size);
  html_svg(page, "", "f", "l");
  html_svg(page, "<svg viewBox=\"0 0 a b\"><defs>", "f", "l");
  fclose(page);
  CU_ASSERT_EQUAL(size, 0);
  free(out);
}

static const struct check_test tests[] = {
    {"text stays text", test_text_stays_text},
    {"ids of pictures do not clash", test_ids_of_pictures_do_not_clash},
    {"what is no picture gives none", test_what_is_no_picture_gives_none},
    {NULL, NULL},
};

const struct check_suite suite_html = {.name = "html", .tests = tests};
