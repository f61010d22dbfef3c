/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/reason.h -- why a part of memory is not on huge pages, and
 * what changes that.  reason_rows.h has them all. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "experiments/pages/facts.h"
#include "huge_pages/smaps_mapping.h"

enum memory_class {
  MEMORY_PRIVATE, /* heap, data without a file, what mmap and malloc map */
  MEMORY_SHARED,  /* memory that processes share, also as files of tmpfs */
  MEMORY_FILE,    /* pages of a file on a disk */
  MEMORY_COPIED,  /* private copies of a file's pages */
  MEMORY_STACK,   /* of the main thread */
  MEMORY_SPECIAL  /* the kernel's or a device's: [vdso], VM_IO, ... */
};

/* `system`: where its file is, or NULL. */
enum memory_class memory_class_of(const struct hp_mapping *mapping,
                                  const struct file_system *system);

/* A part of a mapping within the place of one huge page. */
struct pages_part {
  const struct machine_facts *machine;
  const struct process_facts *process;
  const struct hp_mapping *mapping;
  const struct file_system *system; /* of the mapping's file, or NULL */
  enum memory_class class;
  uintptr_t start, end;
  size_t present, swapped; /* base pages */
  size_t shared;           /* present, and mapped by more than this process */
};

enum { FIX_SIZE = 280 };

/* What has to change before the memory can be huge. */
enum reason_kind {
  REASON_NATURE, /* what the memory is: the program */
  REASON_RULE,   /* a switch, or what the program asks for */
  REASON_ROOM,   /* free memory */
  REASON_STATE   /* how its pages came to be: they can be made huge now */
};

struct pages_reason {
  const char *name;    /* in JSON: "not-advised" */
  const char *summary; /* "the program did not ask for huge pages" */
  enum reason_kind kind;
  bool (*holds)(const struct pages_part *part);
  /* What would change it: a command, a call, or a sentence. */
  void (*fix)(const struct pages_part *part, char fix[FIX_SIZE]);
};

/* Write a fix; what does not fit is cut. */
void reason_say(char fix[FIX_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

size_t reason_base_pages(const struct pages_part *part); /* of a huge page */
bool reason_is_advised(const struct pages_part *part);
