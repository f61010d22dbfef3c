/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runner, and what holds of every model, case and GPU. */
#include <math.h>
#include <string.h>

#include "gpu_algos/models/gpu_model.h"
#include "tests/check.h"

extern const struct check_suite suite_bank_load, suite_maxsum,
    suite_maxsum_cases, suite_tmm, suite_tmm_algos, suite_calibrated,
    suite_occupancy, suite_warp_io;

static void test_models_are_found_by_name(void) {
  for (size_t i = 0; gpu_models[i]; i++) {
    const struct gpu_model *model = gpu_models[i];
    CU_ASSERT_PTR_EQUAL(gpu_model_find(model->name), model);
    CU_ASSERT(model->title && model->summary && model->source);
    CU_ASSERT(gpu_model_outputs(model) <= GPU_OUTPUTS_MAX);
    for (const struct gpu_case *c = model->cases; c->name; c++) {
      CU_ASSERT_PTR_EQUAL(gpu_case_find(model, c->name), c);
      CU_ASSERT(c->summary && c->source && c->evaluate);
    }
    CU_ASSERT_PTR_NULL(gpu_case_find(model, "no such"));
  }
  CU_ASSERT_PTR_NULL(gpu_model_find("no such"));
  CU_ASSERT_PTR_NULL(gpu_model_find(""));
}

static void test_gpus_are_found_by_name(void) {
  for (const struct gpu_arch *a = gpu_archs; a->name; a++) {
    CU_ASSERT_PTR_EQUAL(gpu_arch_find(a->name), a);
    CU_ASSERT(a->title && a->source && a->sms >= 1 && a->cores >= 1);
    CU_ASSERT(a->depth >= 1 && a->clock_hz > 1e8 && a->warp >= a->served);
    CU_ASSERT(a->banks >= 1 && a->global > a->shared && a->operation > 0);
  }
  CU_ASSERT_PTR_NULL(gpu_arch_find("no such"));
}

static void test_parameters_are_in_their_range(void) {
  for (size_t i = 0; gpu_models[i]; i++)
    for (const struct gpu_case *c = gpu_models[i]->cases; c->name; c++) {
      CU_ASSERT(gpu_case_parameters(c) <= GPU_PARAMETERS_MAX);
      for (const struct gpu_parameter *p = c->parameters; p->name; p++) {
        CU_ASSERT(p->meaning && p->least < p->most);
        CU_ASSERT(isnan(p->usual) ||
                  (p->usual >= p->least && p->usual <= p->most));
      }
    }
}

/* At both ends of every parameter, on every GPU; but what is to be counted. */
static void test_all_outputs_are_numbers(void) {
  for (const struct gpu_arch *a = gpu_archs; a->name; a++)
    for (size_t i = 0; gpu_models[i]; i++)
      for (const struct gpu_case *c = gpu_models[i]->cases; c->name; c++) {
        size_t count = gpu_case_parameters(c);
        for (size_t ends = 0; ends < (size_t)1 << count; ends++) {
          double p[GPU_PARAMETERS_MAX], out[GPU_OUTPUTS_MAX];
          for (size_t j = 0; j < count; j++)
            p[j] =
                ends >> j & 1 ? c->parameters[j].most : c->parameters[j].least;
          for (size_t j = 0; j < GPU_OUTPUTS_MAX; j++) out[j] = NAN;
          c->evaluate(a, p, out);
          for (size_t j = 0; j < gpu_model_outputs(gpu_models[i]); j++)
            CU_ASSERT((isfinite(out[j]) && out[j] >= 0) ||
                      (isnan(out[j]) && j && c->of_counts));
        }
      }
}

static void test_outputs_are_found_by_key(void) {
  const struct gpu_model *model = gpu_model_find("maxsum");
  CU_ASSERT_EQUAL(gpu_model_output(model, "n_comp"), 0);
  CU_ASSERT_STRING_EQUAL(
      model->outputs[gpu_model_output(model, "time_ms_sum")].key,
      "time_ms_sum");
  CU_ASSERT_EQUAL(gpu_model_output(model, "no such"), GPU_OUTPUTS_MAX);
}

static const struct check_test tests[] = {
    {"models are found by name", test_models_are_found_by_name},
    {"GPUs are found by name", test_gpus_are_found_by_name},
    {"parameters are in their range", test_parameters_are_in_their_range},
    {"all outputs are numbers", test_all_outputs_are_numbers},
    {"outputs are found by key", test_outputs_are_found_by_key},
    {0}};

static const struct check_suite suite_gpu_models = {"models of GPUs", tests,
                                                    NULL};

int main(void) {
  static const struct check_suite *const suites[] = {
      &suite_gpu_models, &suite_bank_load,
      &suite_maxsum,     &suite_maxsum_cases,
      &suite_tmm,        &suite_tmm_algos,
      &suite_calibrated, &suite_occupancy,
      &suite_warp_io,    NULL};
  return check_main(suites);
}
