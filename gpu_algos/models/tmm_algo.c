/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/models/tmm_algo.h"

#include <math.h>
#include <string.h>

const struct tmm_algo *tmm_algo_find(const char *name) {
  for (const struct tmm_algo *a = tmm_algos; a->name; a++)
    if (!strcmp(a->name, name)) return a;
  return NULL;
}

static bool holds(const char *of, const struct tmm_algo *algo,
                  const struct tmm_formula *when, const struct tmm_at *at) {
  return !strcmp(of, algo->name) && when->value(at) != 0;
}

const struct tmm_small *tmm_small_of(const struct tmm_algo *algo,
                                     const struct tmm_at *at) {
  for (const struct tmm_small *s = tmm_smalls; s->algo; s++)
    if (holds(s->algo, algo, &s->when, at)) return s;
  return NULL;
}

const struct tmm_refined *tmm_refined_of(const struct tmm_algo *algo) {
  for (const struct tmm_refined *r = tmm_refineds; r->algo; r++)
    if (!strcmp(r->algo, algo->name)) return r;
  return NULL;
}

const struct tmm_limits *tmm_limits_of(const struct tmm_algo *algo,
                                       const struct tmm_at *at) {
  for (const struct tmm_limits *l = tmm_table_4_1; l->algo; l++)
    if (holds(l->algo, algo, &l->when, at)) return l;
  return NULL;
}

const struct tmm_transition *tmm_transition_of(const struct tmm_algo *algo,
                                               const struct tmm_at *at) {
  for (const struct tmm_transition *t = tmm_table_4_2; t->algo; t++)
    if (holds(t->algo, algo, &t->when, at)) return t;
  return NULL;
}

struct tmm_program tmm_algo_program(const struct tmm_algo *algo,
                                    const struct tmm_at *at) {
  const struct tmm_small *small = tmm_small_of(algo, at);
  return (struct tmm_program){
      .T1 = (small ? small->T1 : algo->T1).value(at),
      .Tinf = (small ? small->Tinf : algo->Tinf).value(at),
      .M = (small ? small->M : algo->M).value(at),
      .S = TMM_LOCAL_WORDS};
}

double tmm_refined_time(const struct tmm_refined *refined,
                        const struct tmm_at *at) {
  const struct tmm_algo *algo = tmm_algo_find(refined->algo);
  double computing =
      fmax(algo->T1.value(at) / at->machine->P, refined->span.value(at));
  return fmax(computing,
              fmax(refined->small.value(at), refined->large.value(at)));
}
