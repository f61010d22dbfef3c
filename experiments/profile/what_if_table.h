/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/what_if_table.h -- `vat profile --what-if`: a prediction
 * for each larger size of pages.
 */
#pragma once
#include <jansson.h>
#include <stdio.h>

#include "experiments/profile/native.h"

enum { WHAT_IF_KINDS = 2 };

struct what_if_row {
  const char *name;  /* "2m", "1g" */
  const char *stand; /* kind of pages that was calibrated */
  const char *base;  /* and of base pages */
  struct what_if what;
};

struct what_if_table {
  struct calibration *cal; /* of each machine file; owned */
  size_t cals;
  struct native native;
  struct what_if_row row[WHAT_IF_KINDS];
  size_t count;
};

/* System time, and faults, that pages of 2 MiB save: those of the share of
 * memory that misses are in where there can be such pages, at what the first
 * touch of memory that was just used takes.  NAN: not measured. */
struct what_if_faults {
  double count, sys_s;
};
struct what_if_faults what_if_faults(const struct what_if_table *table);

/* Read the machine files, and say what they lack.  Exit codes, as below. */
int what_if_begin(struct what_if_table *table,
                  const struct profile_request *request);
/* The fewest of any calibration.  Where they are under CALIBRATION_REPETITIONS
 * there are no intervals: lo and hi are NAN. */
double what_if_repetitions(const struct what_if_table *table);
/* When the program was profiled; `table->native` is set. */
void what_if_predict(struct what_if_table *table,
                     const struct profile *profile);
void what_if_end(struct what_if_table *table); /* zeroed is fine */

void what_if_print(const struct what_if_table *table,
                   const struct profile *profile, FILE *to);
json_t *what_if_to_json(const struct what_if_table *table);
/* "saving" of a site, by number. */
json_t *what_if_site_to_json(const struct what_if_table *table, size_t site);
