/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/granted.h -- what was granted of each choice of a plan, read
 * back from the processes of a program while it runs.
 *
 * Each process looks at itself when it ends and before it gives back the most
 * it had; in between vat looks at them all from outside.  The sums are of each
 * process's best look, added up over the processes.
 */
#pragma once
#include <stdio.h>

#include "experiments/exec/look.h"
#include "experiments/exec/page_plan.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/thp_faults.h"

struct granted;

/*
 * Memory for a program with the environment variable VAT_REPORT set to
 * granted_path().  NULL with errno.  `rules` are those of the program.
 */
struct granted *granted_begin(const char *rules);
const char *granted_path(const struct granted *granted);
void granted_end(struct granted *granted); /* NULL is fine */

/* Look at all processes. */
void granted_look(struct granted *granted);

/* The sums of the best looks or, if `now`, of what was seen at the last.
 * Returns how many processes are in them. */
unsigned long granted_sums(const struct granted *granted, bool now,
                           struct look_sum *sums);

/*
 * Where pages of a size below 2 MiB could not be seen: by the page faults of
 * the whole machine since the program began, divided among the choices by what
 * they have.
 */
void granted_by_faults(struct look_sum *sums, size_t choices, size_t page_bytes,
                       const struct hp_thp_faults *before,
                       const struct hp_thp_faults *after);

struct granted_report {
  const struct page_plan *plan;
  const struct hp_kind *kind;
  const struct look_sum *sums; /* of `processes` */
  unsigned long processes;
  int status; /* of wait(2), or -1 while the program runs */
};

/* Why less of a choice was granted than was asked for, and what helps: one
 * line, to free().  NULL: all was. */
char *granted_why(const struct plan_choice *choice, const struct hp_kind *kind,
                  const struct look_sum *sum);

/* Write the report as JSON to `path`.  0, or -1 with errno. */
int granted_write(const char *path, const struct granted_report *report);
