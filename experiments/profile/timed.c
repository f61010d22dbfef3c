/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/timed.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/json_file.h"
#include "experiments/compare/comparison.h"

static bool is(const json_t *object, const char *key, const char *value) {
  const char *text = json_string_value(json_object_get(object, key));
  return text && !strcmp(text, value);
}

static bool is_of(const json_t *command, char *const *program) {
  size_t i = 0;
  for (; program[i]; i++) {
    const char *word = json_string_value(json_array_get(command, i));
    if (!word || strcmp(word, program[i])) return false;
  }
  return i == json_array_size(command);
}

static int take_run(struct timed *timed, const json_t *record,
                    const char *path) {
  char why[160];
  struct launch_result run = {.error = 0};
  if (!is(record, "kind", "4k") || timed->runs == TIMED_MOST ||
      !json_is_true(json_object_get(record, "counts")))
    return VAT_OK;
  if (record_from_json(launch_fields, record, &run, why, sizeof why))
    return fail(VAT_USAGE, "--timed %s: %s", path, why);
  timed->user_s[timed->runs] = run.user_s;
  timed->sys_s[timed->runs] = run.sys_s;
  timed->faults[timed->runs++] = (double)run.minor_faults;
  return VAT_OK;
}

static int take(struct timed *timed, const json_t *record, const char *path,
                char *const *program) {
  char why[160];
  const json_t *touch = json_object_get(record, "first_touch_s_per_gib");
  if (is(record, "record", "compare_run")) return take_run(timed, record, path);
  if (!is(record, "record", "compare")) return VAT_OK;
  if (json_is_object(touch))
    timed->touch.known = !record_from_json(first_touch_fields, touch,
                                           &timed->touch, why, sizeof why);
  if (is_of(json_object_get(record, "command"), program)) return VAT_OK;
  return fail(VAT_USAGE,
              "--timed %s: it is of another command; mend: vat compare -o FILE "
              "-- PROG, with the same words",
              path);
}

static int read_lines(struct timed *timed, FILE *file, const char *path,
                      char *const *program) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  unsigned at = 0;
  int code = VAT_OK;
  while (!code && (length = getline(&line, &room, file)) > 0) {
    at++;
    if (line[length - 1] != '\n') {
      fail(VAT_OK, "%s:%u: a half line is left out", path, at);
      break;
    }
    json_error_t syntax;
    json_t *record = json_text_read(line, (size_t)length, &syntax);
    code = record
               ? take(timed, record, path, program)
               : fail(VAT_USAGE, "%s:%u: not JSON: %s", path, at, syntax.text);
    json_decref(record);
  }
  if (!code && length < 0 && !feof(file))
    code = fail(fail_code(errno), "%s: %s", path, strerror(errno));
  free(line);
  return code;
}

int timed_read(struct timed *timed, const char *path, char *const *program) {
  FILE *file = fopen(path, "r");
  *timed = (struct timed){.runs = 0};
  if (!file) return fail(fail_code(errno), "%s: %s", path, strerror(errno));
  int code = read_lines(timed, file, path, program);
  fclose(file);
  if (code || timed->runs) return code;
  return fail(VAT_USAGE,
              "--timed %s: no run on 4k pages counts there; mend: vat compare "
              "-o FILE -- PROG",
              path);
}
