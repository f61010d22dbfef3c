/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat report: the figures, tables and page of one or more results files. */
#include <argp.h>
#include <config.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/interrupt.h"
#include "experiments/commands/commands.h"
#include "experiments/report/report.h"
#include "experiments/report/report_what_if.h"
#include "experiments/results/summary.h"

enum { KEY_MACHINE = 256, KEY_PROFILED, KEY_COMPARED };

struct options {
  const char *dir;
  const char **machines; /* NULL-ended */
  const char **paths;
  size_t count, machine_count;
  /* One of each makes a pair. */
  const char **profiled, **compared;
  size_t profiles, comparisons;
  bool json;
};

static const struct argp_option option_table[] = {
    {"output", 'o', "DIR", 0, "where to write; made if absent", 0},
    {"machine", KEY_MACHINE, "MACHINE.json", 0,
     "draw this calibration, as vat calibrate -o writes it; may be repeated, "
     "for several machines.  With the first the models predict the first of "
     "RESULTS",
     0},
    {"profiled", KEY_PROFILED, "PROFILE.json", 0,
     "what vat profile --what-if --json predicted of a program, for a table "
     "beside what was measured; may be repeated",
     0},
    {"compared", KEY_COMPARED, "COMPARE.json", 0,
     "what vat compare --json measured of the same program", 0},
    {"json", 'j', NULL, 0,
     "print the summary rows, and the pairs of --profiled and --compared, a "
     "JSON object a line; -o may then be left out",
     0},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
  struct options *options = state->input;
  switch (key) {
    case 'o':
      options->dir = value;
      return 0;
    case KEY_MACHINE:
      options->machines[options->machine_count++] = value;
      return 0;
    case KEY_PROFILED:
      options->profiled[options->profiles++] = value;
      return 0;
    case KEY_COMPARED:
      options->compared[options->comparisons++] = value;
      return 0;
    case 'j':
      options->json = true;
      return 0;
    case ARGP_KEY_ARG:
      options->paths[options->count++] = value;
      return 0;
    case ARGP_KEY_END:
      if (options->profiles != options->comparisons)
        exit(fail(VAT_USAGE,
                  "each --profiled needs the --compared of the same program"));
      if (!options->count && !options->profiles)
        exit(fail(VAT_USAGE,
                  "report on what? name a results file, as `vat run -o FILE` "
                  "writes"));
      if (!options->dir && !options->json)
        exit(fail(VAT_USAGE, "say where to write: -o DIR"));
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static int print_summaries(const struct results *results) {
  struct summary *rows;
  size_t count;
  if (summaries_make(results->samples, results->count, &rows, &count))
    return fail(VAT_ABSENT, "out of memory");
  summaries_add_simulated(rows, count, results->simulated,
                          results->simulated_count);
  for (size_t i = 0; i < count; i++) {
    json_t *row = summary_to_json(&rows[i]);
    json_dumpf(row, stdout, SUMMARY_JSON_FLAGS);
    putchar('\n');
    json_decref(row);
  }
  free(rows);
  return VAT_OK;
}

static int report_pairs(const struct options *options) {
  char error[RESULTS_ERROR_SIZE];
  struct what_if_pair *pairs = calloc(options->profiles + 1, sizeof *pairs);
  int code = pairs ? VAT_OK : fail(VAT_ABSENT, "out of memory");
  for (size_t i = 0; !code && i < options->profiles; i++)
    if (what_if_pair_read(&pairs[i], options->profiled[i], options->compared[i],
                          error))
      code = fail(fail_code(errno), "%s", error);
  if (!code && options->dir) {
    code = report_what_if_write(pairs, options->profiles, options->dir, error);
    if (code) fail(code, "%s", error);
  }
  if (!code && options->json) {
    if (report_what_if_json(stdout, pairs, options->profiles))
      code = fail(VAT_ABSENT, "out of memory");
  } else if (!code) {
    report_what_if_text(stdout, pairs, options->profiles);
    printf("\n%s/what-if.html\n", options->dir);
  }
  free(pairs);
  return code;
}

/* What was read: of a merged file several, each by the file's name. */
struct loaded {
  struct results *results;
  const char **paths;
  size_t count;
};

static int load(struct loaded *loaded, const char *path) {
  char error[RESULTS_ERROR_SIZE];
  struct results *more;
  size_t count;
  if (results_read_machines(&more, &count, path, error))
    return fail(fail_code(errno), "%s", error);
  if (more->cut) fprintf(stderr, "vat: %s: %s\n", path, RESULTS_CUT);
  size_t all = loaded->count + count;
  struct results *results = reallocarray(loaded->results, all, sizeof *results);
  if (results) loaded->results = results;
  const char **paths = reallocarray(loaded->paths, all, sizeof *paths);
  if (paths) loaded->paths = paths;
  for (size_t i = 0; i < count; i++) {
    if (results && paths) {
      paths[loaded->count] = path;
      results[loaded->count++] = more[i];
    } else {
      results_fini(&more[i]);
    }
  }
  free(more);
  return results && paths ? VAT_OK : fail(VAT_ABSENT, "out of memory");
}

/* It may be meant so: before and after a change of the machine. */
static void note_twice(const struct loaded *loaded) {
  for (size_t i = 1; i < loaded->count; i++)
    for (size_t k = 0; k < i; k++) {
      const char *a = loaded->paths[k], *b = loaded->paths[i];
      if (!results_same_machine(loaded->results[k].machine,
                                loaded->results[i].machine) ||
          !strcmp(a, b))
        continue;
      fail(VAT_OK,
           "note: %s and %s are of one machine or two alike, and shown as two; "
           "parts of one run: vat merge %s %s -o FILE",
           a, b, a, b);
      return;
    }
}

static int report_loaded(const struct options *options,
                         const struct loaded *loaded) {
  char error[RESULTS_ERROR_SIZE];
  int code = VAT_OK;
  if (options->dir) {
    note_twice(loaded);
    code = report_write_results(loaded->results, loaded->paths, loaded->count,
                                options->machines, options->dir, error);
  }
  if (code) return *error ? fail(code, "%s", error) : code;
  for (size_t i = 0; !code && options->json && i < loaded->count; i++)
    code = print_summaries(&loaded->results[i]);
  if (!options->json) printf("%s/index.html\n", options->dir);
  return code;
}

static int report(const struct options *options) {
  struct loaded loaded = {NULL, NULL, 0};
  int code = options->profiles ? report_pairs(options) : VAT_OK;
  if (code || !options->count) return code;
  for (size_t i = 0; !code && i < options->count; i++)
    code = load(&loaded, options->paths[i]);
  if (!code) code = report_loaded(options, &loaded);
  for (size_t i = 0; i < loaded.count; i++) results_fini(&loaded.results[i]);
  free(loaded.results);
  free(loaded.paths);
  return code;
}

static int run(int argc, char **argv) {
  static const struct argp argp = {
      .options = option_table,
      .parser = parse,
      .args_doc = "[RESULTS...]",
      .doc =
          "Write figures (SVG, PNG, CSV), tables and one self-contained "
          "index.html about RESULTS to DIR, and print the page's path."};
  struct options options = {0};
  int code = VAT_ABSENT;
  options.paths = calloc((size_t)argc, sizeof *options.paths);
  options.profiled = calloc((size_t)argc, sizeof *options.profiled);
  options.compared = calloc((size_t)argc, sizeof *options.compared);
  options.machines = calloc((size_t)argc, sizeof *options.machines);
  if (!options.paths || !options.profiled || !options.compared ||
      !options.machines)
    fail(VAT_ABSENT, "out of memory");
  else if (!(code = command_parse(&argp, argc, argv, &options)))
    code = report(&options);
  free(options.machines);
  free(options.paths);
  free(options.profiled);
  free(options.compared);
  interrupt_die();
  return code;
}

const struct command cmd_report = {
    .name = "report",
    .summary = "the figures, tables and page of results files",
    .run = run,
};
