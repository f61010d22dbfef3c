/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/timed.h -- the program's time, as vat compare measured
 * it.
 */
#pragma once
#include "experiments/compare/first_touch.h"

enum { TIMED_MOST = 2000 };

struct timed {
  double user_s[TIMED_MOST], sys_s[TIMED_MOST], faults[TIMED_MOST];
  unsigned runs;
  struct first_touch touch;
};

/* All runs on base pages that count, in what `vat compare -o path` wrote of
 * `program`.  Returns an exit code; what went wrong has been told then. */
int timed_read(struct timed *timed, const char *path, char *const *program);
