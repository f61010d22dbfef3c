/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/gpu_models/model_told.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"
#include "tests/experiments/suites.h"

struct command_result model_result;

void model_run(const char *line) {
  enum { WORDS = 32 };
  char copy[800], *at = copy, *word;
  const char *words[WORDS] = {0};
  size_t count = 0;
  snprintf(copy, sizeof copy, "%s", line);
  while (count < WORDS - 1 && (word = strsep(&at, " ")))
    if (*word) words[count++] = word;
  run_command(&model_result, cmd_model, words, false);
}

json_t *model_told_lines(const char *line) {
  json_t *lines = json_array(), *object;
  model_run(line);
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  CU_ASSERT_STRING_EQUAL(model_result.err, "");
  for (char *at = model_result.out; *at; at = strchr(at, '\n') + 1) {
    object = json_loads(at, JSON_DISABLE_EOF_CHECK, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(object);
    json_array_append_new(lines, object);
  }
  CU_ASSERT_FATAL(json_array_size(lines) > 0);
  return lines;
}

json_t *model_told(const char *line) {
  json_t *lines = model_told_lines(line);
  json_t *object = json_incref(json_array_get(lines, 0));
  json_decref(lines);
  return object;
}

void model_refuses(const char *before, const char *const (*cases)[2],
                   size_t count) {
  for (size_t i = 0; i < count; i++) {
    char line[600];
    snprintf(line, sizeof line, "%s%s", before, cases[i][0]);
    model_run(line);
    const char *end = strchr(model_result.err, '\n');
    bool right =
        model_result.code == VAT_USAGE && !*model_result.out &&
        !strncmp(model_result.err, "vat: ", 5) &&
        !strncmp(model_result.err + 5, cases[i][1], strlen(cases[i][1])) &&
        end && !end[1];
    if (!right)
      printf("\n%s: %d %s%s\n", line, model_result.code, model_result.out,
             model_result.err);
    CU_ASSERT(right);
  }
}
