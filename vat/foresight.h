/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/foresight.h -- what the policies that know the future, min and ismin,
 * share: a recorded stream and the TC as a set of next events.
 * Internal to vat/.
 */
#pragma once
#include "vat/event_set.h"
#include "vat/future.h"

struct foresight {
  struct future future;
  struct event_set set; /* next events of nodes in the TC that may be evicted */
  /* One more of these, the furthest of some entered last, or 0: where pages are
   * used once in a while, the next to go is mostly the one that came last, and
   * so it never has to be in the set. */
  uint64_t pending;
  uint64_t furthest;    /* of the set, or 0: not known */
  uint64_t dead;        /* nodes in the TC that are never accessed again */
  uint64_t used, limit; /* nodes in the TC, and W */
  uint64_t *misses;
  struct vat_observer observer;
  uint64_t path[VAT_LAYERS_MAX]; /* next event of the path's node, 0: none */
  unsigned leaf;                 /* the lowest layer of that path */
};

struct foresight *vat_foresight_create(const struct vat_tree *tree,
                                       uint64_t nodes,
                                       const struct vat_tc_options *options,
                                       uint64_t *misses, bool whole_paths);
void vat_foresight_destroy(void *state);
int vat_foresight_record(void *state, const uint64_t *pages, size_t count);

void vat_foresight_observe(void *state, const struct vat_observer *observer);

/* Link the stream and replay it through `translate`.  0, or -1 with errno. */
int vat_foresight_replay(struct foresight *f,
                         void (*translate)(struct foresight *f,
                                           struct future_cursor *cursor));

/* Is the node of this event in the TC?  Then it is on the path from now on. */
static inline bool foresight_hit(struct foresight *f, uint64_t event) {
  if (event == f->pending && event) {
    f->pending = 0;
    return true;
  }
  if (!event_set_has(&f->set, event)) return false;
  event_set_remove(&f->set, event);
  if (event == f->furthest) f->furthest = 0;
  return true;
}

/* A node of the path may be evicted from now on. */
static inline void foresight_enter(struct foresight *f, uint64_t next) {
  uint64_t nearer = next < f->pending ? next : f->pending;
  if (!next) {
    f->dead++;
    return;
  }
  f->pending ^= next ^ nearer;
  if (!nearer) return;
  event_set_add(&f->set, nearer);
  if (f->furthest && nearer > f->furthest) f->furthest = nearer;
}

/* Make room for a node, if need be by evicting the furthest. */
static inline void foresight_load(struct foresight *f) {
  if (f->used < f->limit) {
    f->used++;
  } else if (f->dead) {
    f->dead--;
  } else {
    if (!f->furthest && !event_set_empty(&f->set))
      f->furthest = event_set_max(&f->set);
    if (f->pending > f->furthest) {
      f->pending = 0;
    } else {
      event_set_remove(&f->set, f->furthest);
      f->furthest = 0;
    }
  }
}
