/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model says of what was counted: a line for each row of a results file
 * that has counts, or for each size that the emulator runs and counts. */
#include "experiments/gpu_models/model_counted.h"

#include <config.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/device/device.h"
#include "experiments/gpu_models/model_request.h"
#include "experiments/gpu_models/model_run.h"
#include "experiments/results/results.h"

double model_counter(const struct summary *row, const char *name) {
  for (size_t i = 0; i < row->counters; i++)
    if (row->counter[i].present && !strcmp(row->counter[i].name, name))
      return (double)row->counter[i].value;
  return NAN;
}

bool model_counts_of(const struct summary *row, struct gpu_counts *counts) {
  *counts = (struct gpu_counts){
      .warp_instructions = model_counter(row, "warp_instructions"),
      .arithmetic = model_counter(row, "arithmetic"),
      .accesses = model_counter(row, "accesses"),
      .lines = model_counter(row, "lines_read") +
               model_counter(row, "lines_written"),
      .bank_waves = model_counter(row, "bank_waves"),
      .threads = model_counter(row, "threads"),
      .thread_blocks = model_counter(row, "thread_blocks")};
  return row->reps && (isfinite(counts->accesses) || isfinite(counts->lines) ||
                       isfinite(counts->bank_waves));
}

double model_counts_accesses(const struct summary *row) {
  return model_counter(row, "lines_read") +
         model_counter(row, "lines_written") +
         model_counter(row, "atomic_sectors");
}

/* What a model calls list_ranking may be one way of several to do it:
 * list_ranking_hj. */
static bool is_called(const char *algo, const char *name) {
  size_t length = strlen(name);
  return !strncmp(algo, name, length) && (!algo[length] || algo[length] == '_');
}

/* The algorithm that is asked for; NULL: any. */
static const char *algo_asked(const struct model_request *request) {
  return request->at ? request->algo : request->case_name;
}

static bool is_asked(const struct model_request *request,
                     const struct summary *row) {
  const struct sizes *n = model_request_given(request, "n");
  const char *algo = algo_asked(request);
  bool asked = !n;
  if (algo &&
      !(request->at ? !strcmp(row->algo, algo) : is_called(row->algo, algo)))
    return false;
  for (size_t i = 0; n && i < n->count; i++) asked |= n->at[i] == row->n;
  return asked;
}

/* By what was counted; or by a case beside it, of as many elements. */
static struct model_line line_of(const struct model_request *request,
                                 const struct summary *row,
                                 const struct gpu_counts *counts) {
  const struct gpu_case *at = request->at;
  struct model_line line = {.name = at ? at->name : row->algo,
                            .algo = at ? row->algo : NULL,
                            .counted = row->device,
                            .generator = row->variant->generator,
                            .n = (double)row->n,
                            .at = at};
  for (size_t i = 0; at && at->parameters[i].name; i++) {
    const struct gpu_parameter *p = &at->parameters[i];
    const struct sizes *given = model_request_given(request, p->name);
    line.parameters[i] = !strcmp(p->name, "n") ? line.n
                         : given               ? (double)given->at[0]
                                               : p->usual;
  }
  if (at)
    at->of_counts(request->arch, line.parameters, counts, line.outputs);
  else
    request->model->of_counts(request->arch, counts, line.outputs);
  return line;
}

/* Whether so little was counted that the model says nothing. */
static bool is_empty(const struct model_request *request,
                     const struct model_line *line) {
  size_t i = 0, count = gpu_model_outputs(request->model);
  while (i < count && isnan(line->outputs[i])) i++;
  return i == count;
}

static const char *algo_called(const char *name) {
  const struct algo *const *algo = device_algos(device_find("emu"));
  for (; name && *algo; algo++)
    if (is_called((*algo)->name, name)) return (*algo)->name;
  return "ALGO";
}

static int print_rows(const struct model_request *request,
                      const struct summary *rows, size_t count) {
  const char *algo = algo_asked(request);
  bool bound = false;
  size_t printed = 0;
  for (size_t i = 0; i < count; i++) {
    struct gpu_counts counts;
    if (!is_asked(request, &rows[i]) || !model_counts_of(&rows[i], &counts))
      continue;
    struct model_line line = line_of(request, &rows[i], &counts);
    if (is_empty(request, &line)) continue;
    if (!printed++) model_print_head(request);
    model_print_line(request, &line);
    bound |= !request->at && isnan(counts.arithmetic);
  }
  if (bound) model_note_bound();
  if (printed) return VAT_OK;
  return fail(VAT_USAGE,
              "%s: some counts that the model needs are missing%s%s%s; count "
              "them with vat run %s --device emu -o FILE",
              request->results, algo ? " for " : "", algo ? algo : "",
              model_request_given(request, "n") ? " at that size" : "",
              algo_called(algo));
}

int model_of_counts(const struct model_request *request) {
  char error[RESULTS_ERROR_SIZE];
  struct results results;
  struct summary *rows = NULL;
  size_t count;
  int code;
  if (results_read(&results, request->results, error)) {
    code = fail(fail_code(errno), "%s", error);
  } else {
    if (results.cut)
      fprintf(stderr, "vat: %s: %s\n", request->results, RESULTS_CUT);
    summaries_make(results.samples, results.count, &rows, &count);
    code = print_rows(request, rows, count);
  }
  free(rows);
  results_fini(&results);
  return code;
}

static struct gpu_counts counts_of(const struct simt_counters *c) {
  struct gpu_counts counts = {
      .warp_instructions = (double)c->warp_instructions,
      .arithmetic = (double)c->arithmetic,
      .accesses = (double)c->accesses,
      .lines = (double)(c->lines_read + c->lines_written),
      .bank_waves = (double)c->bank_waves,
      .threads = (double)c->threads,
      .thread_blocks = (double)c->thread_blocks};
#ifndef HAVE_EMU_ARITHMETIC
  counts.arithmetic = NAN;
#endif
  return counts;
}

/* Once a size, on its usual input. */
int model_of_emulated(const struct model_request *request) {
  const struct device *emu;
  int code = emulated_open(&emu, "--algo");
  const struct algo *algo = device_algo(emu, request->algo);
  const struct sizes *n = model_request_given(request, "n");
  if (!code && !algo)
    code =
        fail(VAT_USAGE,
             "--algo %s: not an algorithm of --device emu; see vat list algos",
             request->algo);
  for (size_t i = 0; !code && i < n->count; i++) {
    struct algo_run run = {.n = n->at[i], .seed = 1};
    struct simt_counters counters;
    struct gpu_counts counts;
    struct model_line line = {
        .name = algo->name, .counted = emu->name, .n = (double)n->at[i]};
    if ((code = emulated_count(emu, algo, &run, &counters))) break;
    counts = counts_of(&counters);
    request->model->of_counts(request->arch, &counts, line.outputs);
    if (!i) model_print_head(request);
    model_print_line(request, &line);
    if (isnan(counts.arithmetic) && i + 1 == n->count) model_note_bound();
  }
  return code;
}
