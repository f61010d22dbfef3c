/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/tmm.h -- the threaded many-core memory (TMM) model.
 *
 * L. Ma, Modeling Algorithm Performance on Highly-threaded Many-core
 * Architectures, PhD thesis, Washington University in St. Louis 2014;
 * equations, tables and sections here are its own.  A machine of P cores runs T
 * threads on each of them; a thread that waits for global memory lets others
 * run.  All results are orders of growth: constants are 1, so that what they
 * say is which term rules, and where that changes.  Left out, as there:
 * bandwidth, caches other than the local memory, the latency of arithmetic,
 * divergence.
 */
#pragma once
#include <stdbool.h>

/* Table 3.1.  A word is 4 bytes; a step is what a core takes for an operation
 * that stays in local memory. */
struct tmm_machine {
  const char *name;   /* as typed: "gtx480" */
  const char *title;  /* as read: "GeForce GTX 480" */
  const char *source; /* of its numbers */
  double L;           /* steps of an access to global memory; NAN: unknown */
  double P;           /* cores */
  double C;           /* words that an access to global memory moves at most */
  double Z;           /* words of local memory, of each core group */
  double Q;           /* cores of a core group */
  double X;           /* threads of a core, at most */
};

extern const struct tmm_machine tmm_machines[]; /* the last has no name */

/* The one called `name`, or NULL. */
const struct tmm_machine *tmm_machine_find(const char *name);

/*
 * What a GPU of that compute capability gives to `machine`, as P of so many
 * multiprocessors, C, Z, Q and X; L stays.  False: it is unknown.
 */
bool tmm_machine_of(struct tmm_machine *machine, int major, int minor,
                    double sms);

/* Table 3.2, but for T. */
struct tmm_program {
  double T1;   /* work: operations in all, more than 0 */
  double Tinf; /* span: operations on the critical path, more than 0 */
  double M;    /* accesses to global memory, each of up to C words */
  double S;    /* words of local memory a thread; 0: it needs none */
};

/* What bounds the number of threads per core (3.1.2). */
enum tmm_limit {
  TMM_LIMIT_HARDWARE,    /* X */
  TMM_LIMIT_LOCAL,       /* Z / (Q S) */
  TMM_LIMIT_PARALLELISM, /* T1 / (Tinf P) */
};

enum tmm_term { TMM_WORK, TMM_SPAN, TMM_MEMORY, TMM_TERMS };

struct tmm_result {
  double threads;         /* per core, T */
  double most;            /* that there can be */
  enum tmm_limit by;      /* what */
  double effective;       /* T_E, (3.1) */
  double term[TMM_TERMS]; /* T1 / P, Tinf, M L / (T P) */
  enum tmm_term dominant; /* the largest; of equal ones the first */
  double time;            /* T_P, (3.2) */
  double speedup;         /* S_P, (3.3) */
  bool linear;            /* it is P */
  double least_threads;   /* that a linear speed-up needs: M L / T1 */
  double most_latency;    /* that it allows: T1 / M times `most` */
};

/* Threads per core that there can be at most, and what bounds them. */
double tmm_threads_most(const struct tmm_machine *machine,
                        const struct tmm_program *program, enum tmm_limit *by);

/* Equations (3.1) to (3.3) with `threads` a core, or as many as there can be,
 * if those are fewer. */
void tmm_evaluate(const struct tmm_machine *machine,
                  const struct tmm_program *program, double threads,
                  struct tmm_result *result);

/* What PRAM says: max(T1 / P, Tinf). */
double tmm_pram(const struct tmm_machine *machine,
                const struct tmm_program *program);

/*
 * Threads per core at which two programs take equally long, whether or not
 * there can be so many: with fewer, that with less M is better, with more, that
 * with the smaller max(T1 / P, Tinf).  NAN where one program is better, or no
 * worse, with any number.
 */
double tmm_crossing(const struct tmm_machine *machine,
                    const struct tmm_program *a, const struct tmm_program *b);
