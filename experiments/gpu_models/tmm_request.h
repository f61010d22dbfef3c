/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/tmm_request.h -- what vat model tmm is asked for, and
 * each combination of the numbers that were given. */
#pragma once
#include <jansson.h>
#include <stdbool.h>

#include "experiments/cli/numbers.h"
#include "experiments/cli/options.h"
#include "gpu_algos/models/tmm_algo.h"

/* Its options that take numbers, in the order of their table. */
enum tmm_option {
  TMM_N,
  TMM_M,
  TMM_K,
  TMM_THREADS,
  TMM_S,
  TMM_L,
  TMM_P,
  TMM_C,
  TMM_Z,
  TMM_Q,
  TMM_X,
  TMM_T1,
  TMM_TINF,
  TMM_MEM, /* M */
  TMM_OPTIONS
};

extern const struct option_row *const tmm_option_rows;

enum { TMM_MACHINES_MOST = 16, TMM_NAME_SIZE = 64 };

struct tmm_request {
  struct option_words words;
  struct tmm_machine machine[TMM_MACHINES_MOST];
  size_t machines;
  char names[TMM_MACHINES_MOST][TMM_NAME_SIZE]; /* of results files' GPUs */
  struct numbers given[TMM_OPTIONS];            /* no numbers: not given */
  bool json;
};

/* The algorithm of that name, or NULL, having printed that there is none. */
const struct tmm_algo *tmm_request_algo(const char *name);

/* Options that are missing for an algorithm, or that it does not depend on.
 * `other` is one that it is compared with, or NULL. */
int tmm_request_check(const struct tmm_request *request,
                      const struct tmm_algo *algo,
                      const struct tmm_algo *other);

/* Not to be copied. */
struct tmm_point {
  struct tmm_machine machine;
  double
      value[TMM_OPTIONS]; /* NAN: not given; S and the machine's always are */
  struct tmm_at at;       /* what formulas see of it */
};

/* How many combinations there are on each machine; 0: over a million, and that
 * is told. */
size_t tmm_points_count(const struct tmm_request *request);

/* The combination at `place`, the last list fastest, on `machine`.  An exit
 * code: L may be unknown. */
int tmm_point_at(const struct tmm_request *request,
                 const struct tmm_machine *machine, size_t place,
                 struct tmm_point *point);

/* The algorithm's T1, Tinf and M there, with the S that was given.  An exit
 * code: it may not take the sizes. */
int tmm_point_program(const struct tmm_point *point,
                      const struct tmm_algo *algo, struct tmm_program *program);

/* "work", "span", "memory". */
extern const char *const tmm_term_names[TMM_TERMS];

/* "on a GeForce GTX 480: L 800, P 480, ...", those alone that do not vary. */
void tmm_print_machine(const struct tmm_request *request,
                       const struct tmm_point *point);

/* Cells of 10 columns, but of threads: what was asked for in lists, and n, m,
 * k.  `point` NULL: their heads. */
void tmm_print_place(const struct tmm_request *request,
                     const struct tmm_point *point);

/* As members of an object: n, m, k that were asked for, S and the machine. */
void tmm_json_place(const struct tmm_request *request,
                    const struct tmm_point *point, json_t *object);

#define TMM_SOURCE "Ma, PhD thesis 2014"

/* What can be asked for.  Each prints, and returns an exit code, having printed
 * what is wrong. */
/* T_P of an algorithm; NULL: of a program by its T1, Tinf and M. */
int tmm_tell(const struct tmm_request *request, const struct tmm_algo *algo);
/* Which of two, where, and what PRAM says. */
int tmm_compare(const struct tmm_request *request,
                const struct tmm_algo *const algo[2]);
/* What the emulator counts of each row of table 4.4, or of the one that is
 * named, over what the row says. */
int tmm_show_counts(const struct tmm_request *request);
