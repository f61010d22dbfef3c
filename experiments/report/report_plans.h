/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/report_plans.h -- plans.html: what plans of one program
 * save and cost, beside what was measured.
 *
 * Of the plans that `vat plan -o` writes, and of the object that
 * `vat compare --plan ... --json` prints.
 */
#pragma once
#include <stddef.h>
#include <stdio.h>

#include "experiments/exec/page_plan.h"
#include "experiments/results/results.h"

/* What was measured on some pages; NAN: it was not. */
struct plan_measured {
  double user_ratio, lo, hi; /* to base pages */
  double peak_bytes, faults;
};

/* A plan, or without one everything (its ratio is of the largest plan) or
 * nothing on larger pages. */
struct plan_row {
  const char *name; /* "now", that of the plan's arm, "everything" */
  const struct page_plan *plan;
  double bytes;
  struct plan_ratio predicted;
  double peak_bytes, faults; /* predicted; NAN: unknown */
  struct plan_measured measured;
};

struct plans {
  struct page_plan *plan; /* by rising bytes */
  char **name;
  size_t count;
  char program[160];    /* UTF-8 */
  struct plan_row *row; /* "now", the plans, "everything" */
  size_t rows;
  bool compared; /* a comparison was given */
};

/* Read them; `compared` may be NULL.  -1 with `error`, a sentence.
 * plans_fini() in any case. */
int plans_read(struct plans *plans, const char *const *paths, size_t count,
               const char *compared, char error[RESULTS_ERROR_SIZE]);
void plans_fini(struct plans *plans);

void report_plans_text(FILE *to, const struct plans *plans);
/* An object a row. */
void report_plans_json(FILE *to, const struct plans *plans);

/* Write plans.html to the directory `dir`, made where absent.  An exit code,
 * with `error` a sentence. */
int report_plans_write(const struct plans *plans, const char *dir,
                       char error[RESULTS_ERROR_SIZE]);
