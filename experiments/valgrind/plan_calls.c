/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rules of a plan are those of the calls that led here.  Calls come again
 * and again: by their return addresses, the rules are found in a table. */
#include "experiments/valgrind/plan.h"
#include "experiments/valgrind/plan_pages.h"
#include "experiments/valgrind/site_calls.h"
/* In this order. */
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

enum { LG_KNOWN = 12 };

static struct {
  UWord hash;
  const struct vt_plan_rules *rules;
} before[1 << LG_KNOWN];
static struct vt_plan_rules *sets; /* each is there once */

static Bool is_frame(const struct vt_frame *wanted,
                     const struct vt_callsite *at) {
  struct vt_frame frame = vt_frame_of(at);
  const HChar *slash = VG_(strrchr)(frame.object, '/');
  return frame.offset == wanted->offset &&
         !VG_(strcmp)(slash ? slash + 1 : frame.object, wanted->object);
}

static Bool fits(const struct vt_plan_rule *rule, struct vt_callsite **frame,
                 UInt frames) {
  if (rule->what != VT_PLAN_CHAIN || rule->frames > frames) return False;
  for (UInt i = 0; i < rule->frames; i++)
    if (!is_frame(&rule->frame[i], frame[i])) return False;
  return rule->frames > 0;
}

static const struct vt_plan_rules *find(struct vt_callsite **frame,
                                        UInt frames) {
  struct vt_plan_rules found = {.count = 0}, *set = sets;
  for (struct vt_plan_rule *rule = vt_plan_all; rule; rule = rule->next)
    if (found.count < VT_PLAN_RULES && fits(rule, frame, frames))
      found.rule[found.count++] = rule;
  for (; set; set = set->next)
    if (set->count == found.count &&
        !VG_(memcmp)(set->rule, found.rule, sizeof set->rule))
      return set;
  set = VG_(malloc)("vat.rules", sizeof *set);
  *set = found;
  set->next = sets;
  return sets = set;
}

const struct vt_plan_rules *vt_plan_rules_here(void) {
  struct vt_callsite *frame[VT_FRAMES];
  if (!vt_planned) return NULL;
  UInt frames = vt_calls_frames(frame, VT_FRAMES);
  UWord hash = 1;
  for (UInt i = 0; i < frames; i++)
    hash = (hash ^ frame[i]->back) * 0x9e3779b97f4a7c15ULL;
  UWord i = hash >> (64 - LG_KNOWN);
  if (before[i].hash != hash || !before[i].rules) {
    before[i].rules = find(frame, frames);
    before[i].hash = hash;
  }
  return before[i].rules;
}
