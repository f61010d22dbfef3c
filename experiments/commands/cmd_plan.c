/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat plan: which memory of a program goes on larger pages. */
#include <errno.h>
#include <string.h>

#include "experiments/cli/json_file.h"
#include "experiments/cli/out_file.h"
#include "experiments/cli/output_path.h"
#include "experiments/commands/commands.h"
#include "experiments/profile/plan_request.h"
#include "experiments/profile/planning.h"
#include "experiments/report/plan_figure.h"

static int write_plan(const struct planning *planning, const char *path) {
  struct out_file file;
  int failed = out_file_open(&file, path);
  if (!failed) {
    json_line(file.stream, planning_to_json(planning),
              JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    failed = out_file_commit(&file);
  }
  int error = errno;
  out_file_end(&file);
  return failed ? fail(fail_code(error), "-o %s: %s", path, strerror(error))
                : VAT_OK;
}

/* It draws user time. */
static int check_figure(const struct planning *planning) {
  const struct plan_request *request = planning->request;
  if (!request->figure || !planning->by_touch) return VAT_OK;
  return fail(VAT_USAGE,
              "--figure %s: pages of this size save no user time, which it "
              "draws; fix: --json, whose saved_curve has the system time",
              request->figure);
}

static int make_plan(const struct plan_request *request) {
  struct planning planning;
  int code = planning_open(&planning, request);
  if (!code) code = check_figure(&planning);
  if (!code) {
    planning_choose(&planning);
    planning_costs(&planning);
    planning_ways(&planning);
  }
  if (!code && request->output) code = write_plan(&planning, request->output);
  if (!code && request->figure)
    code = plan_figure_write(&planning.plan, request->figure);
  bool printed = request->output && output_is_stdout(request->output);
  if (!code && request->json && !printed)
    json_line(stdout, planning_to_json(&planning),
              JSON_COMPACT | JSON_PRESERVE_ORDER);
  else if (!code && !printed)
    planning_print(&planning, stdout);
  planning_end(&planning);
  return code;
}

int cmd_plan(int argc, char **argv) {
  struct plan_request request;
  int code = plan_request_parse(&request, argc, argv);
  if (!code) code = make_plan(&request);
  options_fini(&plan_table, &request);
  return code;
}
