/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the source prints is what `vat predict` says of it: what holds is
 * within, and what is refuted has a counterexample that is one. */
#include <config.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/predict/forms.h"
#include "tests/experiments/predict/bounds_fixture.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"

/* A form is refuted by a counterexample, and what holds follows; a correction
 * follows what it corrects. */
static void test_each_refuted_form_is_corrected(void) {
  for (const struct predict_form *form = predict_forms; form->algo; form++)
    for (const struct predict_printed *p = form->printed; p->side; p++) {
      bool refuted =
          p->status[0] == PREDICT_REFUTED || p->status[1] == PREDICT_REFUTED;
      CU_ASSERT_EQUAL(refuted, p->counterexample != NULL);
      CU_ASSERT_EQUAL(refuted, p[1].side && !strcmp(p->side, p[1].side) &&
                                   p[1].status[0] == PREDICT_CORRECTED);
      CU_ASSERT_EQUAL(p->status[0] == PREDICT_CORRECTED,
                      p->status[1] == PREDICT_CORRECTED);
      if (p->value) continue;
      CU_ASSERT(p->status[0] != PREDICT_HOLDS);
      CU_ASSERT(p->status[0] != PREDICT_TESTED);
    }
}

#ifdef HAVE_STREAMS
/* Lower forms are of the expected number: less by chance, once in a million,
 * where a round changes what it misses itself. */
static double chance_of(const struct predict_form *form,
                        const struct vat_bounds_case *c) {
  double range = c->tree.levels + 1.0;
  if (!strcmp(form->algo, "binary_search")) range *= log2((double)c->n + 1);
  return vat_bounds_deviation((double)c->n, range);
}

static void check_printed(const struct predict_form *form,
                          const struct vat_bounds_case *c, double misses) {
  for (const struct predict_printed *p = form->printed; p->side; p++) {
    enum predict_status status = predict_printed_status(p, c->policy);
    if (!p->value || status == PREDICT_ASYMPTOTIC || status == PREDICT_REFUTED)
      continue;
    double value = p->value(c);
    bool holds = !strcmp(p->side, "upper")
                     ? misses <= value * (1 + 1e-12)
                     : value <= misses + chance_of(form, c);
    if (!holds)
      printf("\n%s n=%" PRIu64 " policy %d k=%u p=%u d=%u W=%" PRIu64
             ": %.0f, but %s is %.1f\n",
             form->algo, c->n, (int)c->policy, c->tree.index_bits,
             c->tree.page_bits, c->tree.levels, c->nodes, misses, p->form,
             value);
    CU_ASSERT(holds);
  }
}

static void test_what_holds_is_within(void) {
  static const char *const algos[] = {"sequential_scan", "random_scan",
                                      "permute", "binary_search"};
  static const uint64_t sizes[] = {1, 2, 100, 512, 1023, 1500, 4096};
  static const unsigned trees[][2] = {{1, 6}, {2, 7}, {3, 3}, {4, 9}, {9, 12}};
  for (size_t a = 0; a < sizeof algos / sizeof *algos; a++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
      for (size_t t = 0; t < sizeof trees / sizeof *trees; t++)
        for (size_t p = 0; p < BOUNDS_POLICIES; p++) {
          const struct stream_case stream = {algos[a],
                                             sizes[i],
                                             3 + i,
                                             64 * (i % 5),
                                             bounds_policies[p].name,
                                             trees[t][0],
                                             trees[t][1],
                                             0};
          bounds_check_curve(predict_form_find(algos[a]), &stream,
                             bounds_policies[p].kind, check_printed);
        }
}

/* Does the command of `p` miss what its form rules out? */
static bool is_refuted(const struct predict_printed *p) {
  static struct command_result result;
  char script[256];
  json_t *printed, *one;
  json_int_t simulated;
  size_t i;
  bool refuted = false;
  snprintf(script, sizeof script, "\"$VAT\" %s --json",
           p->counterexample + strlen("vat "));
  run_shell(&result, NULL, script);
  CU_ASSERT_STRING_EQUAL(result.err, "");
  json_t *object = json_loads(result.out, 0, NULL);
  CU_ASSERT_EQUAL_FATAL(json_unpack(object, "{sI so}", "simulated", &simulated,
                                    "printed", &printed),
                        0);
  json_array_foreach(printed, i, one) {
    const char *form = json_string_value(json_object_get(one, "form"));
    const char *status = json_string_value(json_object_get(one, "status"));
    double value = json_number_value(json_object_get(one, "misses"));
    if (strcmp(form, p->form) || strcmp(status, "refuted")) continue;
    refuted = !strcmp(p->side, "upper") ? (double)simulated > value
                                        : (double)simulated < value;
  }
  json_decref(object);
  return refuted;
}

static void test_counterexamples_refute(void) {
  for (const struct predict_form *form = predict_forms; form->algo; form++)
    for (const struct predict_printed *p = form->printed; p->side; p++)
      if (p->counterexample && !strncmp(p->counterexample, "vat predict ", 12))
        CU_ASSERT(is_refuted(p));
}

/* The word is that of the policy. */
static void test_the_status_is_of_the_policy(void) {
  static struct command_result result;
  static const char *const words[][2] = {{"lru", "holds"}, {"min", "refuted"}};
  char line[128];
  for (size_t i = 0; i < 2; i++) {
    run_command(&result, cmd_predict,
                (const char *const[]){"--algo", "random_scan", "--n", "1000",
                                      "--policy", words[i][0], NULL},
                false);
    snprintf(line, sizeof line,
             "\nprinted lower: 1/k n log2(n / (P W)) [lemma 2.27] = 0 at W = "
             "1536; %s\n",
             words[i][1]);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, line));
  }
}
#endif

static const struct check_test tests[] = {
    {"each refuted form is corrected", test_each_refuted_form_is_corrected},
#ifdef HAVE_STREAMS
    {"what holds is within", test_what_holds_is_within},
    {"counterexamples refute", test_counterexamples_refute},
    {"the status is of the policy", test_the_status_is_of_the_policy},
#endif
    {0}};

const struct check_suite suite_printed = {"what the thesis prints", tests,
                                          NULL};
