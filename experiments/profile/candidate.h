/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/candidate.h -- one of what could go on larger pages; see
 * candidates.h.
 */
#pragma once
#include "experiments/exec/page_plan.h"
#include "experiments/profile/candidate_parts.h"
#include "experiments/profile/chooser.h"
#include "experiments/profile/what_if.h"

#define CANDIDATE_NO_SITE SIZE_MAX

struct candidate {
  enum plan_what what;
  size_t site;                /* of the profile; CANDIDATE_NO_SITE */
  uint64_t from, to;          /* bytes of each block; 0, 0: all; of small
                                 blocks the first `to` bytes */
  uint64_t asked;             /* of small blocks: what the program asks for in
                                 all, few of which it frees */
  bool arena;                 /* shares memory that begins with some bytes */
  bool cut;                   /* to a part, by candidate_cut() */
  uint64_t bytes;             /* on larger pages; what shares them: its part */
  uint64_t touched;           /* now, on base pages, by what goes there */
  double times;               /* how often these are faulted in */
  double at_peak;             /* the part of both when all blocks were most */
  double look_ups_s;          /* that finding its blocks takes */
  struct what_if_value saved; /* seconds, less those; NAN: no prediction */
  double misses;              /* saved, of leaves */
  struct candidate_parts parts; /* of it, to be chosen instead */
};

/* Where memory is chosen by what its first touches take, not by its misses:
 * the seconds that a candidate saves of which the rest is known, but not what
 * look-ups take. */
struct candidate_price {
  double (*saved_s)(const void *context, const struct candidate *candidate);
  const void *context;
};

/* Leave of it only one of its parts. */
void candidate_cut(struct candidate *candidate, size_t part);
/* Set `saved` by a price, unless that is NULL. */
void candidate_price(struct candidate *candidate,
                     const struct candidate_price *price);
/* Leave of its parts those that save more than smaller ones, and no more than
 * all of it, whose price is set. */
void candidate_price_parts(struct candidate *candidate,
                           const struct candidate_price *price);
