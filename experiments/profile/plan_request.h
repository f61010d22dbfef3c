/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/plan_request.h -- what `vat plan` was asked for. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "experiments/cli/options.h"

/* Of all candidates, each other one by lot; or only those that were not drawn.
 */
enum plan_lot { PLAN_NO_LOT, PLAN_DRAWN, PLAN_NOT_DRAWN };

struct plan_request {
  const char *from;            /* the profile */
  struct option_texts machine; /* calibrations; none: those of the profile */
  uint64_t budget;             /* bytes, if `budget_given` */
  bool budget_given;
  enum plan_lot lot;
  uint64_t seed;        /* of it */
  const char *pages;    /* "thp", "thp-64k", "2m", "1g" */
  double user_s;        /* of the program; 0: as the profile has it */
  const char *timed;    /* what vat compare -o wrote of it; NULL: none */
  const char *measured; /* what vat compare --json measured of it; or NULL */
  const char *output;   /* file of the plan; NULL: none */
  const char *figure;   /* file of the curve; NULL: none */
  bool json;
};

extern const struct option_table plan_table;

/* Returns an exit code; what is wrong has been told then.  options_fini() in
 * any case. */
int plan_request_parse(struct plan_request *request, int argc, char **argv);
