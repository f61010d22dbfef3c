/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat validate: do the models predict what was measured? */
#include <argp.h>
#include <config.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/interrupt.h"
#include "experiments/commands/commands.h"
#include "experiments/probe/machine_file.h"
#include "experiments/validate/validate.h"

enum { KEY_JSON = 256, KEY_EXCHANGE, KEY_MACHINE, KEY_WITHOUT };

struct options {
  bool json;
  struct validation *validation;
};

static const struct argp_option option_table[] = {
    {"machine", KEY_MACHINE, "MACHINE.json", 0,
     "required: calibration of the machine, as vat calibrate -o writes it", 0},
    {"without", KEY_WITHOUT, "TERM", 0,
     "leave a term out of FULL; may be repeated; one of", 0},
    {"exchange", KEY_EXCHANGE, NULL, 0,
     "predict each program by what another one does: must fail", 0},
    {"json", KEY_JSON, NULL, 0, "print one JSON object", 0},
    {0}};

/* The terms that --without takes are those of the table. */
static char *help(int key, const char *text, void *input) {
  (void)input;
  char *whole = NULL;
  size_t size;
  FILE *out = key == KEY_WITHOUT ? open_memstream(&whole, &size) : NULL;
  if (!out) return (char *)text;
  fputs(text, out);
  for (size_t i = 0; terms[i].name; i++)
    fprintf(out, "%s %s", i ? "," : "", terms[i].name);
  fclose(out);
  return whole;
}

static error_t parse(int key, char *value, struct argp_state *state) {
  struct options *options = state->input;
  struct validation *v = options->validation;
  unsigned term;
  switch (key) {
    case KEY_MACHINE:
      v->machine_path = value;
      return 0;
    case KEY_WITHOUT:
      if (!(term = term_find(value)))
        exit(fail(VAT_USAGE,
                  "--without: '%s' is none of the terms of FULL; vat "
                  "validate --help names them",
                  value));
      v->without |= term;
      return 0;
    case KEY_EXCHANGE:
      v->exchange = true;
      return 0;
    case KEY_JSON:
      options->json = true;
      return 0;
    case ARGP_KEY_ARG:
      if (v->path)
        exit(fail(VAT_USAGE, "%s: one results file at a time", value));
      v->path = value;
      return 0;
    case ARGP_KEY_END:
      if (!v->path)
        exit(fail(VAT_USAGE,
                  "name a results file, as `vat run -o FILE` writes"));
      if (!v->machine_path)
        exit(fail(VAT_USAGE,
                  "name the machine's calibration, --machine MACHINE.json, "
                  "as `vat calibrate -o MACHINE.json` writes it"));
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static int show(const struct options *options) {
  const struct validation *v = options->validation;
  if (!options->json) {
    validation_print(stdout, v);
    return v->holds ? VAT_OK : VAT_FAILED;
  }
  json_t *object = validation_to_json(v);
  if (!object) return fail(VAT_ABSENT, "out of memory");
  json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(object);
  return v->holds ? VAT_OK : VAT_FAILED;
}

static int read_files(const struct validation *v, struct results *results,
                      struct calibration *cal) {
  char error[RESULTS_ERROR_SIZE];
  if (results_read(results, v->path, error) ||
      machine_file_read(cal, v->machine_path, error, sizeof error))
    return fail(fail_code(errno), "%s", error);
  if (results->cut) fprintf(stderr, "vat: %s: %s\n", v->path, RESULTS_CUT);
  return VAT_OK;
}

/* Armed while it takes its time. */
static int make(struct validation *v) {
  if (interrupt_arm())
    return fail(VAT_ABSENT, "signals cannot be armed: %s", strerror(errno));
  int code = validation_make(v);
  interrupt_disarm();
  return interrupt_pending() ? VAT_FAILED : code;
}

static int run(int argc, char **argv) {
  static const struct argp argp = {
      .options = option_table,
      .parser = parse,
      .args_doc = "--machine MACHINE.json RESULTS",
      .help_filter = help,
      .doc =
          "Predict the running times in RESULTS by the RAM, EM and VAT models, "
          "both, and with the physical terms of the machine (FULL), and say "
          "how far each is off where nothing was fitted.\vExit 1: FULL does "
          "not hold."};
  struct results results = {0};
  struct calibration cal = {0};
  struct validation validation = {.results = &results, .cal = &cal};
  struct options options = {.validation = &validation};
  int code = command_parse(&argp, argc, argv, &options);
  if (!code) code = read_files(&validation, &results, &cal);
  if (!code) code = make(&validation);
  if (!code) code = show(&options);
  validation_fini(&validation);
  calibration_fini(&cal);
  results_fini(&results);
  interrupt_die();
  return code;
}

const struct command cmd_validate = {
    .name = "validate",
    .summary = "predictions against measurements, error side by side",
    .run = run,
};
