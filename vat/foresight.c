/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/foresight.h"

#include <errno.h>
#include <stdlib.h>

struct foresight *vat_foresight_create(const struct vat_tree *tree,
                                       uint64_t nodes,
                                       const struct vat_tc_options *options,
                                       uint64_t *misses, bool whole_paths) {
  struct foresight *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->limit = nodes;
  f->misses = misses;
  if (!vat_future_init(&f->future, tree, whole_paths, options)) return f;
  free(f);
  return NULL;
}

void vat_foresight_destroy(void *state) {
  struct foresight *f = state;
  if (!f) return;
  vat_future_fini(&f->future);
  vat_event_set_fini(&f->set);
  free(f);
}

int vat_foresight_record(void *state, const uint64_t *pages, size_t count) {
  struct foresight *f = state;
  return vat_future_add(&f->future, pages, count);
}

void vat_foresight_observe(void *state, const struct vat_observer *observer) {
  struct foresight *f = state;
  f->observer = *observer;
}

int vat_foresight_replay(struct foresight *f,
                         void (*translate)(struct foresight *f,
                                           struct future_cursor *cursor)) {
  struct future_cursor cursor;
  if (vat_future_link(&f->future) ||
      vat_event_set_init(&f->set, f->future.events) ||
      vat_future_cursor_init(&cursor, &f->future))
    return -1;
  const struct vat_observer *observer = &f->observer;
  while (vat_future_cursor_step(&cursor)) {
    translate(f, &cursor);
    if (observer->translated &&
        observer->translated(observer->context, cursor.repeated)) {
      cursor.error = errno;
      break;
    }
  }
  vat_future_cursor_fini(&cursor);
  errno = cursor.error;
  return cursor.error ? -1 : 0;
}
