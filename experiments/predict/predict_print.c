/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/predict/predict_print.h"

#include <config.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/cli/command.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/record.h"
#include "experiments/predict/assumptions.h"
#include "experiments/predict/cost_bounds.h"

#define TEXT(number) cost_text((number), (char[COST_TEXT]){""})

static const char too_small[] = "W or pages are too small for its argument";

static json_t *printed_json(const struct predict_request *request,
                            const struct prediction *prediction) {
  json_t *all = json_array();
  enum vat_bounds_policy policy = prediction->of.policy;
  for (const struct predict_printed *p = NULL;
       (p = predict_printed_next(request->form, p, policy));) {
    enum predict_status status = predict_printed_status(p, policy);
    double misses = p->value ? p->value(&prediction->of) : NAN;
    json_array_append_new(
        all,
        json_pack("{ss ss ss so ss ss? sb ss?}", "side", p->side, "form",
                  p->form, "source", p->source, "misses", json_of_real(misses),
                  "status", predict_status_names[status], "counterexample",
                  status == PREDICT_REFUTED ? p->counterexample : NULL,
                  "asymptotic", status == PREDICT_ASYMPTOTIC, "remark",
                  p->remark));
  }
  return all;
}

static void add_costs(json_t *object, const struct predict_request *request,
                      const struct prediction *p) {
  if (!request->tau.count) return;
  struct cost_bounds bounds = cost_bounds_find(request, p);
  tau_json(object, &request->tau, request->tree.levels, p->misses_by_layer);
  if (!p->simulated) {
    json_object_set_new(object, "cost_by_layer", json_null());
    json_object_set_new(object, "cost", json_null());
  }
  json_object_set_new(object, "cost_lower", cost_json(bounds.lower));
  json_object_set_new(object, "cost_upper", cost_json(bounds.upper));
}

static void print_json(const struct predict_request *request,
                       const struct prediction *p) {
  json_t *object = json_pack(
      "{ss so so ss so si si si so so so ss ss so ss* ss*}", "algo",
      request->form->algo, "n", json_of_u64(request->stream.n), "tc_nodes",
      json_of_u64(p->of.nodes), "policy", request->policy->name, "seed",
      json_of_u64(request->stream.seed), "page_bits",
      (int)request->tree.page_bits, "index_bits", (int)request->tree.index_bits,
      "levels", (int)request->tree.levels, "lower", cost_json(p->lower),
      "simulated", p->simulated ? json_of_u64(p->misses) : json_null(), "upper",
      cost_json(p->upper), "lower_source", request->form->lower_source,
      "upper_source", request->form->upper_source, "printed",
      printed_json(request, p), "simulated_why", predict_missing(request),
      "upper_why", isfinite(p->upper) ? NULL : too_small);
  add_costs(object, request, p);
  json_object_set_new(object, "assumptions",
                      assumptions_json(request, p->of.nodes));
  json_line(stdout, object, JSON_PRESERVE_ORDER);
}

static void print_heading(const struct predict_request *request) {
  const struct vat_tree *tree = &request->tree;
  printf("%s, n = %" PRIu64 ", %s; tree: %u level%s, %" PRIu64
         " children a node, pages of 2^%u bytes\n",
         request->form->algo, request->stream.n, request->policy->name,
         tree->levels, tree->levels == 1 ? "" : "s",
         UINT64_C(1) << tree->index_bits, tree->page_bits);
}

/* LOWER <= SIMULATED <= UPPER, or why not. */
static void print_chain(const struct predict_request *request, double lower,
                        double simulated, double upper) {
  const char *why = predict_missing(request);
  printf("%s <= ", TEXT(lower));
  if (why)
    printf("(not simulated: %s)", why);
  else
    fputs(TEXT(simulated), stdout);
  if (isfinite(upper))
    printf(" <= %s\n", TEXT(upper));
  else
    printf(" (no upper bound: %s)\n", too_small);
}

static void print_line(const struct predict_request *request,
                       const struct prediction *p) {
  printf("W = %" PRIu64 ": ", p->of.nodes);
  print_chain(request, p->lower, (double)p->misses, p->upper);
  if (!request->tau.count) return;
  struct cost_bounds bounds = cost_bounds_find(request, p);
  fputs("  cost: ", stdout);
  print_chain(request, bounds.lower, cost_simulated(request, p), bounds.upper);
}

/* What a miss costs in the bounds, which is the same for each W. */
static void print_tau(const struct predict_request *request,
                      const struct prediction *p) {
  struct cost_bounds bounds = cost_bounds_find(request, p);
  if (bounds.least_tau == bounds.greatest_tau)
    printf("cost: %.10g accesses a miss\n", bounds.least_tau);
  else
    printf(
        "cost: a miss costs %.10g to %.10g accesses on average; simulated "
        "layer by layer\n",
        bounds.least_tau, bounds.greatest_tau);
}

/* What the source prints and what holds in its place, for the first W. */
static void print_printed(const struct predict_request *request,
                          const struct prediction *prediction) {
  enum vat_bounds_policy policy = prediction->of.policy;
  for (const struct predict_printed *p = NULL;
       (p = predict_printed_next(request->form, p, policy));) {
    enum predict_status status = predict_printed_status(p, policy);
    printf("%s %s: %s [%s]",
           status == PREDICT_CORRECTED ? "corrected" : "printed", p->side,
           p->form, p->source);
    double value = p->value ? p->value(&prediction->of) : NAN;
    if (isfinite(value))
      printf(" = %.0f at W = %" PRIu64, value, prediction->of.nodes);
    if (status != PREDICT_CORRECTED)
      printf("; %s", predict_status_names[status]);
    puts("");
    if (p->remark) printf("  %s\n", p->remark);
    if (status == PREDICT_REFUTED)
      printf("  counterexample: %s\n", p->counterexample);
  }
}

static int check_bounds(const struct predict_request *request,
                        const struct prediction *p) {
  if (predict_is_within(p)) return VAT_OK;
  return fail(VAT_FAILED,
              "%s, n = %" PRIu64 ", W = %" PRIu64
              ": the simulated misses are outside the bounds, so one of the "
              "two is wrong; please report this",
              request->form->algo, request->stream.n, p->of.nodes);
}

int predict_print(const struct predict_request *request,
                  const struct prediction *predictions) {
  int code = VAT_OK;
  if (!request->json) print_heading(request);
  for (size_t i = 0; i < request->nodes.count; i++)
    (request->json ? print_json : print_line)(request, &predictions[i]);
  if (!request->json) {
    printf("lower: %s\nupper: %s\n", request->form->lower_source,
           request->form->upper_source);
    if (request->tau.count) print_tau(request, &predictions[0]);
    print_printed(request, &predictions[0]);
    assumptions_print(request, stdout);
  }
  for (size_t i = 0; i < request->nodes.count; i++)
    if (check_bounds(request, &predictions[i])) code = VAT_FAILED;
  return code;
}

int predict_run(const struct predict_request *request) {
  struct prediction *predictions =
      memory_zeroed(request->nodes.count, sizeof *predictions);
  int code = predict_evaluate(request, predictions);
  if (!code) code = predict_print(request, predictions);
  free(predictions);
  return code;
}
