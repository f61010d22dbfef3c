/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/what_if.h -- the user time that larger pages would save.
 *
 * From a profile (misses by allocation site, by the distance of their table
 * lines, and bursts that tell what waits for what), a calibration and the
 * program's user time.  doc/what-if.md shows how.
 */
#pragma once
#include <stdbool.h>

#include "experiments/profile/overlap.h"
#include "experiments/profile/profile.h"
#include "experiments/profile/walk_costs.h"

/* Median, least and most of the native runs. */
struct what_if_time {
  double user_s, lo_s, hi_s;
};

struct what_if_value {
  double value, lo, hi;
};

/* Of page faults: what_if_fault_time.h. */
struct what_if_fault_time {
  double user_s; /* of each */
  double scale;  /* those of the runs to those of the profile */
};

struct what_if_input {
  const struct profile *profile; /* finished; its first tree is of base pages */
  bool planned; /* what the profile's plan gives larger pages, not all that can
                   have them */
  const bool *given; /* sites that have them wherever they are; or NULL */
  struct walk_costs costs;
  struct what_if_time time;
  struct what_if_fault_time faults;
  double page_bytes; /* of the larger pages */
  double traffic;    /* what_if_traffic() */
  unsigned without;  /* terms: what_if_terms.h */
  struct overlap_machine machine, machine_lo, machine_hi;
  double cycle_ns; /* an instruction takes that at most, if it waits for
                      nothing */
  /* Called again and again with the share that is done, 0 to 1; or NULL. */
  void (*tick)(void *context, double done);
  void *context;
};

struct what_if {
  struct what_if_value saved_s; /* of user time */
  struct what_if_value ratio; /* user time with larger pages to that without */
  struct what_if_value translation; /* user time to that on contiguous frames,
                                       which have as few page faults */
  double alone_s; /* that misses would save if none overlapped */
  double walks_s; /* that all walks take one by one */
  double covered; /* share of the misses where they can be */
  double overlap; /* of what each saves alone, the share that is
                     saved; NAN: no bursts */
  double at_once; /* walks that go on at the same time, as what is hidden tells:
                     1 to those that can */
  double base_ns; /* an instruction without its misses */
  struct what_if_value *sites; /* saved_s of each site of the profile; owned */
};

/* Lines that caches are filled with for each miss, data's and the page table's,
 * to those of a chase, which is one of each; 1 and more. */
double what_if_traffic(const struct profile *profile);

/* What is predicted is translation, and page faults.  The frames of larger
 * pages are contiguous, too, which may save as much of the user time again, in
 * caches that are indexed by physical addresses: the most of eleven programs
 * that were measured on a Zen 4 (doc/comparing.md, "Translation or placement?";
 * .03 the second most). */
static const double what_if_placement = .06;

/* Of user times on larger pages and without, where so much is saved: also by
 * what measured times differ. */
struct what_if_value what_if_ratio(const struct what_if_value *saved_s,
                                   const struct what_if_time *time);

void what_if_make(struct what_if *what, const struct what_if_input *input);
void what_if_fini(struct what_if *what);
