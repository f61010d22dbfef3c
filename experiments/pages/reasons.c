/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/reasons.h"

#include <config.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "huge_pages/size_text.h"

static bool begins(const char *name, const char *with) {
  return !strncmp(name, with, strlen(with));
}

/* Names that the kernel gives to memory which processes share (Linux,
 * filesystems/proc.rst and mm/shmem.c). */
static bool is_shared_memory(const struct hp_mapping *mapping) {
  static const char *const names[] = {"/dev/zero", "/SYSV",
                                      "/memfd:", "/dev/shm/", "[anon_shmem"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (begins(mapping->name, names[i])) return true;
  return false;
}

enum memory_class memory_class_of(const struct hp_mapping *mapping) {
  const char *name = mapping->name;
  if (mapping->flags & HP_MAPPING_DEVICE || begins(name, "[v"))
    return MEMORY_SPECIAL;
  if (begins(name, "[stack")) return MEMORY_STACK;
  if (is_shared_memory(mapping)) return MEMORY_SHARED;
  if (mapping->rights[3] == 's' && !mapping->inode) return MEMORY_SHARED;
  if (!*name || begins(name, "[heap]") || begins(name, "[anon"))
    return MEMORY_PRIVATE;
  return MEMORY_FILE;
}

static void say(char fix[FIX_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(char fix[FIX_SIZE], const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(fix, FIX_SIZE, format, args);
  va_end(args);
}

static size_t base_pages(const struct pages_part *part) {
  return part->machine->huge_bytes / part->machine->base_bytes;
}

static bool is_whole(const struct pages_part *part) {
  return part->end - part->start == part->machine->huge_bytes;
}

static bool is_advised(const struct pages_part *part) {
  return part->mapping->flags & HP_MAPPING_ADVISED;
}

static bool special_holds(const struct pages_part *part) {
  return part->class == MEMORY_SPECIAL;
}

static void special_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  say(fix, "nothing: the kernel or a device chooses these pages");
}

static bool stack_holds(const struct pages_part *part) {
  return part->class == MEMORY_STACK;
}

static void stack_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  say(fix,
      "let a thread do the work, whose stack the program aligns and advises");
}

static bool file_holds(const struct pages_part *part) {
  return part->class == MEMORY_FILE;
}

static void file_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  if (strchr(part->mapping->rights, 'x'))
    say(fix,
        "copy the code to private memory at the start of the program "
        "(for example with -Wl,-z,common-page-size=2M and a remapping of the "
        "text)");
  else
    say(fix,
        "read the file into private memory, or keep it on tmpfs mounted with "
        "huge=always");
}

static bool unaligned_holds(const struct pages_part *part) {
  return !is_whole(part);
}

static void unaligned_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  const char *huge = HP_SIZE_SHOWN(part->machine->huge_bytes);
  if (part->mapping->end - part->mapping->start < part->machine->huge_bytes)
    say(fix,
        "let the program allocate more at once: the mapping is smaller than "
        "%s",
        huge);
  else
    say(fix,
        "align the mapping to %s (aligned_alloc(), or "
        "GLIBC_TUNABLES=glibc.malloc.hugetlb=1 for malloc)",
        huge);
}

static bool not_built_holds(const struct pages_part *part) {
  return !part->machine->thp_built;
}

static void not_built_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  say(fix, "a kernel built with CONFIG_TRANSPARENT_HUGEPAGE");
}

static bool shared_off_holds(const struct pages_part *part) {
  return part->class == MEMORY_SHARED && part->machine->shared == THP_NEVER;
}

static void shared_off_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  say(fix,
      "echo advise | sudo tee %s, and madvise(MADV_HUGEPAGE) in the program; "
      "or hugetlb pages by the program's own option",
      part->machine->shared_switch);
}

static bool shared_not_advised_holds(const struct pages_part *part) {
  return part->class == MEMORY_SHARED && part->machine->shared == THP_ADVISED &&
         !is_advised(part);
}

static void shared_not_advised_fix(const struct pages_part *part,
                                   char fix[FIX_SIZE]) {
  say(fix,
      "madvise(MADV_HUGEPAGE) in the program, or echo always | sudo tee %s",
      part->machine->shared_switch);
}

static bool off_holds(const struct pages_part *part) {
  return part->class != MEMORY_SHARED && part->machine->thp == THP_NEVER;
}

static void off_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  say(fix, "echo %s | sudo tee %s", is_advised(part) ? "madvise" : "always",
      part->machine->thp_switch);
}

static bool disabled_holds(const struct pages_part *part) {
  return part->process->thp_disabled;
}

static void disabled_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  say(fix,
      "start the program without prctl(PR_SET_THP_DISABLE): it, or what "
      "started it, forbids them (systemd: MemoryTHP=)");
}

static bool advised_not_holds(const struct pages_part *part) {
  return part->mapping->flags & HP_MAPPING_ADVISED_NOT;
}

