/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat validate: do the models predict what was measured? */
#include <errno.h>
#include <string.h>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/json_file.h"
#include "experiments/commands/commands.h"
#include "experiments/probe/calibration.h"
#include "experiments/report/mosaics_figure.h"
#include "experiments/results/other_file.h"
#include "experiments/validate/mosaics.h"
#include "experiments/validate/validate.h"

struct options {
  bool json, mosaics;
  const char *figure;        /* file; NULL: none */
  struct option_words paths; /* one, if any; or of --mosaics */
  struct validation validation;
};

static int leave_out(void *at, const char *option, const char *name) {
  (void)option;
  return term_leave_out(at, terms, name, "FULL", "validate");
}

#define AT(member) OPTION_AT(struct options, member)

static const struct option_row option_rows[] = {
    {"machine", "MACHINE.json", OPTION_TEXT, AT(validation.machine_path),
     .help = "calibration of the machine (vat calibrate -o); required"},
    {"without", "TERM", OPTION_OWN, AT(validation.without), .set = leave_out,
     .help = "leave this term (see below) out of FULL; may be repeated"},
    {"exchange", NULL, OPTION_FLAG, AT(validation.exchange),
     .help = "predict each program from the accesses of another one; FULL must "
             "then fail"},
    {"mosaics", NULL, OPTION_FLAG, AT(mosaics),
     .conflicts = "machine,without,exchange",
     .help = "the files are of vat compare --plan --json: compare the plans' "
             "predictions, and those of models of the literature, with the "
             "times that were measured"},
    {"figure", "FILE", OPTION_FILE, AT(figure), .needs = "mosaics",
     .help = "also draw what each model told over what was measured: FILE.svg "
             "or FILE.png"},
    {"json", NULL, OPTION_FLAG, AT(json), .help = "print one JSON object"},
    {0}};

static void print_terms(FILE *out, const void *request) {
  (void)request;
  terms_print(out, terms);
}

const struct option_table validate_table = {
    .rows = option_rows,
    .usage = "--machine MACHINE.json RESULTS\n--mosaics COMPARE.json...",
    .examples =
        "  vat validate --machine machine.json results.jsonl\n"
        "  vat validate --mosaics redis.json sqlite.json\n",
    .words = offsetof(struct options, paths),
    .words_most = SIZE_MAX,
    .doc =
        "Predict the running times in RESULTS by the RAM, EM and VAT models, "
        "by EM and VAT together, and with the physical terms of the machine "
        "(FULL), and show the error of each on data that was not fitted.\vExit "
        "1: FULL does not hold.\n",
    .more = print_terms,
};

static int check(struct options *options) {
  struct validation *v = &options->validation;
  v->path = *options->paths.at;
  if (options->mosaics) return VAT_OK;
  if (options->paths.count > 1)
    return fail(VAT_USAGE, "%s: only one results file is allowed",
                options->paths.at[1]);
  if (!v->path)
    return fail(VAT_USAGE,
                "no results file; name one that `vat run -o FILE` wrote");
  if (v->machine_path) return VAT_OK;
  return fail(VAT_USAGE,
              "no calibration of the machine; give --machine MACHINE.json, "
              "which `vat calibrate -o MACHINE.json` writes");
}

static int show(const struct options *options) {
  const struct validation *v = &options->validation;
  if (options->json)
    json_line(stdout, validation_to_json(v),
              JSON_COMPACT | JSON_REAL_PRECISION(6));
  else
    validation_print(stdout, v);
  return v->holds ? VAT_OK : VAT_FAILED;
}

static int read_files(const struct validation *v, struct results *results,
                      struct calibration *cal) {
  char error[RESULTS_ERROR_SIZE];
  if (results_read(results, v->path, error))
    return fail(fail_code(errno), "%s", error);
  if (calibration_read(cal, v->machine_path, error, sizeof error))
    return fail(fail_code(errno), "%s", error);
  if (results->cut) fprintf(stderr, "vat: %s: %s\n", v->path, RESULTS_CUT);
  return VAT_OK;
}

/* Armed while it takes its time. */
static int make(struct validation *v) {
  if (interrupt_arm())
    return fail(VAT_ABSENT, "cannot set up signals: %s", strerror(errno));
  int code = validation_make(v);
  interrupt_disarm();
  return interrupt_pending() ? VAT_FAILED : code;
}

static int show_mosaics(const struct options *options) {
  char error[RESULTS_ERROR_SIZE];
  struct mosaics mosaics;
  int code = VAT_OK;
  if (!options->paths.count)
    return fail(VAT_USAGE,
                "no file; name those that vat compare --plan --json printed");
  if (mosaics_read(&mosaics, (const char *const *)options->paths.at,
                   options->paths.count, error, sizeof error))
    code = fail(fail_code(errno), "%s", error);
  else if (options->json)
    json_line(stdout, mosaics_to_json(&mosaics),
              JSON_COMPACT | JSON_REAL_PRECISION(6));
  else
    mosaics_print(stdout, &mosaics);
  if (!code && options->figure)
    code = mosaics_figure_write(&mosaics, options->figure);
  mosaics_fini(&mosaics);
  return code;
}

int cmd_validate(int argc, char **argv) {
  struct results results = {0};
  struct calibration cal = {0};
  struct options options = {.validation = {.results = &results, .cal = &cal}};
  int code = options_parse(&validate_table, argc, argv, &options);
  if (!code) code = check(&options);
  if (!code && options.mosaics) return show_mosaics(&options);
  if (!code) code = read_files(&options.validation, &results, &cal);
  if (!code) code = make(&options.validation);
  if (!code) code = show(&options);
  validation_fini(&options.validation);
  calibration_fini(&cal);
  results_fini(&results);
  interrupt_die();
  return code;
}
