/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/reasons.h"

#include <config.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "experiments/pages/reason_rows.h"

const struct pages_reason *const pages_reasons[] = {&reason_special,
                                                    &reason_copied,
                                                    &reason_file,
                                                    &reason_too_small,
                                                    &reason_unaligned,
                                                    &reason_not_built,
                                                    &reason_pool_empty,
                                                    &reason_shared_off,
                                                    &reason_disabled,
                                                    &reason_stack,
                                                    &reason_off,
                                                    &reason_advised_not,
                                                    &reason_shared_not_advised,
                                                    &reason_not_advised,
                                                    &reason_userfaultfd,
                                                    &reason_cgroup_limit,
                                                    &reason_no_free_block,
                                                    &reason_swapped,
                                                    &reason_merged,
                                                    &reason_forked,
                                                    &reason_partly_used,
                                                    &reason_locked,
                                                    &reason_touched_early,
                                                    NULL};

static bool begins(const char *name, const char *with) {
  return !strncmp(name, with, strlen(with));
}

/* Names that the kernel gives to memory which processes share (Linux,
 * filesystems/proc.rst, mm/shmem.c and ipc/shm.c). */
static bool is_shared_memory(const struct hp_mapping *mapping) {
  static const char *const names[] = {"/dev/zero", "/SYSV",
                                      "/memfd:", "[anon_shmem"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (begins(mapping->name, names[i])) return true;
  return false;
}

enum memory_class memory_class_of(const struct hp_mapping *mapping,
                                  const struct file_system *system) {
  const char *name = mapping->name;
  if (mapping->flags & HP_MAPPING_DEVICE || begins(name, "[v") ||
      begins(name, "[uprobes"))
    return MEMORY_SPECIAL;
  if (begins(name, "[stack")) return MEMORY_STACK;
  if (file_system_is_tmpfs(system)) return MEMORY_SHARED;
  if (!system && is_shared_memory(mapping)) return MEMORY_SHARED;
  if (!mapping->inode)
    return mapping->rights[3] == 's' ? MEMORY_SHARED : MEMORY_PRIVATE;
  return MEMORY_FILE;
}

void reason_say(char fix[FIX_SIZE], const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(fix, FIX_SIZE, format, args);
  va_end(args);
}

size_t reason_base_pages(const struct pages_part *part) {
  return part->machine->huge_bytes / part->machine->base_bytes;
}

bool reason_is_advised(const struct pages_part *part) {
  return part->mapping->flags & HP_MAPPING_ADVISED;
}

const struct pages_reason *pages_reason_of(const struct pages_part *part) {
  size_t i = 0;
  while (!pages_reasons[i]->holds(part)) i++;
  return pages_reasons[i];
}

bool pages_reason_alone(const struct pages_reason *reason,
                        const struct pages_part *part) {
  if (reason->kind == REASON_NATURE) return false;
  if (reason == &reason_pool_empty) return true; /* that pool heeds no other */
  for (size_t i = 0; pages_reasons[i]; i++) {
    const struct pages_reason *other = pages_reasons[i];
    if (other != reason && other->kind != REASON_STATE && other->holds(part))
      return false;
  }
  return true;
}
