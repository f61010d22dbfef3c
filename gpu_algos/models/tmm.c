/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/models/tmm.h"

#include <math.h>

double tmm_threads_most(const struct tmm_machine *machine,
                        const struct tmm_program *program, enum tmm_limit *by) {
  double most[] = {
      [TMM_LIMIT_HARDWARE] = machine->X,
      [TMM_LIMIT_LOCAL] =
          program->S > 0 ? machine->Z / (machine->Q * program->S) : INFINITY,
      [TMM_LIMIT_PARALLELISM] = program->T1 / (program->Tinf * machine->P)};
  *by = TMM_LIMIT_HARDWARE;
  for (enum tmm_limit i = 0; i <= TMM_LIMIT_PARALLELISM; i++)
    if (most[i] < most[*by]) *by = i;
  return most[*by];
}

double tmm_pram(const struct tmm_machine *machine,
                const struct tmm_program *program) {
  return fmax(program->T1 / machine->P, program->Tinf);
}

/* Fewer threads than cores are a fraction a core: cores that have none wait. */
void tmm_evaluate(const struct tmm_machine *machine,
                  const struct tmm_program *program, double threads,
                  struct tmm_result *result) {
  double *term = result->term, memory = program->M * machine->L;
  result->most = tmm_threads_most(machine, program, &result->by);
  result->threads = fmin(threads, result->most);
  result->effective = fmax(program->T1, memory / result->threads);
  term[TMM_WORK] = program->T1 / machine->P;
  term[TMM_SPAN] = program->Tinf;
  term[TMM_MEMORY] = memory / (result->threads * machine->P);
  result->dominant = TMM_WORK;
  for (enum tmm_term i = 0; i < TMM_TERMS; i++)
    if (term[i] > term[result->dominant]) result->dominant = i;
  result->time = term[result->dominant];
  result->linear = result->dominant == TMM_WORK;
  result->speedup = result->linear ? machine->P : program->T1 / result->time;
  result->least_threads = memory / program->T1;
  result->most_latency = program->T1 / program->M * result->most;
}

/* Times are max(c, M L / (T P)), where PRAM says c: they fall with T as M says,
 * and end at c.  Where the order at few threads is not that at many, the one
 * that begins higher falls to where the other ended. */
double tmm_crossing(const struct tmm_machine *machine,
                    const struct tmm_program *a, const struct tmm_program *b) {
  double few = a->M - b->M, many = tmm_pram(machine, a) - tmm_pram(machine, b);
  if (!(few * many < 0)) return NAN;
  return fmax(a->M, b->M) * machine->L / machine->P /
         fmax(tmm_pram(machine, a), tmm_pram(machine, b));
}
