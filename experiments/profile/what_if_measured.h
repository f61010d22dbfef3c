/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/what_if_measured.h -- what `vat compare` measured of the
 * program on larger pages corrects what is predicted of other layouts.
 *
 * Both are known within an interval.  What is most likely lies between them, as
 * much nearer to either as it is better known: the mean weighted by 1/variance.
 * All savings by such pages are multiplied with the quotient of that and of
 * what was predicted.  Why there is more or less than was predicted is not
 * known, so it may be one part's alone: that is in a part's interval.
 */
#pragma once
#include "experiments/profile/what_if.h"

/* Of the user time; all memory on larger pages. */
struct what_if_correction {
  bool known;
  struct what_if_value measured; /* user time to that on base pages, 95 % */
  double told;                   /* share that was predicted to be saved */
  double saved, deviation;       /* that is most likely saved, and its standard
                                    deviation */
  double factor; /* of all savings; NAN: there is nothing to multiply */
};

/* What `path` (vat compare --json) measured of pages called "2m" or "1g", on
 * kinds of pages that are as large; `known` only if it has some.  An exit code,
 * as it is of the command `program`, too (NULL: any). */
int what_if_measured_read(struct what_if_correction *correction,
                          const char *path, const char *pages,
                          char *const *program);

/* All memory, of which it was measured: what it most likely saves, and each of
 * `sites` of it; tells `correction` what is multiplied. */
void what_if_correct_all(struct what_if *all,
                         struct what_if_correction *correction,
                         const struct what_if_time *time, size_t sites);

/* Then: what another layout saves. */
void what_if_correct(struct what_if *what,
                     const struct what_if_correction *correction,
                     const struct what_if_time *time, size_t sites);
