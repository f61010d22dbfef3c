/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/tmm_points.h"

#include <math.h>
#include <string.h>

#include "experiments/cli/command.h"

static size_t count_of(const struct numbers *given) {
  return given->count ? given->count : 1;
}

size_t tmm_points_count(const struct tmm_request *request) {
  size_t count = 1;
  for (int i = 0; i < TMM_OPTIONS; i++) {
    count *= count_of(&request->given[i]);
    if (count <= 1000000) continue;
    fail(VAT_USAGE, "--%s: over a million combinations",
         tmm_option_rows[i].name);
    return 0;
  }
  return count;
}

/* What was given, or else what the machine has. */
static void settle(double *given, double *machine) {
  if (isnan(*given))
    *given = *machine;
  else
    *machine = *given;
}

int tmm_point_at(const struct tmm_request *request,
                 const struct tmm_machine *machine, size_t place,
                 struct tmm_point *point) {
  double *value = point->value;
  point->machine = *machine;
  for (int i = TMM_OPTIONS; i-- > 0;) {
    const struct numbers *given = &request->given[i];
    value[i] = given->count ? given->at[place % given->count] : NAN;
    place /= count_of(given);
  }
  if (isnan(value[TMM_S])) value[TMM_S] = TMM_LOCAL_WORDS;
  settle(&value[TMM_L], &point->machine.L);
  settle(&value[TMM_P], &point->machine.P);
  settle(&value[TMM_C], &point->machine.C);
  settle(&value[TMM_Z], &point->machine.Z);
  settle(&value[TMM_Q], &point->machine.Q);
  settle(&value[TMM_X], &point->machine.X);
  if (!isnan(value[TMM_L])) return VAT_OK;
  return fail(VAT_USAGE,
              "--arch: the record of %s does not tell L; give --L, the cycles "
              "of an access to its global memory",
              machine->title);
}

struct tmm_at tmm_point_sizes(const struct tmm_point *point) {
  return (struct tmm_at){.n = point->value[TMM_N],
                         .m = point->value[TMM_M],
                         .k = point->value[TMM_K],
                         .T = point->value[TMM_THREADS],
                         .machine = &point->machine};
}

int tmm_point_check(const struct tmm_point *point,
                    const struct tmm_algo *algo) {
  const double *value = point->value;
  for (int i = TMM_N; i <= TMM_K; i++)
    if (strchr(algo->sizes, *tmm_option_rows[i].name) && value[i] < 1)
      return fail(VAT_USAGE, "--%s %g: it is at least 1",
                  tmm_option_rows[i].name, value[i]);
  if (strcmp(algo->sizes, "nm") || value[TMM_M] <= value[TMM_N] * value[TMM_N])
    return VAT_OK;
  return fail(VAT_USAGE, "--m %g: a graph of %g vertices has at most %g edges",
              value[TMM_M], value[TMM_N], value[TMM_N] * value[TMM_N]);
}

struct tmm_program tmm_point_program(const struct tmm_point *point,
                                     const struct tmm_algo *algo) {
  struct tmm_at at = tmm_point_sizes(point);
  struct tmm_program program = tmm_algo_program(algo, &at);
  program.S = point->value[TMM_S];
  return program;
}

double tmm_point_threads(const struct tmm_point *point) {
  double threads = point->value[TMM_THREADS];
  return isnan(threads) ? INFINITY : threads;
}
