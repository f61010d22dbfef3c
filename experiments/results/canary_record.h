/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/canary_record.h -- what the machine was like meanwhile:
 * benchmarks that are always the same, timed between others.
 */
#pragma once
#include <stdint.h>

#include "experiments/cli/record.h"
#include "huge_pages/page_kind.h"

struct results_canary {
  uint32_t pass;            /* over all sizes, from 0 on */
  double ns_per_op;         /* of a loop that only computes */
  char pages[HP_NAME_SIZE]; /* of the settled chase; empty: there was none */
  double bytes, ns;         /* its footprint, and the time of an access */
  /* The same of the line chase, which others had no time to disturb; 0: there
   * was none. */
  double line_bytes, line_ns;
};

extern const struct field canary_fields[];

/* Fill `canary`.  Returns 0, or -1 with errno EINVAL and in `why` what is
 * wrong: a chase may be missing, but not a part of it. */
int canary_from_json(struct results_canary *canary, const json_t *record,
                     char *why, size_t why_size);
