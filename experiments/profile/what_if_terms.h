/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/what_if_terms.h -- the terms of `vat profile --what-if`
 * that can be left out.
 */
#pragma once
#include <stdbool.h>

#include "experiments/cli/terms.h"

enum what_if_term {
  WHAT_IF_OVERLAP,
  WHAT_IF_EARLY,
  WHAT_IF_PACE,
  WHAT_IF_TRAFFIC,
  WHAT_IF_PAGE_FAULTS
};

extern const struct term what_if_terms[]; /* by these; ended by a NULL name */

static inline bool what_if_has(unsigned without, enum what_if_term term) {
  return !(without >> term & 1);
}
