/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free memory, and how the pages came to be. */
#include <config.h>
#include <stdio.h>
#include <string.h>

#include "experiments/pages/reason_rows.h"
#include "huge_pages/size_text.h"

#define COLLAPSE "madvise(MADV_COLLAPSE)"

static bool cgroup_limit_holds(const struct pages_part *part) {
  return part->process->cgroup_room < part->machine->huge_bytes;
}

static void cgroup_limit_fix(const struct pages_part *part,
                             char fix[FIX_SIZE]) {
  reason_say(fix,
             "a larger memory limit of its cgroup (memory.max, or "
             "memory.limit_in_bytes): %s are left",
             HP_SIZE_SHOWN(part->process->cgroup_room));
}

const struct pages_reason reason_cgroup_limit = {
    "cgroup-limit", "the memory limit of its cgroup is reached", REASON_ROOM,
    cgroup_limit_holds, cgroup_limit_fix};

static bool may_use(const struct pages_part *part, size_t node) {
  return part->machine->free_blocks[node] >= 0 &&
         part->process->nodes >> node & 1;
}

/* On no node that the process may use, and they are known. */
static bool no_free_block_holds(const struct pages_part *part) {
  size_t nodes = 0;
  for (size_t i = 0; i < FACTS_NODES; i++) {
    if (!may_use(part, i)) continue;
    if (part->machine->free_blocks[i]) return false;
    nodes++;
  }
  return nodes;
}

static void no_free_block_fix(const struct pages_part *part,
                              char fix[FIX_SIZE]) {
  char list[120] = "";
  for (size_t i = 0; i < FACTS_NODES; i++) {
    size_t used = strlen(list);
    if (part->machine->free_blocks[i] < 0) continue;
    snprintf(list + used, sizeof list - used, "%s node %zu has %ld%s",
             used ? "," : "", i, part->machine->free_blocks[i],
             may_use(part, i) ? "" : " (not for this process)");
  }
  reason_say(fix,
             "echo 1 | sudo tee /proc/sys/vm/compact_memory, then " COLLAPSE
             ": of free blocks of %s,%s",
             HP_SIZE_SHOWN(part->machine->huge_bytes), list);
}

const struct pages_reason reason_no_free_block = {
    "no-free-block", "no free block of memory is large enough", REASON_ROOM,
    no_free_block_holds, no_free_block_fix};

static bool swapped_holds(const struct pages_part *part) {
  return part->swapped;
}

static void swapped_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  reason_say(fix,
             COLLAPSE
             ", which reads them back, or less swapping (sudo sysctl "
             "vm.swappiness=1); khugepaged makes huge pages where at most "
             "max_ptes_swap, %zu, of the base pages are swapped out",
             part->machine->swapped);
}

const struct pages_reason reason_swapped = {"swapped", "parts are swapped out",
                                            REASON_STATE, swapped_holds,
                                            swapped_fix};

static bool merged_holds(const struct pages_part *part) {
  return part->mapping->flags & HP_MAPPING_MERGED && part->shared;
}

static void merged_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  reason_say(fix, "madvise(MADV_UNMERGEABLE), then " COLLAPSE);
}

const struct pages_reason reason_merged = {
    "merged", "the kernel merged equal pages (KSM)", REASON_STATE, merged_holds,
    merged_fix};

static bool forked_holds(const struct pages_part *part) {
  return part->class == MEMORY_PRIVATE && part->shared;
}

static void forked_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  reason_say(fix,
             COLLAPSE
             " after fork(), or huge pages before it; khugepaged makes huge "
             "pages where at most max_ptes_shared, %zu, of the base pages are "
             "shared",
             part->machine->shared_pages);
}

const struct pages_reason reason_forked = {
    "forked", "base pages shared with another process since fork()",
    REASON_STATE, forked_holds, forked_fix};

static bool partly_used_holds(const struct pages_part *part) {
  return part->present < reason_base_pages(part);
}

static void partly_used_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  bool comes = reason_base_pages(part) - part->present <= part->machine->none &&
               part->machine->scanned_per_s > 0;
  reason_say(fix,
             COLLAPSE
             ", which takes memory for the rest; khugepaged %s: it fills up at "
             "most max_ptes_none, %zu, of the base pages",
             comes ? "does it, too, in time" : "does not", part->machine->none);
}

const struct pages_reason reason_partly_used = {
    "partly-used", "parts were freed or never touched", REASON_STATE,
    partly_used_holds, partly_used_fix};

static bool locked_holds(const struct pages_part *part) {
  return part->mapping->flags & HP_MAPPING_LOCKED;
}

static void locked_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  reason_say(fix,
             "madvise(MADV_HUGEPAGE) before mlock(), or with mlockall() the "
             "flag MCL_ONFAULT, since locking touches all of it; or " COLLAPSE
             " now");
}

const struct pages_reason reason_locked = {
    "locked", "mlock() touched it before a huge page could be had",
    REASON_STATE, locked_holds, locked_fix};

static bool touched_early_holds(const struct pages_part *part) {
  (void)part;
  return true;
}

static void touched_early_fix(const struct pages_part *part,
                              char fix[FIX_SIZE]) {
  double pages = (double)part->mapping->rss / (double)part->machine->base_bytes;
  double rate = part->machine->scanned_per_s;
  if (rate > 0 && pages / rate < 1e6)
    reason_say(fix,
               "madvise(MADV_HUGEPAGE) before the first touch, or " COLLAPSE
               " now, or wait: khugepaged looks at %.3g base pages a second, "
               "which takes %.0f s or more",
               rate, pages / rate);
  else
    reason_say(fix,
               "madvise(MADV_HUGEPAGE) before the first touch, or " COLLAPSE
               " now: khugepaged is too slow to come");
}

const struct pages_reason reason_touched_early = {
    "touched-early", "touched before a huge page could be had", REASON_STATE,
    touched_early_holds, touched_early_fix};
