/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/tmm_actions.h -- what vat model tmm can do.  Each
 * prints, and returns an exit code, having printed what is wrong. */
#pragma once
#include "experiments/gpu_models/tmm_request.h"

#define TMM_SOURCE "Ma, PhD thesis 2014"

/* T_P of an algorithm; NULL: of a program by its T1, Tinf and M. */
int tmm_tell(const struct tmm_request *request, const struct tmm_algo *algo);
/* Which of two, where, and what PRAM says. */
int tmm_compare(const struct tmm_request *request,
                const struct tmm_algo *const algo[2]);
/* What the emulator counts of each row of table 4.4, or of the one called
 * `row`, over what the row says. */
int tmm_show_counts(const struct tmm_request *request, const char *row);
