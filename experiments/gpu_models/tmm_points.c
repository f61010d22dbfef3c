/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/tmm_points.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/gpu_models/model_json.h"

const char *const tmm_term_names[TMM_TERMS] = {
    [TMM_WORK] = "work", [TMM_SPAN] = "span", [TMM_MEMORY] = "memory"};

size_t tmm_points_count(const struct tmm_request *request) {
  size_t beyond, count = numbers_combinations(request->given, TMM_OPTIONS,
                                              1000000, &beyond);
  if (!count)
    fail(VAT_USAGE, "--%s: over a million combinations",
         tmm_option_rows[beyond].name);
  return count;
}

int tmm_point_at(const struct tmm_request *request,
                 const struct tmm_machine *machine, size_t place,
                 struct tmm_point *point) {
  struct tmm_machine *m = &point->machine;
  double *value = point->value;
  double *const of_machine[] = {&m->L, &m->P, &m->C, &m->Z, &m->Q, &m->X};
  *m = *machine;
  for (int i = 0; i < TMM_OPTIONS; i++) value[i] = NAN;
  value[TMM_S] = TMM_LOCAL_WORDS;
  for (int i = TMM_L; i <= TMM_X; i++) value[i] = *of_machine[i - TMM_L];
  numbers_combine(request->given, TMM_OPTIONS, place, value);
  for (int i = TMM_L; i <= TMM_X; i++) *of_machine[i - TMM_L] = value[i];
  point->at = (struct tmm_at){value[TMM_N], value[TMM_M], value[TMM_K],
                              value[TMM_THREADS], m};
  if (!isnan(value[TMM_L])) return VAT_OK;
  return fail(VAT_USAGE,
              "--arch: the record of %s does not have L; give --L, the cycles "
              "of an access to its global memory",
              machine->title);
}

/* What of its sizes the algorithm does not take: an exit code. */
static int check(const struct tmm_point *point, const struct tmm_algo *algo) {
  const double *value = point->value;
  for (int i = TMM_N; i <= TMM_K; i++)
    if (strchr(algo->sizes, *tmm_option_rows[i].name) && value[i] < 1)
      return fail(VAT_USAGE, "--%s %g: it must be at least 1",
                  tmm_option_rows[i].name, value[i]);
  if (strcmp(algo->sizes, "nm") || value[TMM_M] <= value[TMM_N] * value[TMM_N])
    return VAT_OK;
  return fail(VAT_USAGE,
              "--m %g: too many edges; a graph of %g vertices has at most %g",
              value[TMM_M], value[TMM_N], value[TMM_N] * value[TMM_N]);
}

int tmm_point_program(const struct tmm_point *point,
                      const struct tmm_algo *algo,
                      struct tmm_program *program) {
  *program = tmm_algo_program(algo, &point->at);
  program->S = point->value[TMM_S];
  return check(point, algo);
}

static bool varies(const struct tmm_request *request, enum tmm_option option) {
  return request->given[option].count > 1;
}

void tmm_print_machine(const struct tmm_request *request,
                       const struct tmm_point *point) {
  const char *gap = ":";
  printf("on a %s", point->machine.title);
  for (int i = TMM_L; i <= TMM_X; i++) {
    if (varies(request, i)) continue;
    printf("%s %s %s", gap, tmm_option_rows[i].name,
           NUMBER_TEXT(point->value[i]));
    gap = ",";
  }
  putchar('\n');
}

static bool stands(const struct tmm_request *request, enum tmm_option option) {
  bool size = option <= TMM_K && request->given[option].count;
  return size || varies(request, option);
}

void tmm_print_place(const struct tmm_request *request,
                     const struct tmm_point *point) {
  for (int i = 0; i < TMM_OPTIONS; i++) {
    if (i != TMM_THREADS && stands(request, i))
      printf("%10s ",
             point ? NUMBER_TEXT(point->value[i]) : tmm_option_rows[i].name);
  }
}

void tmm_json_place(const struct tmm_request *request,
                    const struct tmm_point *point, json_t *object) {
  for (int i = 0; i < TMM_T1; i++)
    if (i != TMM_THREADS && (i >= TMM_S || stands(request, i)))
      model_json_add(object, tmm_option_rows[i].name, point->value[i]);
}
