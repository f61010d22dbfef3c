/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/tmm_points.h -- every combination of the numbers that
 * were asked for, and how it is printed. */
#pragma once
#include <jansson.h>

#include "experiments/gpu_models/tmm_request.h"

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
