/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/calibrate/chase_machine.h -- a machine that is known, and
 * its curves.
 *
 * Caches and TLBs are simulated as they are defined, LRU lists that see each
 * access, and times added up: nothing of what derives numbers from curves is
 * used to make them.
 */
#pragma once
#include "experiments/probe/calibration.h"

struct chase_pages {
  const char *kind;
  double page_bytes, entry_bytes; /* what a TLB entry maps */
  unsigned tlb_entries[2];
  double tlb_ns[2]; /* of missing it */
  unsigned tables;  /* with an entry of 8 bytes for each base page */
};

struct chase_machine {
  double cache_bytes[3];
  double level_ns[4];
  double table_ns[4]; /* of a table line that is found there */
  double line_flight, walk_flight, stream_ns;
  double noise; /* standard deviation, as a share */
  struct chase_pages pages[3];
  unsigned kinds;
  double most_bytes; /* of the chases */
};

/* Its curves, as 5 repetitions leave them, and what the system would report;
 * to be released by calibration_fini(). */
void chase_machine_curves(const struct chase_machine *machine, unsigned seed,
                          struct calibration *cal);
