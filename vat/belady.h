/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/belady.h -- Belady's MIN that reports which node it evicts.
 *
 * vat/min.c knows a node by its next access alone.  The policies that run
 * beside MIN (rrmin, lis) need the nodes themselves: here each node has an id,
 * a number given at its first access, and a heap orders the ids in the TC by
 * next access. O(log W) an access; memory for the distinct nodes, and for the
 * stream as in vat/future.h.
 *
 * Of nodes never accessed again, MIN evicts the one whose last translation is
 * longest ago, and of one translation the lower one.  So descendants are
 * evicted before their ancestors (thesis, section 2.3.6), and the node just
 * accessed after those off the path: MIN stays in its regular phase for as long
 * as it can (Corollary 2.23).  Internal to vat/.
 */
#pragma once
#include "vat/future.h"
#include "vat/node_map.h"

struct belady_node {
  uint64_t parent; /* 0: it is the root */
  uint64_t rank;   /* in the TC: the larger, the sooner it is evicted */
  uint64_t slot;   /* in the heap; 0: not in the TC */
  unsigned layer;
};

struct belady {
  struct future future;
  struct future_cursor cursor;
  struct node_map ids;
  struct belady_node *nodes;     /* by id; [0] is none */
  uint64_t count;                /* ids given: 1..count */
  uint64_t room, heap_room;      /* elements allocated */
  uint64_t *heap;                /* ids in the TC: [1..used] */
  uint64_t used, limit;          /* nodes in the TC, and W > d */
  uint64_t path[VAT_LAYERS_MAX]; /* ids on the current path */
};

/* What an access did: `evicted` is 0 where none was. */
struct belady_access {
  bool miss;
  uint64_t evicted;
};

/* 0, or -1 with ENOMEM. */
int vat_belady_init(struct belady *min, const struct vat_tree *tree,
                    uint64_t nodes, const struct vat_tc_options *options);
void vat_belady_fini(struct belady *min);

/* The stream, recorded with vat_future_add(), is over: be ready to replay it.
 * 0, or -1 with errno. */
int vat_belady_start(struct belady *min);

/* Go to the next translation and find the ids of its path: 1, 0 at the end, or
 * -1 with errno. */
int vat_belady_step(struct belady *min);

/* Access the path's node of `layer`: all of them, the root first. */
struct belady_access vat_belady_access(struct belady *min, unsigned layer);

/* `array` of *room elements of `size` bytes, enlarged with zeros to hold
 * element `last`.  NULL with ENOMEM, and then it is as it was. */
void *vat_belady_array_grow(void *array, uint64_t *room, uint64_t last,
                            size_t size);
