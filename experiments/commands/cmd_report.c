/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat report: the figures, tables and page of one or more results files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/commands/commands.h"
#include "experiments/report/report.h"
#include "experiments/report/report_mosaics.h"
#include "experiments/report/report_plans.h"
#include "experiments/report/report_what_if.h"
#include "experiments/results/other_file.h"
#include "experiments/results/summary.h"

struct options {
  const char *dir;
  struct option_texts machines, plans, mosaics;
  struct option_texts profiled, compared; /* in pairs */
  struct option_words paths;
  bool json;
};

#define AT(member) OPTION_AT(struct options, member)

static const struct option_row option_rows[] = {
    {"output", "DIR", OPTION_TEXT, AT(dir), .letter = 'o',
     .help = "folder to write to; vat creates it"},
    {"machine", "MACHINE.json", OPTION_TEXTS, AT(machines),
     .help = "show this calibration (vat calibrate -o); the models then also "
             "predict the first RESULTS from it; may be repeated for several "
             "machines"},
    {"profiled", "PROFILE.json", OPTION_TEXTS, AT(profiled),
     .help = "prediction of a program (vat profile --what-if --json), to be "
             "shown beside its measurement; may be repeated"},
    {"compared", "COMPARE.json", OPTION_TEXTS, AT(compared),
     .help = "measurement of the same program (vat compare --json)"},
    {"plan", "PLAN.json", OPTION_TEXTS, AT(plans), .conflicts = "profiled",
     .help = "plan of a program (vat plan -o), for a page to decide on; may be "
             "repeated for several budgets; with one --compared, of vat "
             "compare --plan ... --json"},
    {"mosaic", "COMPARE.json", OPTION_TEXTS, AT(mosaics),
     .conflicts = "profiled,plan",
     .help = "layouts of a program's memory (vat compare --layouts or --plan "
             "--json), for a page of what models tell of them; may be repeated "
             "for several programs"},
    {"json", NULL, OPTION_FLAG, AT(json), .letter = 'j',
     .help = "print the summary rows, and the pairs of --profiled and "
             "--compared, as JSON Lines; -o is then optional"},
    {0}};

const struct option_table report_table = {
    .rows = option_rows,
    .usage = "[RESULTS...]",
    .examples =
        "  vat report results.jsonl -o report\n"
        "  vat report a.jsonl b.jsonl --machine machine.json -o report\n",
    .words = offsetof(struct options, paths),
    .words_most = SIZE_MAX,
    .doc =
        "Write figures (SVG, PNG, CSV), tables and one self-contained "
        "index.html about RESULTS to DIR, and print the page's path.",
};

static int check(const struct options *options) {
  const bool plans = options->plans.count;
  if (plans && options->compared.count > 1)
    return fail(VAT_USAGE, "--plan: give one --compared, which has all plans");
  if (plans && options->paths.count)
    return fail(VAT_USAGE,
                "%s: results and plans are reported apart; fix: vat report "
                "--plan ... alone",
                options->paths.at[0]);
  if (!plans && options->profiled.count != options->compared.count)
    return fail(VAT_USAGE,
                "--profiled and --compared come in pairs, one pair a program: "
                "%zu and %zu are given",
                options->profiled.count, options->compared.count);
  if (options->mosaics.count && options->paths.count)
    return fail(VAT_USAGE,
                "%s: results and layouts are reported apart; fix: vat report "
                "--mosaic ... alone",
                options->paths.at[0]);
  if (!options->paths.count && !options->profiled.count && !plans &&
      !options->mosaics.count)
    return fail(VAT_USAGE, "name a results file, as `vat run -o FILE` writes");
  if (!options->dir && !options->json)
    return fail(VAT_USAGE, "say where to write: -o DIR");
  return VAT_OK;
}

static void print_summaries(const struct results *results) {
  struct summary *rows;
  size_t count;
  summaries_make(results->samples, results->count, &rows, &count);
  summaries_add_simulated(rows, count, results->simulated,
                          results->simulated_count);
  for (size_t i = 0; i < count; i++)
    json_line(stdout, summary_to_json(&rows[i]), SUMMARY_JSON_FLAGS);
  free(rows);
}

