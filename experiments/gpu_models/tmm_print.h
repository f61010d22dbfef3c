/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/tmm_print.h -- what the commands of the TMM model have
 * in common in print. */
#pragma once
#include <jansson.h>

#include "experiments/gpu_models/tmm_points.h"

/* "work", "span", "memory". */
extern const char *const tmm_term_names[TMM_TERMS];
/* "X", "Z / (Q S)", "T1 / (Tinf P)". */
extern const char *const tmm_limit_names[];

/* "on a GeForce GTX 480: L 800, P 480, ...", those alone that do not vary. */
void tmm_print_machine(const struct tmm_request *request,
                       const struct tmm_point *point);

/* Cells of 10 columns and their heads: what was asked for in lists, and n, m,
 * k; but not `but`, TMM_OPTIONS for none. */
void tmm_print_heads(const struct tmm_request *request, enum tmm_option but);
void tmm_print_place(const struct tmm_request *request,
                     const struct tmm_point *point, enum tmm_option but);

/* As members of an object: n, m, k that were asked for, S and the machine. */
void tmm_json_place(const struct tmm_request *request,
                    const struct tmm_point *point, json_t *object);
