/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/memory/alloc.h -- where algorithms that allocate get their nodes.
 *
 * "arena": jemalloc in the region of the page kind that is measured, behind
 * the workspace.  "workspace": one node behind the other, as address streams
 * have them.  "jemalloc", "glibc": as ordinary programs have them, wherever
 * the system puts them; then base pages are all there is to ask for, and what
 * was granted is read back for the very pages that the nodes lie on.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "huge_pages/region.h"

struct alloc;

struct alloc_way {
  const char *name;
  bool ordinary; /* nodes lie outside the region */
  /* Why it cannot be had in this build, and the fix; NULL: it can. */
  const char *(*missing)(void);
  /* `room` is what the region has behind the workspace; NULL for what is
   * ordinary.  -1 with errno. */
  int (*open)(struct alloc *alloc, const struct hp_region *room);
  void *(*allocate)(struct alloc *alloc, size_t bytes);
  void (*release)(struct alloc *alloc, void *node);
  void (*close)(struct alloc *alloc); /* frees all nodes */
};

/* In the order of defaults, ended by zeros. */
extern const struct alloc_way alloc_ways[];

const struct alloc_way *alloc_find(const char *name); /* NULL: none */

/* Bytes of region that `algo` at n takes when nodes come this way (NULL: it
 * allocates none), on data from outside where `given` is not NULL; 0:
 * overflow. */
size_t alloc_region_bytes(const struct alloc_way *way, const struct algo *algo,
                          uint64_t n, const struct algo_data *given);

/* Numbers in memory of their own: where the nodes go there is nothing else. */
struct word_list {
  uintptr_t *at;
  size_t count, capacity;
};

void word_list_fini(struct word_list *list); /* zeroed is fine */

/* Note in `pages`, as start, end, start, end, ..., where `bytes` (> 0) at
 * `node` lie that an ordinary allocator has put somewhere.  -1 with ENOMEM. */
int node_pages_add(struct word_list *pages, const void *node, size_t bytes);

/* Add to `granted` what backs them; each must have been written to.  -1 with
 * errno as hp_pages_verify(). */
int node_pages_verify(struct word_list *pages, struct hp_granted *granted);

/* The nodes of one run. */
struct alloc {
  const struct alloc_way *way;     /* NULL: nothing is open */
  struct algo_allocator allocator; /* for algo_run.allocator */
  bool ran_out;                    /* once there was no memory for a node */
  int thp_disabled;                /* of the process, before */
  struct hp_arena *arena;
  size_t arena_start;                   /* in the region */
  struct word_list pages;               /* of nodes */
  struct word_list allocated, released; /* addresses, by glibc */
};

/*
 * Begin to allocate for `run`, whose workspace begins `region`: sets its
 * allocator, which may be called inside interruptible().  Where `way` is NULL
 * or the workspace there is none.  Returns 0, or -1 with errno ENOMEM and
 * nothing open.
 */
int alloc_open(struct alloc *alloc, const struct alloc_way *way,
               const struct hp_region *region, struct algo_run *run);

/* What backs the workspace and all nodes.  -1 with errno as
 * hp_region_verify(). */
int alloc_verify(struct alloc *alloc, const struct hp_region *region,
                 const struct algo_run *run, struct hp_granted *granted);

void alloc_close(struct alloc *alloc); /* frees all nodes; zeroed is fine */
