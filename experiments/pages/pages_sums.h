/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/pages_sums.h -- bytes by page size, and by reason.
 *
 * `once` is the part of an amount that no process before had: in sums over
 * processes memory that they share counts once.
 */
#pragma once
#include <stddef.h>

#include "experiments/pages/reasons.h"

enum { PAGES_KINDS = 24 };

/* By page size, the name of which is that of a page kind. */
struct pages_on {
  struct {
    char name[16]; /* "4k", "thp-64k", "thp", "2m"; "" ends */
    size_t bytes, once;
  } kinds[PAGES_KINDS];
};

void pages_on_add(struct pages_on *on, const char *name, size_t bytes,
                  size_t once);
size_t pages_on_of(const struct pages_on *on, const char *name);

struct pages_why {
  const struct pages_reason *reason;
  size_t bytes, once;
  /* Of those bytes: huge once this reason alone is gone; and what memory that
   * takes beside. */
  size_t could, more;
  size_t most;        /* bytes of the part that has `fix` */
  char fix[FIX_SIZE]; /* of where it holds for most */
};

struct pages_whys {
  struct pages_why *at; /* by falling bytes once sorted */
  size_t count;
};

/* Add to the row of its reason. */
void pages_whys_add(struct pages_whys *whys, const struct pages_why *why);
void pages_whys_sort(struct pages_whys *whys);
void pages_whys_fini(struct pages_whys *whys);
/* What could be huge by one change each. */
size_t pages_whys_could(const struct pages_whys *whys);
