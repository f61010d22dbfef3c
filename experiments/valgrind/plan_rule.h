/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/plan_rule.h -- what a plan chooses: plan.h. */
#pragma once
#include "experiments/valgrind/plan.h"

struct vt_plan_rule {
  struct vt_plan_rule *next;
  enum vt_plan_what what;
  UInt choice, frames;
  ULong least, most, from, to;
  ULong *taken; /* bytes of small blocks, by all rules of the choice */
  const HChar *name;
  struct vt_frame frame[VT_FRAMES]; /* objects without folders */
};

extern struct vt_plan_rule *vt_plan_all;
