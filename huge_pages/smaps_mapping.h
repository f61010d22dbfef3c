/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/smaps_mapping.h -- the mappings of a process, one at a time.
 *
 * Internal to this project.  Amounts are in bytes; a field that the text does
 * not have is 0, and a line that makes no sense is passed over.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { HP_MAPPING_NAME = 64 };

/* Of VmFlags. */
enum hp_mapping_flag {
  HP_MAPPING_ADVISED = 1 << 0,     /* hg: MADV_HUGEPAGE */
  HP_MAPPING_ADVISED_NOT = 1 << 1, /* nh: MADV_NOHUGEPAGE */
  HP_MAPPING_STACK = 1 << 2,       /* gd: grows down */
  HP_MAPPING_DEVICE = 1 << 3,      /* io, pf: no memory of its own */
  HP_MAPPING_LOCKED = 1 << 4,      /* lo: mlock(2) */
  HP_MAPPING_FAULTS = 1 << 5,      /* um, uw, ui: userfaultfd(2) */
  HP_MAPPING_MERGED = 1 << 6,      /* mg: MADV_MERGEABLE */
};

struct hp_mapping {
  uintptr_t start, end;
  char rights[5];             /* "rw-p" */
  uint64_t offset;            /* in its file */
  uint64_t device, inode;     /* of its file; 0: none */
  char name[HP_MAPPING_NAME]; /* "[heap]", a path, cut to fit; or "" */
  size_t page_bytes;          /* KernelPageSize */
  size_t rss;
  size_t anonymous; /* part of rss */
  size_t swap;
  size_t thp;     /* part of rss */
  size_t hugetlb; /* not part of rss */
  unsigned flags; /* of enum hp_mapping_flag */
};

struct hp_mapping_reader {
  FILE *smaps;
  struct hp_mapping ahead; /* its header was read; end 0: none */
  bool inside;             /* of a line longer than what is read at once */
};

/* Read from `smaps`, of /proc/PID/smaps or smaps_rollup. */
void hp_mapping_reader_init(struct hp_mapping_reader *reader, FILE *smaps);

/* The next mapping.  False at the end, or where ferror(smaps). */
bool hp_mapping_next(struct hp_mapping_reader *reader,
                     struct hp_mapping *mapping);
