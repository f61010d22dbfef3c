/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the memory is. */
#include <config.h>
#include <string.h>

#include "experiments/pages/reason_rows.h"
#include "huge_pages/size_text.h"

static bool special_holds(const struct pages_part *part) {
  return part->class == MEMORY_SPECIAL;
}

static void special_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  reason_say(fix, "none: the kernel or a device chooses these pages");
}

const struct pages_reason reason_special = {
    "special", "memory of the kernel or of a device", REASON_NATURE,
    special_holds, special_fix};

static bool copied_holds(const struct pages_part *part) {
  return part->class == MEMORY_COPIED;
}

static void copied_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  (void)part;
  reason_say(fix,
             "keep what is written in memory of malloc() or mmap(): the kernel "
             "copies a file's pages, such as initialized data, one by one");
}

const struct pages_reason reason_copied = {
    "file-copied", "private copies of a file's pages", REASON_NATURE,
    copied_holds, copied_fix};

static bool file_holds(const struct pages_part *part) {
  return part->class == MEMORY_FILE;
}

static bool is_small(const struct pages_part *part) {
  return part->mapping->end - part->mapping->start < part->machine->huge_bytes;
}

static void file_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  const char *type = part->system ? part->system->type : "";
  const char *huge = HP_SIZE_SHOWN(part->machine->huge_bytes);
  int since = file_system_since(type);
  if (is_small(part))
    reason_say(fix, "none needed: the mapping is smaller than %s", huge);
  else if (strchr(part->mapping->rights, 'x'))
    reason_say(fix,
               "start the program by vat exec --huge text, which puts code "
               "on huge pages; some programs have an option for it");
  else if (since && part->machine->linux_version >= since)
    reason_say(fix,
               "map it at a multiple of %s and call madvise(MADV_HUGEPAGE) "
               "before it is read into memory: %s has large pages",
               huge, type);
  else
    reason_say(fix,
               "keep the file on tmpfs (sudo mount -t tmpfs -o "
               "huge=within_size tmpfs DIRECTORY), or read it into memory of "
               "malloc(): %s has no large pages here",
               *type ? type : "its file system");
}

const struct pages_reason reason_file = {"file", "pages of a file",
                                         REASON_NATURE, file_holds, file_fix};

static bool too_small_holds(const struct pages_part *part) {
  return is_small(part);
}

static void too_small_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  const char *huge = HP_SIZE_SHOWN(part->machine->huge_bytes);
  if (part->class == MEMORY_PRIVATE &&
      (part->process->glibc_asks || part->process->has_jemalloc))
    reason_say(fix,
               "let the program allocate %s or more at once, by mmap() or "
               "malloc()%s",
               huge,
               part->process->has_jemalloc
                   ? ""
                   : "; GLIBC_TUNABLES asks for huge pages already");
  else if (part->class == MEMORY_PRIVATE)
    reason_say(fix,
               "let the program allocate %s or more at once; for malloc(), "
               "start it with GLIBC_TUNABLES=glibc.malloc.hugetlb=1, which "
               "also makes the heap grow by as much",
               huge);
  else
    reason_say(fix, "none needed: the mapping is smaller than %s", huge);
}

const struct pages_reason reason_too_small = {
    "too-small", "the mapping is smaller than a huge page", REASON_NATURE,
    too_small_holds, too_small_fix};

static bool unaligned_holds(const struct pages_part *part) {
  return part->end - part->start < part->machine->huge_bytes;
}

static void unaligned_fix(const struct pages_part *part, char fix[FIX_SIZE]) {
  if (part->class == MEMORY_STACK)
    reason_say(fix, "none: the kernel places the stack");
  else
    reason_say(fix,
               "map it at a multiple of %s, with aligned_alloc() or mmap(): at "
               "its ends the mapping has no room for a whole huge page",
               HP_SIZE_SHOWN(part->machine->huge_bytes));
}

const struct pages_reason reason_unaligned = {
    "unaligned", "the ends of a mapping, less than a huge page", REASON_NATURE,
    unaligned_holds, unaligned_fix};
