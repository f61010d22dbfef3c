/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/backing.h -- on which pages the memory of a process lies,
 * which part of it could lie on huge ones, and huge pages made from outside,
 * for programs that no library and no variable of the environment reaches.
 *
 * Private anonymous memory (heap, bss, what malloc maps) can be huge where a
 * whole huge page fits into the mapping; files, shared memory and stacks are
 * not vat's to ask for.  Sums over mappings, and over processes when added;
 * but a segment of shared memory counts once, as the process has it that has
 * most of it.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "experiments/exec/sized_pages.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/thp_faults.h"

struct backing_pages {
  size_t base;      /* bytes on base pages */
  size_t sized;     /* on transparent ones of the size that is looked for */
  size_t thp;       /* on transparent huge pages */
  size_t hugetlb2m; /* on hugetlb pages of 2 MiB, or any but 1 GiB */
  size_t hugetlb1g;
};

/* Shared memory, by the file that the kernel has for it. */
struct backing_segment {
  uint64_t device, inode;
  struct backing_pages pages;
};
enum { BACKING_SEGMENTS = 16 }; /* the last: all that have no other place */

/* Bytes that some page backs. */
struct backing {
  struct backing_pages own; /* files too; all but shared memory */
  struct backing_segment segments[BACKING_SEGMENTS];
  size_t open; /* private anonymous: as much as could be on 2 MiB pages */
  struct backing_pages granted; /* of which, on huge pages */
  size_t files;                 /* on base pages, and why: files, */
  size_t stacks;                /* the main thread's stack, */
  size_t edges;     /* and mappings, or ends of them, under a huge page */
  size_t processes; /* that were added up */
  size_t unseen;    /* of which, those whose pages of the size were not told */
};

/* Add what smaps text says of a process, and of which memory `sized` looks for;
 * NULL: of none.  -1 with errno of a failed read: then nothing is added. */
int backing_add(struct backing *backing, FILE *smaps,
                struct sized_pages *sized);

/* The same of process `pid`, unless it may not be read, or is gone.
 * `sized_bytes`: of the transparent huge pages to look for; 0: none. */
void backing_add_process(struct backing *backing, pid_t pid,
                         size_t sized_bytes);

/* Where pages of that size were not told: so many of the base pages of memory
 * that is open to huge pages are such, by the faults of the run. */
void backing_count_sized(struct backing *backing, size_t sized_bytes,
                         const struct hp_thp_faults *before,
                         const struct hp_thp_faults *after);

/* All bytes. */
size_t backing_total(const struct backing *backing);
size_t backing_on_base_pages(const struct backing *backing);

/* Of all shared memory. */
struct backing_pages backing_shared(const struct backing *backing);
size_t backing_pages_total(const struct backing_pages *pages);

/* Does `a` show more of what can be huge than `b`, or more at all where both
 * show about the same of that? */
bool backing_shows_more(const struct backing *a, const struct backing *b);

/* Bytes that are open to huge pages, and on some. */
size_t backing_huge(const struct backing *backing);

/* Of the bytes that are open to huge pages, those on pages of `kind`. */
size_t backing_of_kind(const struct backing *backing,
                       const struct hp_kind *kind);

/* May this process collapse the memory of others?  Linux 6.1, CAP_SYS_NICE. */
bool collapse_possible(void);

/* Make transparent huge pages of what these processes' private anonymous
 * memory has in base pages.  What cannot be done is left. */
void collapse_processes(const pid_t *pids, size_t count);
