/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Switches, and what the program asks for. */
#include <config.h>
#include <stdio.h>
#include <string.h>

#include "experiments/pages/reason_rows.h"
#include "huge_pages/size_text.h"

static bool not_built_holds(const struct pages_part *part) {
  return !part->machine->thp_built;
}

static void not_built_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  reason_say(fix, "a kernel built with CONFIG_TRANSPARENT_HUGEPAGE");
}

const struct pages_reason reason_not_built = {
    "not-built", "the kernel has no transparent huge pages", REASON_RULE,
    not_built_holds, not_built_fix};

static bool pool_empty_holds(const struct pages_part *part) {
  return part->class == MEMORY_PRIVATE && part->process->hugetlb_asked &&
         part->process->hugetlb_empty;
}

static void pool_empty_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  size_t page = part->process->hugetlb_asked;
  size_t bytes = part->mapping->rss;
  reason_say(fix,
             "echo %zu | sudo tee "
             "/sys/kernel/mm/hugepages/hugepages-%zukB/nr_hugepages, and start "
             "the program again: the pool of pages of %s has none free",
             (bytes + page - 1) / page, page / 1024, HP_SIZE_SHOWN(page));
}

const struct pages_reason reason_pool_empty = {
    "pool-empty", "the pool of hugetlb pages that malloc() takes is empty",
    REASON_RULE, pool_empty_holds, pool_empty_fix};

/* Files of tmpfs follow what it is mounted with, unless a switch decides: that
 * of the size does so where it is not on "inherit" (seen on Linux 6.18). */
static bool follows_mount(const struct pages_part *part) {
  const struct machine_facts *machine = part->machine;
  return file_system_is_tmpfs(part->system) && !machine->shared_by_size &&
         !machine->shared_denied && !machine->shared_forced;
}

static enum thp_mode shared_mode(const struct pages_part *part) {
  return follows_mount(part) ? thp_mode_of(part->system->huge)
                             : part->machine->shared;
}

static void shared_fix(const struct pages_part *part, const char *mode,
                       const char *also, char fix[FIX_SIZE]) {
  if (follows_mount(part))
    reason_say(fix, "sudo mount -o remount,huge=%s %s%s", mode,
               part->system->point, also);
  else
    reason_say(fix, "echo %s | sudo tee %s%s", mode,
               part->machine->shared_switch, also);
}

static bool shared_off_holds(const struct pages_part *part) {
  return part->class == MEMORY_SHARED && shared_mode(part) == THP_NEVER;
}

static void shared_off_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  if (reason_is_advised(part))
    shared_fix(part, "advise", "; then start the program again", fix);
  else
    shared_fix(part, "within_size",
               "; then start the program again (or set it to advise, and let "
               "the program call madvise(MADV_HUGEPAGE))",
               fix);
}

const struct pages_reason reason_shared_off = {
    "shared-off", "huge pages are switched off for shared memory", REASON_RULE,
    shared_off_holds, shared_off_fix};

static bool disabled_holds(const struct pages_part *part) {
  return part->process->thp_disabled;
}

static void disabled_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  reason_say(fix,
             "start the program without prctl(PR_SET_THP_DISABLE): it, or what "
             "started it, forbids huge pages (systemd: MemoryTHP=inherit; "
             "redis: disable-thp no)");
}

const struct pages_reason reason_disabled = {
    "disabled", "forbidden for the process by PR_SET_THP_DISABLE", REASON_RULE,
    disabled_holds, disabled_fix};

static bool follows_switch(const struct pages_part *part) {
  return part->class != MEMORY_SHARED && part->class != MEMORY_STACK;
}

static bool off_holds(const struct pages_part *part) {
  return follows_switch(part) && part->machine->thp == THP_NEVER;
}

static void off_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  reason_say(fix, "echo %s | sudo tee %s",
             reason_is_advised(part) ? "madvise" : "always",
             part->machine->thp_switch);
}

const struct pages_reason reason_off = {
    "off", "transparent huge pages are switched off", REASON_RULE, off_holds,
    off_fix};

static bool advised_not_holds(const struct pages_part *part) {
  return part->mapping->flags & HP_MAPPING_ADVISED_NOT;
}

static void advised_not_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  reason_say(fix,
             "madvise(MADV_HUGEPAGE) instead of MADV_NOHUGEPAGE in the "
             "program; for the stack of a thread, which Linux 6.7 and later "
             "keep on base pages, memory of its own "
             "(pthread_attr_setstack())");
}

const struct pages_reason reason_advised_not = {
    "advised-not", "the program refused huge pages with MADV_NOHUGEPAGE",
    REASON_RULE, advised_not_holds, advised_not_fix};

static bool shared_not_advised_holds(const struct pages_part *part) {
  return part->class == MEMORY_SHARED && shared_mode(part) == THP_ADVISED &&
         !reason_is_advised(part);
}

static void shared_not_advised_fix(const struct pages_part *part,
                                   char fix[FIX_SIZE]) {
  shared_fix(part, "within_size",
             "; or madvise(MADV_HUGEPAGE) in the program before it is touched",
             fix);
}

const struct pages_reason reason_shared_not_advised = {
    "shared-not-advised", "shared memory for which nobody asked", REASON_RULE,
    shared_not_advised_holds, shared_not_advised_fix};

/* It grows page by page whatever is switched on, and can always be collapsed.
 */
static bool stack_holds(const struct pages_part *part) {
  return part->class == MEMORY_STACK;
}

static void stack_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  reason_say(fix,
             "madvise(MADV_COLLAPSE) in the program for the multiples of %s of "
             "its stack once it has grown, or a thread with a stack of its own "
             "that is aligned and advised",
             HP_SIZE_SHOWN(part->machine->huge_bytes));
}

const struct pages_reason reason_stack = {
    "stack", "the main thread's stack, which grows page by page", REASON_STATE,
    stack_holds, stack_fix};

static bool not_advised_holds(const struct pages_part *part) {
  return follows_switch(part) && part->machine->thp == THP_ADVISED &&
         !reason_is_advised(part);
}

/* By what its malloc() asks, unless it has that. */
static const char *malloc_fix(const struct process_facts *process) {
  if (process->has_jemalloc ? process->jemalloc_asks : process->glibc_asks)
    return "";
  if (process->has_jemalloc)
    return "; or, for malloc() alone, start it with "
           "MALLOC_CONF=thp:always,metadata_thp:always";
  return "; or, for malloc() alone, start it with "
         "GLIBC_TUNABLES=glibc.malloc.hugetlb=1";
}

static void not_advised_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  reason_say(fix,
             "echo always | sudo tee %s%s; or madvise(MADV_HUGEPAGE) in the "
             "program",
             part->machine->thp_switch, malloc_fix(part->process));
}

const struct pages_reason reason_not_advised = {
    "not-advised", "nobody asked: the switch is on madvise", REASON_RULE,
    not_advised_holds, not_advised_fix};

static bool userfaultfd_holds(const struct pages_part *part) {
  return part->mapping->flags & HP_MAPPING_FAULTS;
}

static void userfaultfd_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  reason_say(fix,
             "none while the program handles page faults itself: it may "
             "UFFDIO_UNREGISTER what is complete");
}

const struct pages_reason reason_userfaultfd = {
    "userfaultfd", "the program handles its page faults", REASON_RULE,
    userfaultfd_holds, userfaultfd_fix};
