/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/future.h -- when each node of a stream is accessed next.
 *
 * The policies that know the future record the stream first and replay it
 * with that knowledge.  A run of translations over which a node stays on the
 * path is one event, its access at the start of the run: while the run lasts
 * the node cannot be evicted.  Events are numbered in the order of accesses,
 * root first within a translation.  That is exact where the policy never evicts
 * a node of the next translation's path; where it may (`whole_paths`), every
 * translation has an event for each node of its path and no run is longer than
 * one.
 *
 * A page translated several times in a row is recorded once, with a mark: the
 * repeats cost nothing, but as long as they last the path stays, which a policy
 * that may evict from the path it is just loading (min) has to know.
 * Internal to vat/.
 */
#pragma once
#include <stdbool.h>

#include "vat/path.h"
#include "vat/policy.h"
#include "vat/spool.h"

enum {
  FUTURE_PAGES = SPOOL_CHUNK / sizeof(uint64_t),
  FUTURE_EVENTS = SPOOL_CHUNK / sizeof(uint32_t),
};

struct future_far { /* a next access more than 2^32 - 2 events away */
  uint64_t event, next;
};

struct future {
  struct vat_tree tree;
  bool whole_paths;
  struct spool_budget budget;
  struct spool pages; /* as paths */
  struct spool next;  /* per event the distance to the next; 0: none */
  uint64_t page_count, events;
  uint64_t last_page; /* still to be recorded, as it may be repeated */
  bool pending;
  struct future_far *far;
  size_t far_count;
  uint64_t *tail;                              /* chunk being filled */
  void (*on_progress)(void *arg, double done); /* as in vat/tc.h */
};

/* Mark of a page that was repeated; paths have 63 bits. */
#define FUTURE_REPEATED (UINT64_C(1) << 63)

int vat_future_init(struct future *future, const struct vat_tree *tree,
                    bool whole_paths, const struct vat_tc_options *options);
void vat_future_fini(struct future *future);

int vat_future_add(struct future *future, const uint64_t *pages, size_t count);

/* The stream is over: find every event's next.  0, or -1 with errno. */
int vat_future_link(struct future *future);

/* The highest layer whose node differs between two pages in a row. */
static inline unsigned future_top(const struct future *future, uint64_t before,
                                  uint64_t page) {
  if (future->whole_paths) return future->tree.levels;
  return (63 - (unsigned)__builtin_clzll(path_page(before ^ page))) /
         future->tree.index_bits;
}

/* Replaying: one translation at a time. */
struct future_cursor {
  struct future *future;
  uint64_t translation; /* of the current one, from 0 */
  unsigned leaf;        /* the layer of its leaf */
  unsigned top;         /* layers leaf..top were entered by it: its events */
  unsigned next_top;    /* layers leaf..next_top are left after it */
  bool repeated;        /* before that, the page was translated again */
  uint64_t event;       /* number of the next event to be read */
  uint64_t page;
  const uint64_t *pages;
  const uint32_t *next;
  size_t far_left;
  void *page_buffer, *next_buffer;
  int error; /* errno of a chunk that could not be read */
};

int vat_future_cursor_init(struct future_cursor *cursor, struct future *future);
void vat_future_cursor_fini(struct future_cursor *cursor);

/* Go to the next translation; false at the end, or with cursor->error. */
bool vat_future_cursor_step(struct future_cursor *cursor);

/* Slow paths of future_next_use(). */
void vat_future_cursor_refill(struct future_cursor *cursor);
uint64_t vat_future_cursor_far(struct future_cursor *cursor);

/* The next event of the same node as the next event, which is consumed; 0 when
 * there is none (no next event is number 0). */
static inline uint64_t future_next_use(struct future_cursor *cursor) {
  size_t at = cursor->event % FUTURE_EVENTS;
  if (__builtin_expect(!at, 0)) vat_future_cursor_refill(cursor);
  uint32_t distance = cursor->next[at];
  if (__builtin_expect(distance == UINT32_MAX, 0))
    return vat_future_cursor_far(cursor);
  uint64_t event = cursor->event++;
  return distance ? event + distance : 0;
}
