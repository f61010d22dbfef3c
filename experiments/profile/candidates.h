/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/candidates.h -- what of a profiled program could go on
 * larger pages, what it needs, and what it saves.
 *
 * Allocation sites: their large blocks, or parts of these that differ in heat;
 * and their small blocks, in memory of their own.  Instead of these, the heap
 * as a whole.  And zeroed static data.  Savings are those of what_if.h: a
 * site's is divided among its units by their misses.  Without a prediction,
 * what is saved is misses.
 */
#pragma once
#include "experiments/profile/candidate.h"

struct candidates {
  struct candidate *at;      /* pieces of a site one behind the other */
  struct chooser_item *item; /* of the same */
  size_t count;
  uint64_t page;      /* bytes of a larger page */
  bool glibc;         /* has the program's malloc() */
  double left_out;    /* what is saved by those that are not chosen as it is
                         next to nothing; as the items; of planning_find() */
  double unreachable; /* what sites would save whose calls are not known */
  double look_ups_s;  /* look_ups_all(), where savings are times */
};

/*
 * Larger pages are of `page` bytes, `tree` is theirs in the profile, or 0 where
 * it has none.  `what` is NULL where there is no prediction.  Without `parts`
 * blocks are on larger pages as a whole or not at all.  `price`: what is saved,
 * instead of `what`; or NULL.
 */
void candidates_make(struct candidates *all, const struct profile *profile,
                     const struct what_if *what, uint64_t page, unsigned tree,
                     bool parts, const struct candidate_price *price);
/* Is it memory of malloc(), which "heap" chooses as a whole? */
bool candidates_of_heap(const struct profile *profile,
                        const struct profile_site *site);
/* Does an allocator map it that is not the C library's? */
bool candidates_of_allocator(const struct profile *profile,
                             const struct profile_site *site);
/* Are its mappings cut from larger pages of 2 MiB, and fill them? */
bool candidates_are_cut(const struct profile *profile,
                        const struct profile_site *site, uint64_t page,
                        bool heap_known);
/* Does it have sites of a heap? */
bool candidates_know_heap(const struct profile *profile);
void candidates_fini(struct candidates *all);
