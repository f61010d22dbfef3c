/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/tmm_request.h -- what vat model tmm is asked for. */
#pragma once
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

#define TMM_SOURCE "Ma, PhD thesis 2014"

/* What can be asked for.  Each prints, and returns an exit code, having printed
 * what is wrong. */
/* T_P of an algorithm; NULL: of a program by its T1, Tinf and M. */
int tmm_tell(const struct tmm_request *request, const struct tmm_algo *algo);
/* Which of two, where, and what PRAM says. */
int tmm_compare(const struct tmm_request *request,
                const struct tmm_algo *const algo[2]);
/* What the emulator counts of each row of table 4.4, or of the one called
 * `row`, over what the row says. */
int tmm_show_counts(const struct tmm_request *request, const char *row);
