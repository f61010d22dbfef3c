/* SPDX-License-Identifier: BSD-2-Clause */
/* The curves of min and ismin for W > d, each a list by vat/optimal_stack.h
 * that has all nodes ever seen but those that cannot be evicted now.
 *
 * min: node access by node access, root first; only the node accessed last must
 * be in the TC.  It goes into the list when the next is accessed, whose place
 * there plus 1 is its position.  Every translation counts as a whole, and a
 * page twice in a row is not a page once (vat/min.c).  Three times is twice:
 * the first time leaves all of the path in the TC of W > d nodes, since no
 * access comes sooner than those of the second time, which then all hit and
 * leave all as it was.
 *
 * ismin: the d + 1 nodes of the path must be in the TC.  At the next path those
 * that are not on it go into the list, and those that it has in their place
 * leave it; their place plus d + 1 is the position that decides, since misses
 * are settled by the TC at the start of the translation.  As each node that
 * enters goes on to the first hole, it does not matter in what order they come:
 * the holes are met from the front, and a place keeps the soonest of all that
 * came by. */
#include <errno.h>
#include <stdlib.h>

#include "vat/curve_ops.h"
#include "vat/future.h"
#include "vat/optimal_stack.h"

struct optimal_curve {
  struct future future;
  struct optimal_stack stack;
  struct curve_counts *counts;
  uint64_t path[VAT_LAYERS_MAX]; /* ismin: the keys of the path */
  uint64_t last;                 /* min: that of the node accessed last */
};

static void *create(const struct vat_tree *tree,
                    const struct vat_tc_options *options,
                    struct curve_counts *counts, bool whole_paths) {
  struct optimal_curve *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->counts = counts;
  vat_optimal_stack_init(&c->stack);
  if (!vat_future_init(&c->future, tree, whole_paths, options)) return c;
  free(c);
  return NULL;
}

static void *create_min(const struct vat_tree *tree,
                        const struct vat_tc_options *options,
                        struct curve_counts *counts) {
  return create(tree, options, counts, true);
}

static void *create_ismin(const struct vat_tree *tree,
                          const struct vat_tc_options *options,
                          struct curve_counts *counts) {
  return create(tree, options, counts, false);
}

static void destroy(void *state) {
  struct optimal_curve *c = state;
  if (!c) return;
  vat_future_fini(&c->future);
  vat_optimal_stack_fini(&c->stack);
  free(c);
}

static int record(void *state, const uint64_t *pages, size_t count) {
  struct optimal_curve *c = state;
  return vat_future_add(&c->future, pages, count);
}

static uint64_t next_key(struct future_cursor *cursor) {
  uint64_t next = future_next_use(cursor);
  return next ? next : OPTIMAL_NEVER;
}

/* A node goes into the list, one that is due comes out and is counted; `pinned`
 * nodes are in front of the list. */
static void exchange(struct optimal_curve *c, uint64_t key, uint64_t due,
                     unsigned pinned) {
  uint64_t place = vat_optimal_stack_pass(&c->stack, key, due);
  if (place)
    curve_counts_add(c->counts, pinned + place);
  else
    c->counts->compulsory++;
}

static void translate_min(struct optimal_curve *c,
                          struct future_cursor *cursor) {
  for (unsigned layer = c->future.tree.levels + 1; layer-- > 0;) {
    if (cursor->event)
      exchange(c, c->last, cursor->event, 1);
    else
      c->counts->compulsory++;
    c->last = next_key(cursor);
  }
}

static void translate_ismin(struct optimal_curve *c,
                            struct future_cursor *cursor) {
  unsigned path = c->future.tree.levels + 1;
  if (cursor->translation)
    for (unsigned layer = 0; layer <= cursor->top; layer++)
      exchange(c, c->path[layer], cursor->event + cursor->top, path);
  else
    c->counts->compulsory += path;
  for (unsigned layer = cursor->top + 1; layer-- > 0;)
    c->path[layer] = next_key(cursor);
}

static int replay(struct optimal_curve *c,
                  void (*translate)(struct optimal_curve *c,
                                    struct future_cursor *cursor)) {
  unsigned path = c->future.tree.levels + 1;
  struct future_cursor cursor;
  if (vat_future_link(&c->future) ||
      vat_future_cursor_init(&cursor, &c->future))
    return -1;
  bool failed = false;
  while (!failed && vat_future_cursor_step(&cursor)) {
    failed = vat_optimal_stack_reserve(&c->stack, path) ||
             vat_curve_counts_reserve(
                 c->counts, c->stack.count + OPTIMAL_FRONT + 2 * path);
    if (!failed) translate(c, &cursor);
  }
  vat_future_cursor_fini(&cursor);
  if (cursor.error) errno = cursor.error;
  return failed || cursor.error ? -1 : 0;
}

static int finish_min(void *state) { return replay(state, translate_min); }

static int finish_ismin(void *state) { return replay(state, translate_ismin); }

const struct vat_curve_ops vat_curve_min = {.repeats_kept = 1,
                                            .create = create_min,
                                            .destroy = destroy,
                                            .translate = record,
                                            .finish = finish_min};
const struct vat_curve_ops vat_curve_ismin = {.create = create_ismin,
                                              .destroy = destroy,
                                              .translate = record,
                                              .finish = finish_ismin};