static void advised_not_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  say(fix,
      "let the program not call madvise(MADV_NOHUGEPAGE) for this mapping: "
      "many have an option for it");
}

static bool not_advised_holds(const struct pages_part *part) {
  return part->class != MEMORY_SHARED && part->machine->thp == THP_ADVISED &&
         !is_advised(part);
}

static void not_advised_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  say(fix,
      "GLIBC_TUNABLES=glibc.malloc.hugetlb=1 for malloc, "
      "madvise(MADV_HUGEPAGE) in the program, or echo always | sudo tee %s",
      part->machine->thp_switch);
}

static bool userfault_holds(const struct pages_part *part) {
  return part->mapping->flags & HP_MAPPING_FAULTS;
}

static void userfault_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  say(fix, "none while the program handles page faults itself (userfaultfd)");
}

static bool swapped_holds(const struct pages_part *part) {
  return part->count.swapped > part->machine->swapped;
}

static void swapped_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  say(fix,
      "less swapping (more memory, vm.swappiness), or a larger "
      "khugepaged/max_ptes_swap, %zu now",
      part->machine->swapped);
}

static bool forked_holds(const struct pages_part *part) {
  return part->class == MEMORY_PRIVATE &&
         part->count.shared > part->machine->shared_pages;
}

static void forked_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  say(fix,
      "allocate and fill it after fork(), or a larger "
      "khugepaged/max_ptes_shared, %zu now",
      part->machine->shared_pages);
}

static bool partly_holds(const struct pages_part *part) {
  return part->count.present + part->count.swapped < base_pages(part);
}

static bool too_few(const struct pages_part *part) {
  return base_pages(part) - part->count.present > part->machine->none;
}

static void partly_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  if (too_few(part))
    say(fix,
        "touch all of it, or a larger khugepaged/max_ptes_none, %zu now: the "
        "rest was freed or never touched",
        part->machine->none);
  else
    say(fix,
        "touch it after the advice, or wait for khugepaged: the rest was "
        "freed or never touched, and would take memory");
}

static bool cgroup_holds(const struct pages_part *part) {
  return part->process->cgroup_room < part->machine->huge_bytes;
}

static void cgroup_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  say(fix, "a larger memory limit of its cgroup (memory.max)");
}

static bool no_block_holds(const struct pages_part *part) {
  return !part->machine->free_blocks;
}

static void no_block_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  say(fix, "echo 1 | sudo tee /proc/sys/vm/compact_memory");
}

static bool early_holds(const struct pages_part *part) {
  (void)part;
  return true;
}

static void early_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  double seconds =
      (double)part->mapping->rss / (double)part->machine->base_bytes /
      (part->machine->scanned_per_s > 0 ? part->machine->scanned_per_s : 1);
  if (part->machine->khugepaged && part->machine->scanned_per_s > 0)
    say(fix,
        "advise before the first touch, madvise(MADV_COLLAPSE), or wait: "
        "khugepaged looks at %.0f pages a second, so %.0f s or more",
        part->machine->scanned_per_s, seconds);
  else
    say(fix,
        "advise before the first touch, or madvise(MADV_COLLAPSE): "
        "khugepaged is switched off");
}

#define ROW(id, name, summary) \
  { name, summary, id##_holds, id##_fix }

/* What no setting can change comes first, then who forbids or has to ask, then
 * what the memory is like. */
const struct pages_reason pages_reasons[] = {
    ROW(special, "special", "memory of the kernel or of a device"),
    ROW(stack, "stack", "the main thread's stack"),
    ROW(file, "file", "pages of a file"),
    ROW(unaligned, "unaligned", "no room for a whole huge page"),
    ROW(not_built, "not-built", "the kernel has no transparent huge pages"),
    ROW(shared_off, "shared-off", "switched off for shared memory"),
    ROW(shared_not_advised, "shared-not-advised",
        "shared memory, and the program did not ask"),
    ROW(off, "off", "transparent huge pages are switched off"),
    ROW(disabled, "disabled", "forbidden for the process"),
    ROW(advised_not, "advised-not", "the program asked for none here"),
    ROW(not_advised, "not-advised", "the program did not ask"),
    ROW(userfault, "userfaultfd", "the program handles its page faults"),
    ROW(swapped, "swapped", "parts are swapped out"),
    ROW(forked, "forked", "shared with another process since fork()"),
    ROW(partly, "partly-used", "parts were freed or never touched"),
    ROW(cgroup, "cgroup-limit", "the cgroup's memory is used up"),
    ROW(no_block, "no-free-block", "no free block of memory is large enough"),
    ROW(early, "touched-early", "touched before a huge page could be had"),
    {0}};

const struct pages_reason *pages_reason_of(const struct pages_part *part) {
  const struct pages_reason *reason = pages_reasons;
  while (!reason->holds(part)) reason++;
  return reason;
}
