/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat calibrate: what this machine's accesses cost, by micro-benchmarks. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/calibrate/calibrate.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/out_file.h"
#include "experiments/cli/output_path.h"
#include "experiments/commands/commands.h"
#include "experiments/probe/calibration.h"

#define AT(member) OPTION_AT(struct calibrate_options, member)

static const struct option_row rows[] = {
    {.help = "What to measure"},
    {"memory", "BYTES", OPTION_SIZE, AT(memory_bytes), .least = 1 << 20,
     .most = SIZE_MAX / 16,
     .help = "memory per page kind; default: a quarter of the free memory for "
             "all kinds together, at most 4G each"},
    {"pages", "KIND,...", OPTION_TEXT, AT(pages), .conflicts = "refresh",
     .help = "page kinds: 4k,thp,2m,1g or all; default: those this machine "
             "has; and, where named, sizes between such as thp-64k"},
    {"refresh", "FILE", OPTION_TEXT, AT(refresh),
     .help = "measure only those values of the calibration FILE again that vat "
             "profile --what-if uses and that change with the load; keep all "
             "others"},
    {.help = "How"},
    {"pin", "CPU", OPTION_WHOLE, AT(pin), .most = INT_MAX,
     .help = "measure on this processor (default: the last)"},
    {"reserve", NULL, OPTION_FLAG, AT(reserve),
     .help = "grow the pools of huge pages, and set the switches of sizes "
             "between, for this run and restore them at the end (root)"},
    {"time-budget", "SEC", OPTION_REAL, AT(time_budget_s), .low = 1e-9,
     .high = 1e6,
     .help = "finish after this time (default: 120, with --refresh 40); vat "
             "times each point at least once"},
    {.help = "Output"},
    {"json", NULL, OPTION_FLAG, AT(json),
     .help = "print the calibration as JSON instead of tables"},
    {"output", "MACHINE.json", OPTION_TEXT, AT(output), .letter = 'o',
     .help = "write the calibration to this file; - is standard output"},
    {0}};

const struct option_table calibrate_table = {
    .rows = rows,
    .examples =
        "  vat calibrate -o machine.json\n"
        "  sudo vat calibrate --reserve -o machine.json   hugetlb pages, too\n",
    .doc =
        "Measure what accesses, address translations and streams of this "
        "machine cost.\vvat runs micro-benchmarks on an idle machine, "
        "alternates between page kinds and repeats each point.  vat validate "
        "predicts running times from MACHINE.json; doc/calibration.md explains "
        "how each number is found.",
};

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
    calibration_print(out, cal, options->refresh);
    if (output && !stdout_taken) fprintf(out, "\nmachine: %s\n", output);
  }
  free(text);
  json_decref(object);
  return code;
}

int cmd_calibrate(int argc, char **argv) {
  struct calibrate_options options = {.pin = -1};
  int code = options_parse(&calibrate_table, argc, argv, &options);
  if (code) return code;
  if (!(options.time_budget_s > 0))
    options.time_budget_s =
        options.refresh ? refresh_budget_s : default_budget_s;
  if (options.output && !output_is_stdout(options.output) &&
      output_path_try(options.output))
    return fail_write(options.output);
  struct calibration *cal = memory_get(sizeof *cal);
  code = calibrate(&options, cal);
  if (!code) code = show(&options, cal);
  calibration_fini(cal);
  free(cal);
  return code;
}
