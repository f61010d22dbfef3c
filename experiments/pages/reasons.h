/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/reasons.h -- why memory is not on huge pages, and what
 * changes that.  One table: the first row that holds is the reason.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "experiments/pages/facts.h"
#include "huge_pages/pagemap.h"
#include "huge_pages/smaps_mapping.h"

enum memory_class {
  MEMORY_PRIVATE, /* heap, data without a file, what mmap and malloc map */
  MEMORY_SHARED,  /* memory that processes share, of no file on a disk */
  MEMORY_FILE,    /* pages of a file, and private copies of them */
  MEMORY_STACK,   /* of the main thread */
  MEMORY_SPECIAL  /* the kernel's or a device's: [vdso], VM_IO, ... */
};

enum memory_class memory_class_of(const struct hp_mapping *mapping);

/* A part of a mapping within the place of one huge page. */
struct pages_part {
  const struct machine_facts *machine;
  const struct process_facts *process;
  const struct hp_mapping *mapping;
  enum memory_class class;
  uintptr_t start, end;
  struct hp_pagemap_count count; /* of its base pages */
};

enum { FIX_SIZE = 240 };

struct pages_reason {
  const char *name;    /* in JSON: "not-advised" */
  const char *summary; /* "nobody asked for huge pages" */
  bool (*holds)(const struct pages_part *part);
  /* What would change it: a command, a call, or a sentence. */
  void (*fix)(const struct pages_part *part, char fix[FIX_SIZE]);
};

/* NULL-ended by name; the last holds always. */
extern const struct pages_reason pages_reasons[];

/* The reason for the base pages of a part. */
const struct pages_reason *pages_reason_of(const struct pages_part *part);
