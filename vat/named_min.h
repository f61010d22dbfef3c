/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/named_min.h -- MIN that can say which node it evicts.
 *
 * vat/min.c knows a node by its next access alone.  What runs beside MIN
 * (rrmin, lis) has to know the nodes themselves: here each has a name, a number
 * given when it is met first, and a heap orders those in the TC by their next
 * access. O(log W) an access; memory for the distinct nodes, and for the stream
 * as in vat/future.h.
 *
 * Among nodes never accessed again the one whose last translation is longest
 * ago goes first, and the lower one of the same translation.  So descendants
 * go before their ancestors (thesis, section 2.3.6), and the node just accessed
 * goes after those off the path: MIN stays in its regular phase for as long as
 * it can (Corollary 2.23).  Internal to vat/.
 */
#ifndef VAT_NAMED_MIN_H
#define VAT_NAMED_MIN_H
#include "vat/future.h"
#include "vat/node_map.h"

struct named_node {
  uint64_t parent; /* 0: it is the root */
  uint64_t rank;   /* in the TC: the larger, the sooner it is evicted */
  uint64_t place;  /* in the heap; 0: not in the TC */
  unsigned layer;
};

struct named_min {
  struct future future;
  struct future_cursor cursor;
  struct node_map names;
  struct named_node *nodes;      /* by name; [0] is nobody */
  uint64_t count;                /* names given: 1..count */
  uint64_t room, heap_room;      /* elements allocated */
  uint64_t *heap;                /* names in the TC: [1..used] */
  uint64_t used, limit;          /* nodes in the TC, and W > d */
  uint64_t path[VAT_LAYERS_MAX]; /* names on the current path */
};

/* What an access did: 0 for `evicted` is nobody. */
struct named_access {
  bool miss;
  uint64_t evicted;
};

/* 0, or -1 with ENOMEM. */
int vat_named_min_init(struct named_min *min, const struct vat_tree *tree,
                       uint64_t nodes, const struct vat_tc_options *options);
void vat_named_min_fini(struct named_min *min);

/* The stream, recorded with vat_future_add(), is over: be ready to replay it.
 * 0, or -1 with errno. */
int vat_named_min_start(struct named_min *min);

/* Go to the next translation and name its path: 1, 0 at the end, or -1 with
 * errno. */
int vat_named_min_step(struct named_min *min);

/* Access the path's node of `layer`: all of them, the root first. */
struct named_access vat_named_min_access(struct named_min *min, unsigned layer);

/* `array` of *room elements of `size` bytes, enlarged with zeros to hold
 * element `last`.  NULL with ENOMEM, and then it is as it was. */
void *vat_named_array_grow(void *array, uint64_t *room, uint64_t last,
                           size_t size);
#endif
