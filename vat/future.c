/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/future.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vat/node_map.h"

/* Pages ahead (here: back) whose map entries are fetched. */
enum { AHEAD = 12 };

int vat_future_init(struct future *future, const struct vat_tree *tree,
                    bool whole_paths, const struct vat_tc_options *options) {
  *future = (struct future){.tree = *tree,
                            .whole_paths = whole_paths,
                            .budget = {.limit = options->memory_bytes,
                                       .on_spill = options->on_spill,
                                       .arg = options->arg},
                            .on_progress = options->on_progress};
  vat_spool_init(&future->pages, &future->budget);
  vat_spool_init(&future->next, &future->budget);
  future->tail = calloc(1, SPOOL_CHUNK);
  return future->tail ? 0 : -1;
}

void vat_future_fini(struct future *future) {
  vat_spool_fini(&future->pages);
  vat_spool_fini(&future->next);
  free(future->far);
  free(future->tail);
}

/* Record the page that is pending. */
static int record(struct future *future) {
  size_t at = future->page_count % FUTURE_PAGES;
  future->tail[at] = future->last_page;
  future->page_count++;
  if (at + 1 < FUTURE_PAGES) return 0;
  return vat_spool_put(&future->pages, future->page_count / FUTURE_PAGES - 1,
                       future->tail);
}

int vat_future_add(struct future *future, const uint64_t *pages, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t page = pages[i], last = future->last_page & ~FUTURE_REPEATED;
    if (!future->pending) {
      future->events = future->tree.levels + 1 - path_leaf(page);
      future->pending = true;
    } else if (page == last && !future->whole_paths) {
      future->last_page |= FUTURE_REPEATED;
      continue;
    } else {
      if (record(future)) return -1;
      future->events += future_top(future, last, page) + 1 - path_leaf(page);
    }
    future->last_page = page;
  }
  return 0;
}

/* `done` of the pages were linked, or with `replayed` replayed. */
static void tell_progress(const struct future *future, uint64_t done,
                          bool replayed) {
  if (!future->on_progress) return;
  double part = (double)done / (double)future->page_count;
  future->on_progress(future->budget.arg, (part + replayed) / 2);
}

/* The backward pass: events from the last to the first. */
struct linker {
  struct future *future;
  struct node_map last; /* node -> 1 + the event met last, the nearest ahead */
  uint64_t event;       /* events still to be linked */
  uint32_t *chunk;      /* distances of the chunk that `event` - 1 lies in */
  size_t far_room;
};

static int link_far(struct linker *linker, uint64_t event, uint64_t next) {
  struct future *future = linker->future;
  if (future->far_count == linker->far_room) {
    size_t room = linker->far_room ? 2 * linker->far_room : 64;
    struct future_far *far = reallocarray(future->far, room, sizeof *far);
    if (!far) return -1;
    future->far = far;
    linker->far_room = room;
  }
  future->far[future->far_count++] = (struct future_far){event, next};
  return 0;
}

static inline int link_event(struct linker *linker, uint64_t key) {
  uint64_t event = --linker->event;
  uint64_t *last = node_map_at(&linker->last, key);
  uint64_t distance = *last ? *last - 1 - event : 0;
  if (__builtin_expect(distance >= UINT32_MAX, 0)) {
    if (link_far(linker, event, event + distance)) return -1;
    distance = UINT32_MAX;
  }
  *last = event + 1;
  size_t at = event % FUTURE_EVENTS;
  linker->chunk[at] = (uint32_t)distance;
  if (at) return 0;
  return vat_spool_put(&linker->future->next, event / FUTURE_EVENTS,
                       linker->chunk);
}

static inline int link_page(struct linker *linker, uint64_t path,
                            unsigned top) {
  uint64_t page = path_page(path);
  if (vat_node_map_grow(&linker->last, VAT_LAYERS_MAX)) return -1;
  for (unsigned layer = path_leaf(path); layer <= top; layer++)
    if (link_event(linker, vat_tree_key(&linker->future->tree, page, layer)))
      return -1;
  return 0;
}

/* Link `count` pages of a chunk; `before` is the page in front of them. */
static int link_chunk(struct linker *linker, const uint64_t *pages,
                      size_t count, bool first, uint64_t before) {
  const struct future *future = linker->future;
  for (size_t i = count; i-- > 0;) {
    unsigned top = i || !first
                       ? future_top(future, i ? pages[i - 1] : before, pages[i])
                       : future->tree.levels;
    if (i >= AHEAD)
      node_map_prefetch(&linker->last,
                        vat_tree_key(&future->tree, path_page(pages[i - AHEAD]),
                                     path_leaf(pages[i - AHEAD])));
    if (link_page(linker, pages[i], top)) return -1;
  }
  return 0;
}

