/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of vat exec. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "experiments/cli/json_file.h"
#include "experiments/cli/out_file.h"
#include "experiments/exec/granted.h"

static json_t *choice_to_json(const struct plan_choice *choice,
                              const struct hp_kind *kind,
                              const struct look_sum *sum) {
  char *reason = granted_why(choice, kind, sum);
  uint64_t granted = sum->granted < sum->asked ? sum->granted : sum->asked;
  json_t *json = json_pack("{s:s, s:I, s:I, s:s?}", "where", choice->where,
                           "asked_bytes", (json_int_t)sum->asked,
                           "granted_bytes", (json_int_t)granted, "why", reason);
  free(reason);
  return json;
}

/* As a shell has it. */
static json_t *status_to_json(int status) {
  if (status == -1) return json_null();
  return json_integer(WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                          : WEXITSTATUS(status));
}

int granted_write(const char *path, const struct granted_report *report) {
  struct out_file file;
  const struct page_plan *plan = report->plan;
  if (out_file_open(&file, path)) return -1;
  json_t *choices = json_array();
  for (size_t i = 0; i < plan->choice_count; i++)
    json_array_append_new(
        choices,
        choice_to_json(&plan->choices[i], report->kind, &report->sums[i]));
  json_t *json = json_pack(
      "{s:s, s:i, s:o, s:s, s:I, s:o}", "record", "exec-report", "schema", 1,
      "status", status_to_json(report->status), "pages", report->kind->name,
      "processes", (json_int_t)report->processes, "choices", choices);
  json_line(file.stream, json, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  int failed = out_file_commit(&file), error = errno;
  out_file_end(&file);
  errno = error;
  return failed;
}