static int report_pairs(const struct options *options) {
  char error[RESULTS_ERROR_SIZE];
  struct what_if_pair *pairs =
      memory_zeroed(options->profiled.count + 1, sizeof *pairs);
  int code = VAT_OK;
  for (size_t i = 0; !code && i < options->profiled.count; i++)
    if (what_if_pair_read(&pairs[i], options->profiled.at[i],
                          options->compared.at[i], error))
      code = fail(fail_code(errno), "%s", error);
  if (!code && options->dir) {
    code = report_what_if_write(pairs, options->profiled.count, options->dir,
                                error);
    if (code) fail(code, "%s", error);
  }
  if (!code && options->json) {
    if (report_what_if_json(stdout, pairs, options->profiled.count))
      code = fail(VAT_ABSENT, "out of memory");
  } else if (!code) {
    report_what_if_text(stdout, pairs, options->profiled.count);
    printf("\n%s/what-if.html\n", options->dir);
  }
  free(pairs);
  return code;
}

static int report_plans(const struct options *options) {
  char error[RESULTS_ERROR_SIZE];
  struct plans plans;
  const char *compared =
      options->compared.count ? options->compared.at[0] : NULL;
  int code = VAT_OK;
  if (plans_read(&plans, options->plans.at, options->plans.count, compared,
                 error))
    code = fail(fail_code(errno), "%s", error);
  if (!code && options->dir &&
      (code = report_plans_write(&plans, options->dir, error)))
    fail(code, "%s", error);
  if (!code && options->json)
    report_plans_json(stdout, &plans);
  else if (!code) {
    report_plans_text(stdout, &plans);
    printf("\n%s/plans.html\n", options->dir);
  }
  plans_fini(&plans);
  return code;
}

static int report_mosaics(const struct options *options) {
  char error[RESULTS_ERROR_SIZE];
  struct mosaics mosaics;
  int code = VAT_OK;
  if (mosaics_read(&mosaics, options->mosaics.at, options->mosaics.count, error,
                   sizeof error))
    code = fail(fail_code(errno), "%s", error);
  if (!code && options->dir &&
      (code = report_mosaics_write(&mosaics, options->dir, error)))
    fail(code, "%s", error);
  if (!code && options->json) {
    json_line(stdout, mosaics_to_json(&mosaics), SUMMARY_JSON_FLAGS);
  } else if (!code) {
    mosaics_print(stdout, &mosaics);
    printf("\n%s/mosaics.html\n", options->dir);
  }
  mosaics_fini(&mosaics);
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
  loaded->results = memory_grow(loaded->results, all, sizeof *loaded->results);
  loaded->paths = memory_grow(loaded->paths, all, sizeof *loaded->paths);
  for (size_t i = 0; i < count; i++) {
    loaded->paths[loaded->count] = path;
    loaded->results[loaded->count++] = more[i];
  }
  free(more);
  return VAT_OK;
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
                                options->machines.at, options->dir, error);
  }
  if (code) return *error ? fail(code, "%s", error) : code;
  for (size_t i = 0; !code && options->json && i < loaded->count; i++)
    print_summaries(&loaded->results[i]);
  if (!options->json) printf("%s/index.html\n", options->dir);
  return code;
}

static int report(const struct options *options) {
  struct loaded loaded = {NULL, NULL, 0};
  if (options->plans.count) return report_plans(options);
  if (options->mosaics.count) return report_mosaics(options);
  int code = options->profiled.count ? report_pairs(options) : VAT_OK;
  if (code || !options->paths.count) return code;
  for (size_t i = 0; !code && i < options->paths.count; i++)
    code = load(&loaded, options->paths.at[i]);
  if (!code) code = report_loaded(options, &loaded);
  for (size_t i = 0; i < loaded.count; i++) results_fini(&loaded.results[i]);
  free(loaded.results);
  free(loaded.paths);
  return code;
}

int cmd_report(int argc, char **argv) {
  struct options options = {0};
  int code = options_parse(&report_table, argc, argv, &options);
  if (!code) code = check(&options);
  if (!code) code = report(&options);
  options_fini(&report_table, &options);
  interrupt_die();
  return code;
}
