/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/shim.h -- the parts of page_shim.so, which site_shim.so has
 * as well. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "experiments/exec/ranges.h"
#include "experiments/exec/rules.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif

/* What a program is to find here; all else is hidden. */
#define SHIM_EXPORT __attribute__((visibility("default")))

enum {
  THP = 2 << 20,
  CUT_MIN = THP / 8,
  SHIM_PARTS = 8,                  /* of one block */
  RIGHTS = PROT_READ | PROT_WRITE, /* that plain mappings ask for */
  FLAGS = MAP_PRIVATE | MAP_ANONYMOUS
};

struct shim {
  bool transparent; /* VAT_PAGES=thp, or thp-64k, ... */
  bool chosen;      /* VAT_RULES says what; else all of it is */
  bool reports;     /* somebody wants to know what came of it */
  bool sandboxed;   /* by seccomp: no system calls but the program's own */
  unsigned lg_huge; /* of the bytes of a hugetlb page; 0: not those */
  size_t huge;      /* bytes of a transparent huge page: THP, or fewer */
  size_t cut_least; /* mappings below 2 MiB that are cut from one */
  const char *text; /* VAT_RULES */
  struct rules rules;
  struct ranges ranges;
  /* A mapping that a site chose, or NULL; NULL: no sites are. */
  void *(*map_site)(size_t bytes, const void *back, const void *frame);
  /* The parts of shared memory that its site chooses, from its beginning; how
   * many. */
  unsigned (*choose_site)(size_t bytes, const void *back, const void *frame,
                          struct range part[SHIM_PARTS]);
};
extern struct shim shim;

/* The value of a variable of the environment, or NULL; `*known` is false where
 * the C library has no environment yet. */
const char *shim_variable(const char *name, bool *known);

/* Read VAT_PAGES and VAT_RULES, once.  False where that is too soon. */
bool shim_begin(void);

/* MADV_HUGEPAGE, with errno as it was. */
void shim_advise(uintptr_t start, size_t bytes);

/* Addresses without memory that agree with `offset` modulo 2 MiB, for whole
 * pages, and none right behind them: the kernel would make one mapping of two,
 * and nobody could tell what each was granted.  0: there are none. */
uintptr_t shim_reserve(size_t bytes, int rights, uint64_t offset);

/* Of the pages there that have memory: make them huge ones, if those are of
 * 2 MiB, as the kernel makes no others of what is there. */
void shim_collapse(uintptr_t start, size_t bytes);

/* Is a mapping to be advised, which has at least THP bytes?  Not what
 * shim_map_shared() takes. */
bool shim_wants(size_t bytes, int flags, int fd);

/* A plain mapping of hugetlb pages, that munmap() here knows; MAP_FAILED: the
 * pool has none. */
void *shim_map_huge(size_t bytes);

/* A plain mapping of less than THP that shares 2 MiB with others, with errno as
 * it was; MAP_FAILED: it is too small for that, or there is no memory. */
void *shim_map_cut(size_t bytes);

/* Have glibc's heap begin with a huge page, if it is asked for these; before
 * the first block is allocated, if possible. */
void shim_begin_heap(void);

/* Look at what is there when the program starts: static data, the stack. */
void shim_start(void);

/* pthread_atfork(), where the C library has it. */
void shim_at_fork(void (*before)(void), void (*in_parent)(void),
                  void (*in_child)(void));

/* Record memory that is there from the start, of `choice`. */
void shim_record(uintptr_t start, size_t bytes, int choice);

/* --- shim_threads.c --- */

/* From now on glibc's heaps of threads are advised, too. */
void shim_threads_begin(void);

/* --- shim_mallocs.c --- */

/* For the call of mmap() that returns to `back`, of another malloc() than
 * glibc's, where the heap is chosen; with errno as it was.  NULL: it is mapped
 * as ever. */
void *shim_map_mallocs(const void *at, size_t bytes, int rights, int flags,
                       const void *back);

/* Where malloc() is interposed: the one behind it.  0: the program's first one
 * is not ours.  page_shim.so has no such function. */
uintptr_t shim_malloc_behind(void) __attribute__((weak));

/* For its madvise(MADV_DONTNEED).  False: nothing was done. */
bool shim_discard_mallocs(void *at, size_t bytes, const void *back);

/* munmap() of the last of that, with errno as it was.  False: it is none. */
bool shim_unmap_mallocs(void *at, size_t bytes);

/* --- shim_text.c --- */

/* A mapping of the code of a program or library. */
struct shim_text {
  uintptr_t start, end;
  uint64_t offset; /* in its file */
  uint64_t device, inode;
  char path[512];
  int file; /* opened; -1: it is not there any more, or another */
  int choice;
};

/* Before main(): put the code that is chosen on huge pages. */
void shim_text_start(void);

/* --- shim_text_file.c --- */

/*
 * Have its file's pages in memory be huge ones, so that they are mapped as
 * such.  Sets `huge` for each 2 MiB of addresses, from those that hold
 * `text->start` on, where that is so.
 */
void shim_text_file(const struct shim_text *text, bool *huge);

/* --- shim_perf_map.c --- */

/* The functions of this text from `from` to `to`, for perf, if VAT_PERF_MAP
 * asks for that. */
void shim_perf_map(const struct shim_text *text, uintptr_t from, uintptr_t to);
void shim_perf_map_end(void);

/* --- shim_shared.c --- */

/* Shared memory that is of no file on a disk, for the call of mmap() that
 * returns to `back`: MAP_FAILED with errno, or NULL: it is not chosen. */
void *shim_map_shared(void *at, size_t bytes, int rights, int flags, int fd,
                      off_t offset, const void *back, const void *frame);

/* --- shim_room.c --- */

/* May so much be filled of shared memory that the program has not touched, of
 * the file `fd` or of none, which is -1? */
bool shim_has_room(uint64_t bytes, int fd);

/* --- shim_base.c --- */

/* From now on a forked child has base pages instead of those of a pool. */
void shim_base_begin(void);

/* What the kernel refused, by errno, to a part of a page of a pool: make the
 * pages at both ends of [at, at + bytes) base pages, with errno as it was.
 * True where there is reason to try again. */
bool shim_base_edges(const void *at, size_t bytes);

/* madvise(MADV_DONTNEED), of parts of such pages, too. */
int shim_base_discard(void *at, size_t bytes);

/* --- shim_report.c --- */

void shim_report_begin(void);

/* Before memory goes: look where this is the most there was.  `bytes`: of what
 * is recorded. */
void shim_report_before(uint64_t bytes);

/* Look now. */
void shim_report_now(void);

/* A mapping of the program's is of `choice`. */
void shim_report_map(const void *at, size_t bytes, int choice);

/* These addresses go, and are recorded no more.  Returns the choice that had
 * them; RULES_NONE: none. */
int shim_report_unmap(const void *at, size_t bytes);

/* So does all of the segment of shared memory that begins at this address. */
void shim_report_detach(const void *at);
