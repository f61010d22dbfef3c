/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/reuse/line_uses.h -- reuse distances of lines, and what lines are
 * loaded or stored for while they are in a cache.
 *
 * A line's stay begins when it is used after two others, and lasts until that
 * happens again.  What it is accessed for may become known at any time within.
 */
#pragma once
#include "experiments/reuse/last_uses.h"
#include "experiments/reuse/reuse.h"
#include "experiments/reuse/sampler.h"

struct line_life {
  uint8_t used;  /* for what, in this stay: 1 << kind */
  uint8_t class; /* of this stay */
  /* Of each kind the last access: the class of its stay, and the longest
   * distance since. */
  uint8_t class_of[REUSE_KINDS], longest[REUSE_KINDS];
};

struct line_uses {
  struct last_uses uses;
  struct line_life *lives; /* one more than lines, for no line */
  struct sampler sampler;
  uint64_t far;                /* uses after two others */
  uint64_t spans[REUSE_KINDS]; /* stays with such an access */
  struct reuse_profile *result;
};

/* For so many lines. */
void line_uses_init(struct line_uses *lines, uint64_t count, unsigned window,
                    unsigned every, struct reuse_profile *result);
void line_uses_fini(struct line_uses *lines);

/* The use of `line` that took the last slot came after two others; the slot
 * before was `old`, 0: none. */
void line_uses_far(struct line_uses *lines, uint64_t line, uint32_t old);

/* Nothing more comes.  Scale, so that histograms are those of `accesses`. */
void line_uses_finish(struct line_uses *lines, uint64_t accesses);
