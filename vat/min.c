/* SPDX-License-Identifier: BSD-2-Clause */
/* MIN over single node accesses, root first (Belady; Jurkiewicz, PhD thesis,
 * section 2.3): evict the node whose next access is furthest ahead, lower
 * layers first among those never accessed again.  Least misses of all policies
 * that load a node when it is accessed.
 *
 * A node in the TC is known by the number of its next event (event_set.h).
 * Nodes that have none are only counted: they go first, and which of them goes
 * first changes no count.  A node on this path and the next one is pinned
 * rather than entered.  That is exact for W > d: if a node of the path is
 * missing and the TC is full, a node off the path is in it.  That one is
 * accessed after the pinned nodes, with which the next translation begins.
 * Below that, every translation counts as a whole.
 *
 * Unlike the other policies this one sees a difference between a page
 * translated once and twice in a row: if once, the path's upper nodes may be
 * evicted for its lower ones (K = 2, d = 2, W = 3: pages 0,0,2,2,0 cost 7,
 * 0,2,0 cost 6). */
#include <errno.h>
#include <stdlib.h>

#include "vat/curve_ops.h"
#include "vat/event_set.h"
#include "vat/foresight.h"

static inline void leave(struct foresight *f, unsigned layer) {
  foresight_enter(f, f->path[layer]);
}

static void translate(struct foresight *f, struct future_cursor *cursor) {
  unsigned top = cursor->top, next_top = cursor->next_top;
  bool once = !cursor->repeated;
  /* Root first: layers that were entered before and are left now ... */
  for (unsigned layer = next_top; layer > top; layer--)
    if (once) leave(f, layer);
  /* ... then those that are entered now. */
  for (unsigned layer = top + 1; layer-- > cursor->leaf;) {
    uint64_t event = cursor->event;
    if (!foresight_hit(f, event)) {
      f->misses[layer]++;
      foresight_load(f);
    }
    f->path[layer] = future_next_use(cursor);
    if (once && layer <= next_top) leave(f, layer);
  }
  for (unsigned layer = cursor->leaf; !once && layer <= next_top; layer++)
    leave(f, layer);
}

static uint64_t runs_from(const struct vat_tree *tree) {
  return (uint64_t)tree->levels + 1;
}

static void *min_create(const struct vat_tree *tree, uint64_t nodes,
                        const struct vat_tc_options *options,
                        uint64_t *misses) {
  return vat_foresight_create(tree, nodes, options, misses,
                              nodes < runs_from(tree));
}

static int min_finish(void *state) {
  return vat_foresight_replay(state, translate);
}

const struct vat_policy vat_policy_min = {
    .name = "min",
    .summary = "Belady: evict the node whose next access is furthest ahead",
    .offline = true,
    .furthest = VAT_FURTHEST_MIN,
    .collapse_from = runs_from,
    .create = min_create,
    .destroy = vat_foresight_destroy,
    .translate = vat_foresight_record,
    .finish = min_finish,
    .observe = vat_foresight_observe,
    .curve = &vat_curve_min,
};