/* Two buffers: a chunk is linked while the one before it is at hand, too. */
static int link_all(struct linker *linker, uint64_t *buffers[2]) {
  struct future *future = linker->future;
  size_t chunks = (future->page_count + FUTURE_PAGES - 1) / FUTURE_PAGES;
  size_t count = future->page_count - (chunks - 1) * FUTURE_PAGES;
  const uint64_t *pages = vat_spool_get(&future->pages, chunks - 1, buffers[0]);
  for (size_t i = chunks; i-- > 0; count = FUTURE_PAGES) {
    const uint64_t *before = NULL;
    if (i && !(before = vat_spool_get(&future->pages, i - 1,
                                      buffers[(chunks - i) % 2])))
      return -1;
    if (!pages || link_chunk(linker, pages, count, !i,
                             before ? before[FUTURE_PAGES - 1] : 0))
      return -1;
    pages = before;
    tell_progress(future, future->page_count - i * FUTURE_PAGES, false);
  }
  return 0;
}

int vat_future_link(struct future *future) {
  if (!future->pending) return 0;
  if (record(future)) return -1;
  size_t rest = future->page_count % FUTURE_PAGES;
  if (rest && vat_spool_put(&future->pages, future->page_count / FUTURE_PAGES,
                            future->tail))
    return -1;
  struct linker linker = {.future = future, .event = future->events};
  uint64_t *buffers[2] = {malloc(SPOOL_CHUNK), malloc(SPOOL_CHUNK)};
  int failed = -1;
  linker.chunk = calloc(1, SPOOL_CHUNK);
  if (buffers[0] && buffers[1] && linker.chunk &&
      !vat_node_map_init(&linker.last))
    failed = link_all(&linker, buffers);
  int error = errno;
  vat_node_map_fini(&linker.last);
  free(linker.chunk);
  free(buffers[0]);
  free(buffers[1]);
  errno = error;
  return failed;
}

int vat_future_cursor_init(struct future_cursor *cursor,
                           struct future *future) {
  *cursor = (struct future_cursor){.future = future,
                                   .translation = UINT64_MAX,
                                   .far_left = future->far_count};
  cursor->page_buffer = malloc(SPOOL_CHUNK);
  cursor->next_buffer = calloc(1, SPOOL_CHUNK);
  if (cursor->page_buffer && cursor->next_buffer) return 0;
  vat_future_cursor_fini(cursor);
  return -1;
}

void vat_future_cursor_fini(struct future_cursor *cursor) {
  free(cursor->page_buffer);
  free(cursor->next_buffer);
  cursor->page_buffer = cursor->next_buffer = NULL;
}

/* The page of a translation that is the current one or follows it. */
static bool page_at(struct future_cursor *cursor, uint64_t translation,
                    uint64_t *page) {
  struct spool *pages = &cursor->future->pages;
  size_t at = translation % FUTURE_PAGES;
  if (!at) {
    cursor->pages =
        vat_spool_get(pages, translation / FUTURE_PAGES, cursor->page_buffer);
    if (!cursor->pages) {
      cursor->error = errno;
      return false;
    }
    tell_progress(cursor->future, translation, true);
  }
  *page = cursor->pages[at];
  return true;
}

bool vat_future_cursor_step(struct future_cursor *cursor) {
  struct future *future = cursor->future;
  if (cursor->translation == UINT64_MAX) {
    if (!future->page_count || !page_at(cursor, 0, &cursor->page)) return false;
    future->last_page = cursor->page; /* from here on: the page after */
    cursor->top = future->tree.levels;
  } else {
    cursor->top = cursor->next_top;
  }
  cursor->page = path_page(future->last_page);
  cursor->leaf = path_leaf(future->last_page);
  cursor->repeated = future->last_page & FUTURE_REPEATED;
  uint64_t following = ++cursor->translation + 1;
  if (cursor->error || cursor->translation >= future->page_count) return false;
  cursor->next_top = future->tree.levels;
  if (following == future->page_count) return true;
  if (!page_at(cursor, following, &future->last_page)) return false;
  cursor->next_top = future_top(future, cursor->page, future->last_page);
  return true;
}

void vat_future_cursor_refill(struct future_cursor *cursor) {
  struct spool *next = &cursor->future->next;
  const uint32_t *chunk =
      vat_spool_get(next, cursor->event / FUTURE_EVENTS, cursor->next_buffer);
  /* On an error the rest of the translation sees zeros; the step after stops.
   */
  if (!chunk) cursor->error = errno;
  cursor->next = chunk ? chunk : cursor->next_buffer;
}

uint64_t vat_future_cursor_far(struct future_cursor *cursor) {
  const struct future_far *far = &cursor->future->far[--cursor->far_left];
  cursor->event++;
  return far->next;
}
