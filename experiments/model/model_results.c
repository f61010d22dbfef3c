/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model says of what was counted: a line for each row of a results file
 * that has counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/command.h"
#include "experiments/driver/device.h"
#include "experiments/model/model.h"
#include "experiments/model/model_counts.h"
#include "experiments/model/model_print.h"
#include "experiments/results/results.h"

/* What a model calls list_ranking may be one way of several to do it:
 * list_ranking_hj. */
static bool is_called(const char *algo, const char *name) {
  size_t length = strlen(name);
  return !strncmp(algo, name, length) && (!algo[length] || algo[length] == '_');
}

static bool is_asked(const struct model_request *request,
                     const struct summary *row) {
  const struct sizes *n = model_request_given(request, "n");
  bool asked = !n;
  if (request->case_name && !is_called(row->algo, request->case_name))
    return false;
  for (size_t i = 0; n && i < n->count; i++) asked |= n->at[i] == row->n;
  return asked;
}

static int print_row(const struct model_request *request,
                     const struct summary *row,
                     const struct gpu_counts *counts) {
  struct model_line line = {.name = row->algo,
                            .counted = row->device,
                            .generator = row->variant->generator,
                            .n = (double)row->n};
  request->model->of_counts(request->arch, counts, line.outputs);
  return model_print_line(request, &line);
}

static const char *algo_called(const char *name) {
  const struct algo *const *algo = device_algos(device_find("emu"));
  for (; name && *algo; algo++)
    if (is_called((*algo)->name, name)) return (*algo)->name;
  return "ALGO";
}

static int print_rows(const struct model_request *request,
                      const struct summary *rows, size_t count) {
  int code = VAT_OK;
  size_t printed = 0;
  for (size_t i = 0; !code && i < count; i++) {
    struct gpu_counts counts;
    if (!is_asked(request, &rows[i]) || !model_counts_of(&rows[i], &counts))
      continue;
    if (!printed++) model_print_head(request);
    code = print_row(request, &rows[i], &counts);
  }
  if (code || printed) return code;
  const char *name = request->case_name;
  return fail(VAT_USAGE,
              "%s: nothing was counted there%s%s%s; vat run %s --device emu -o "
              "FILE counts",
              request->results, name ? " of " : "", name ? name : "",
              model_request_given(request, "n") ? " at that size" : "",
              algo_called(name));
}

int model_of_counts(const struct model_request *request) {
  char error[RESULTS_ERROR_SIZE];
  struct results results;
  struct summary *rows = NULL;
  size_t count;
  int code = VAT_OK;
  if (results_read(&results, request->results, error))
    code = fail(VAT_USAGE, "%s", error);
  else if (results.cut)
    fprintf(stderr, "vat: %s: %s\n", request->results, RESULTS_CUT);
  if (code) {
    results_fini(&results);
    return code;
  }
  if (summaries_make(results.samples, results.count, &rows, &count))
    code = fail(VAT_FAILED, "out of memory");
  else
    code = print_rows(request, rows, count);
  free(rows);
  results_fini(&results);
  return code;
}
