/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/counters.h -- what host threads counted, put together. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "gpu_algos/simt/simt.h"

/* Counts of one host thread; `pages` of it is not used. */
struct simt_tally {
  struct simt_counters counters;
  unsigned char *pages; /* one byte for each page of the arena that was used */
  uint64_t page_count;
  unsigned lg_page;
};

/* Make room for the arena as it is; false: no memory. */
bool simt_tally_begin(struct simt_tally *tally);

/* Add it to what simt_read_counters() gives, and empty it.  One host thread at
 * a time. */
void simt_tally_hand_in(struct simt_tally *tally);
void simt_tally_fini(struct simt_tally *tally);

/* A grid was launched. */
void simt_count_launch(void);
