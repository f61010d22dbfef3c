/* SPDX-License-Identifier: BSD-2-Clause */
/* ISMIN (Jurkiewicz, PhD thesis, Definition 2.12): among the nodes off the
 * current path that have no descendant in the TC, evict the one whose next use
 * is furthest ahead.  Least misses of all policies that keep the TC an initial
 * segment.  Needs W > d.
 *
 * Next uses are counted in translations; since an ancestor is used whenever a
 * descendant is, the furthest one has no descendant in the TC if ties go to
 * the lower layer - and that is what numbering events root first does.  So the
 * rule is MIN's but for the path, all of which stays: hits leave the set before
 * anything is evicted. */
#include "vat/curve_ops.h"
#include "vat/event_set.h"
#include "vat/foresight.h"

static void translate(struct foresight *f, struct future_cursor *cursor) {
  unsigned top = cursor->top, missing[VAT_LAYERS_MAX] = {0}, count = 0;
  if (cursor->translation)
    for (unsigned layer = f->leaf; layer <= top; layer++)
      foresight_enter(f, f->path[layer]);
  f->leaf = cursor->leaf;
  for (unsigned layer = top + 1; layer-- > cursor->leaf;) {
    uint64_t event = cursor->event;
    if (!foresight_hit(f, event)) missing[count++] = layer;
    f->path[layer] = future_next_use(cursor);
  }
  for (unsigned i = 0; i < count; i++) {
    f->misses[missing[i]]++;
    foresight_load(f);
  }
}

static uint64_t a_path(const struct vat_tree *tree) {
  return (uint64_t)tree->levels + 1;
}

static void *ismin_create(const struct vat_tree *tree, uint64_t nodes,
                          const struct vat_tc_options *options,
                          uint64_t *misses) {
  return vat_foresight_create(tree, nodes, options, misses, false);
}

static int ismin_finish(void *state) {
  return vat_foresight_replay(state, translate);
}

const struct vat_policy vat_policy_ismin = {
    .name = "ismin",
    .summary = "MIN that keeps ancestors: optimal among initial segments",
    .offline = true,
    .furthest = VAT_FURTHEST_ISMIN,
    .least_nodes = a_path,
    .repeats_free_from = a_path,
    .create = ismin_create,
    .destroy = vat_foresight_destroy,
    .translate = vat_foresight_record,
    .finish = ismin_finish,
    .observe = vat_foresight_observe,
    .curve = &vat_curve_ismin,
};
