/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/rrmin.h -- RRMIN (vat/rrmin.c) as a list of what each translation does to
 * its TC, for the policy itself and for LIS, which runs beside it.
 *
 * Nodes are named as by vat/belady.h.  Internal to vat/.
 */
#pragma once
#include "vat/belady.h"

enum rrmin_what {
  RRMIN_EVICT,  /* a node leaves its regular cell */
  RRMIN_LOAD,   /* a node is loaded into an empty regular cell */
  RRMIN_SETTLE, /* the node in the cell rr moves to an empty regular cell */
  RRMIN_ROTATE  /* a node is loaded into the cell rr, over what was there */
};

struct rrmin_change {
  enum rrmin_what what;
  uint64_t node;
};

struct rrmin_node {
  bool stored;             /* in a regular cell */
  uint64_t image, witness; /* phi of this node in MIN; whose phi it is */
  uint64_t child;          /* the stored one that was loaded last */
  uint64_t older, newer;   /* siblings of this one, by the time of loading */
};

struct rrmin {
  struct belady min;
  struct rrmin_node *nodes; /* by name; [0], always stored, is above the root */
  uint64_t room;
  uint64_t used;  /* regular cells in use */
  uint64_t pairs; /* of phi */
  uint64_t rr;    /* node in the cell rr; 0: none */
  struct rrmin_change changes[2 * VAT_LAYERS_MAX]; /* of this translation */
  unsigned change_count;
};

/* Beside a MIN of `nodes` cells; fill min.future by vat_future_add(). */
int vat_rrmin_init(struct rrmin *rrmin, const struct vat_tree *tree,
                   uint64_t nodes, const struct vat_tc_options *options);
void vat_rrmin_fini(struct rrmin *rrmin);

/*
 * Replay the recorded stream; after each translation `changed` is called with
 * `state` and returns 0, or -1 with errno to stop.  0, or -1 with errno.
 */
int vat_rrmin_replay(struct rrmin *rrmin, int (*changed)(void *state),
                     void *state);

/* The least W of rrmin and lis: a path. */
uint64_t vat_rrmin_least_nodes(const struct vat_tree *tree);
