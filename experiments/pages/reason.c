/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/reason.h"

#include <config.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
