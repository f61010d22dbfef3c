/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/tmm_command.h"

#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/gpu_models/tmm_actions.h"

/* Lists of numbers where none is looked at. */
static int no_numbers(const struct tmm_request *request, const char *what) {
  for (int i = 0; i < TMM_OPTIONS; i++)
    if (request->given[i].count)
      return fail(VAT_USAGE, "--%s: %s are what they are",
                  tmm_option_rows[i].name, what);
  return VAT_OK;
}

static int one_algo(const struct tmm_request *request) {
  const struct tmm_algo *algo = tmm_request_algo(request->words.at[0]);
  int code = algo ? tmm_request_check(request, algo, NULL) : VAT_USAGE;
  return code ? code : tmm_tell(request, algo);
}

/* Of each pair that is asked for. */
static int check_span(const struct numbers *work, const struct numbers *span) {
  for (size_t i = 0; i < work->count; i++)
    for (size_t j = 0; j < span->count; j++)
      if (span->at[j] > work->at[i])
        return fail(VAT_USAGE,
                    "--Tinf %g: a span is a part of the work, --T1 %g; give "
                    "one as small",
                    span->at[j], work->at[i]);
  return VAT_OK;
}

static int program(const struct tmm_request *request) {
  for (int i = 0; i < TMM_OPTIONS; i++) {
    bool given = request->given[i].count;
    if (i <= TMM_K && given)
      return fail(VAT_USAGE, "--%s: a program is told by --T1, --Tinf and --M",
                  tmm_option_rows[i].name);
    if (i >= TMM_T1 && !given)
      return fail(VAT_USAGE, "program by which %s? give --%s: %s",
                  tmm_option_rows[i].name, tmm_option_rows[i].name,
                  tmm_option_rows[i].meaning);
  }
  int code = check_span(&request->given[TMM_T1], &request->given[TMM_TINF]);
  return code ? code : tmm_tell(request, NULL);
}

static int compare(const struct tmm_request *request) {
  const struct tmm_algo *algo[2];
  if (request->words.count != 3)
    return fail(VAT_USAGE, "compare which? name two algorithms");
  for (int i = 0; i < 2; i++)
    if (!(algo[i] = tmm_request_algo(request->words.at[i + 1])))
      return VAT_USAGE;
  int code = tmm_request_check(request, algo[0], algo[1]);
  return code ? code : tmm_compare(request, algo);
}

static int machines(const struct tmm_request *request) {
  int code = no_numbers(request, "machines");
  if (!code) tmm_show_machines(request);
  return code;
}

static int tables(const struct tmm_request *request) {
  int code = no_numbers(request, "tables");
  return code ? code : tmm_show_tables(request, request->words.at[1]);
}

static int counts(const struct tmm_request *request) {
  return tmm_show_counts(request, request->words.at[1]);
}

/* Words that are no algorithm, and how many may follow. */
static const struct action {
  const char *name;
  size_t more;
  int (*run)(const struct tmm_request *request);
} actions[] = {{"compare", 2, compare},   {"program", 0, program},
               {"machines", 0, machines}, {"tables", 1, tables},
               {"counts", 1, counts},     {"", 0, one_algo}};

static int run(const struct tmm_request *request) {
  const struct action *a = actions;
  if (!request->words.count)
    return fail(
        VAT_USAGE,
        "tmm of what? name an algorithm, or compare, program, machines, "
        "tables or counts; see vat model tmm --help");
  while (*a->name && strcmp(a->name, request->words.at[0])) a++;
  if (request->words.count > 1 + a->more)
    return fail(VAT_USAGE, "%.80s: one word too many",
                request->words.at[1 + a->more]);
  return a->run(request);
}

int tmm_command(int argc, char **argv) {
  struct tmm_request request = {0};
  int code = options_parse(tmm_table(), argc, argv, &request);
  if (!code) code = run(&request);
  options_fini(tmm_table(), &request);
  return code;
}
