/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/what_if_table.h -- `vat profile --what-if`: a prediction
 * for each larger size of pages.
 */
#pragma once
#include <jansson.h>
#include <stdio.h>

#include "experiments/applications/application.h"
#include "experiments/compare/first_touch.h"
#include "experiments/profile/profile_request.h"
#include "experiments/profile/what_if.h"
#include "experiments/profile/what_if_code.h"
#include "experiments/profile/what_if_measured.h"
#include "huge_pages/page_kind.h"

/* native.c: the program by itself, on base pages. */
struct native {
  unsigned runs; /* 0: its time was told */
  struct what_if_time time;
  double sys_s;      /* median */
  uint64_t faults;   /* minor ones, median */
  double peak_bytes; /* of memory, median; NAN: not measured */
  struct first_touch touch;
};

/* Is its time measured now, by runs? */
bool what_if_is_timed_here(const struct profile_request *request);
/* Can these runs read standard input?  An exit code. */
int native_check(const struct profile_request *request);
/* Run it as often as was asked for, what it prints being read and dropped; or
 * take what was told of its time: then `path` is not looked at.  Returns an
 * exit code; what went wrong has been told then. */
int native_measure(struct native *native, const struct profile_request *request,
                   const char *path);

enum { WHAT_IF_KINDS = 2, WHAT_IF_ROWS = WHAT_IF_KINDS + 1 /* a plan */ };
enum { WHAT_IF_SIZES = 7, WHAT_IF_WHY = 400 };

struct what_if_row {
  const char *name;  /* "2m", "1g"; "plan" */
  const char *pages; /* "2m", "1g": those of the plan */
  const char *stand; /* kind of pages that was calibrated */
  const char *base;  /* and of base pages */
  struct what_if what;
  struct what_if_code code;             /* of "2m" */
  struct what_if_correction correction; /* by what was measured on `pages` */
};

/* what_if_sizes.c: transparent huge pages of a size between. */
struct what_if_size {
  char name[HP_NAME_SIZE]; /* "thp-64k" */
  size_t bytes;
  bool measured;         /* prices are of curves on such pages; else: */
  double entry_bytes;    /* what a TLB entry holds then; NAN: not known */
  char why[WHAT_IF_WHY]; /* user time is not known, and what helps; "" */
  struct what_if what;   /* zeroed if it is not known */
};

struct what_if_table {
  struct calibration *cal; /* of each machine file; owned */
  size_t cals;
  bool here;  /* instead of files, made now: what_if_here.c */
  bool saved; /* with the profile, which has told what they lack */
  struct native native;
  unsigned without;  /* terms: what_if_terms.h */
  const bool *given; /* see what_if.h; the caller's */
  struct what_if_row row[WHAT_IF_ROWS];
  size_t count;
  struct what_if_size size[WHAT_IF_SIZES]; /* smallest first; with row "2m" */
  size_t sizes;
  char plan_why[WHAT_IF_WHY]; /* there is no row "plan", though the profile has
                                 one; "" */
};

/* Read the machine files, unless this machine was calibrated, and report what
 * the calibrations do not have.  Exit codes, as below. */
int what_if_begin(struct what_if_table *table,
                  const struct profile_request *request);
/* What --measured has, if anything, of the rows that there are; of the command
 * of `request`, which a saved profile names. */
int what_if_take_measured(struct what_if_table *table,
                          const struct profile_request *request);
/* When the program was profiled; `table->native` is set.  Of one row alone, or
 * of all (NULL). */
void what_if_predict(struct what_if_table *table, const struct profile *profile,
                     const struct what_if_row *only);
/* What both of them tell; of the larger pages nothing. */
struct what_if_input what_if_input_of(const struct what_if_table *table,
                                      const struct profile *profile);
/* The fewest of any calibration.  Where they are under CALIBRATION_REPETITIONS
 * there are no intervals: lo and hi are NAN. */
double what_if_repetitions(const struct what_if_table *table);
/* By the curves of pages called `name`, which all calibrations have; of what
 * the profile's plan gives larger pages, or of all that can have them. */
void what_if_by_curves(struct what_if *what, const struct what_if_table *table,
                       const struct profile *profile, const char *name,
                       bool planned);
/* System time, and faults, that pages of `page_bytes` save: those of the share
 * of memory that misses are in where there can be such pages, at what the first
 * touch of memory that was just used takes.  NAN: not measured. */
struct what_if_faults {
  double count, sys_s;
};
struct what_if_faults what_if_faults(const struct what_if_table *table,
                                     double page_bytes);
/* A cycle, by the loops of the calibrations; 0: not known. */
double what_if_cycle_ns(const struct what_if_table *table);
void what_if_end(struct what_if_table *table); /* zeroed is fine */

void what_if_print(const struct what_if_table *table,
                   const struct profile *profile, FILE *to);
json_t *what_if_to_json(const struct what_if_table *table);
/* "saving" of a site, by number. */
json_t *what_if_site_to_json(const struct what_if_table *table, size_t site);

/*
 * what_if_sizes.c: pages of a size between, once row "2m" is predicted.
 *
 * Prices are those of curves on such pages, if all calibrations have them.
 * Otherwise an entry of a TLB holds as many base pages as the calibrations
 * found that share one, at most those of a page.  Of the saving on 2 MiB pages
 * each site has the share of its misses that entries as large do not have.
 */
void what_if_sizes_predict(struct what_if_table *table,
                           const struct profile *profile);
/* Then: row "plan", if the profile's plan has such pages.  As above, of what it
 * would save if its pages had 2 MiB.  Where an entry holds a whole page, the
 * tree of the plan tells which misses are left. */
void what_if_sizes_plan(struct what_if_table *table,
                        const struct profile *profile);
/* NULL: is not among them. */
const struct what_if_size *what_if_size_find(const struct what_if_table *table,
                                             const char *name);
void what_if_sizes_print(const struct what_if_table *table, FILE *to);
json_t *what_if_sizes_to_json(const struct what_if_table *table);

/* what_if_here.c: this machine, calibrated where no --machine names a
 * calibration.
 *
 * What others take of the caches changes within minutes, so the program's own
 * runs lie between two calibrations: one of what what-if goes by, and one that
 * measures its curves again.
 */
/* Before: the first calibration of `table`; and the caches of `request`, unless
 * they were typed or are --from a file, become this processor's TLBs.  Returns
 * an exit code; dies of a signal, as calibrate() does. */
int what_if_here_before(struct what_if_table *table,
                        struct profile_request *request);
/* After: the second one.  Where it fails, the first one is used alone. */
void what_if_here_after(struct what_if_table *table,
                        const struct profile_request *request);
/* These caches, of a processor that reports none, by what was calibrated; a
 * level that was not found has no entries. */
struct tlb_shape what_if_here_tlbs(const struct calibration *cal);

/* heap_advice.c: which allocator a program has, and how its heap gets larger
 * pages without a change to the program; by the table of applications. */
struct heap_advice {
  const char *name; /* of the allocator that was called; else "glibc" */
  char advice[APPLICATION_TEXT];
  char besides[APPLICATION_TEXT]; /* what it has to be told besides; "":
                                     nothing is known */
};
void heap_advice_of(const struct profile *profile, struct heap_advice *advice);
/* What the switches of the program, but for the allocator's, have to be set to;
 * NULL: it has none, or they are.  To free(). */
char *application_advice_of(const struct profile *profile);
