/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat calibrate: what this machine's accesses cost, by micro-benchmarks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/calibrate/calibrate.h"
#include "experiments/calibrate/calibration_print.h"
#include "experiments/calibrate/refresh.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/out_file.h"
#include "experiments/cli/output_path.h"
#include "experiments/commands/commands.h"
#include "experiments/probe/calibration.h"

/* In time of a whole calibration, less than three minutes with what is around
 * it; and of what is done again and again. */
static const double default_budget_s = 120, refresh_budget_s = 40;

/* More digits would show how binary fractions round. */
#define CALIBRATION_JSON_FLAGS \
  (JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6))

/* What took minutes must not be lost with a full disk. */
static int write_file(const char *path, const char *text) {
  struct out_file file;
  int failed = out_file_open(&file, path) ||
               fprintf(file.stream, "%s\n", text) < 0 || out_file_commit(&file);
  int error = errno;
  out_file_end(&file);
  if (!failed) return VAT_OK;
  if (!output_is_stdout(path)) puts(text);
  return fail(VAT_ABSENT, "%s: cannot be written: %s%s", path, strerror(error),
              output_is_stdout(path) ? "" : "; the JSON is on stdout instead");
}

static int show(const struct calibrate_options *options,
                const struct calibration *cal) {
  const char *output = options->output;
  json_t *object = calibration_to_json(cal);
  char *text = json_dumps(object, CALIBRATION_JSON_FLAGS);
  int code = output ? write_file(output, text) : VAT_OK;
  bool stdout_taken = output && output_is_stdout(output);
  if (!code && options->json && !stdout_taken) puts(text);
  if (!code && !options->json) {
    FILE *out = stdout_taken ? stderr : stdout;
    (options->refresh ? calibration_print_refreshed : calibration_print)(out,
                                                                         cal);
    if (output && !stdout_taken) fprintf(out, "\nmachine: %s\n", output);
  }
  free(text);
  json_decref(object);
  return code;
}

static int run(int argc, char **argv) {
  struct calibrate_options options = {.pin = -1};
  int code = options_parse(&calibrate_table, argc, argv, &options);
  if (code) return code;
  if (!(options.time_budget_s > 0))
    options.time_budget_s =
        options.refresh ? refresh_budget_s : default_budget_s;
  if (options.output && !output_is_stdout(options.output) &&
      output_path_try(options.output))
    return fail(fail_code(errno), "%s: cannot be written: %s", options.output,
                strerror(errno));
  struct calibration *cal = memory_get(sizeof *cal);
  code = options.refresh ? refresh(&options, cal) : calibrate(&options, cal);
  if (!code) code = show(&options, cal);
  calibration_fini(cal);
  free(cal);
  return code;
}

const struct command cmd_calibrate = {
    .name = "calibrate",
    .summary = "measure what accesses and translations of this machine cost",
    .options = &calibrate_table,
    .run = run,
};
