/* SPDX-License-Identifier: BSD-2-Clause */
/* Lanes stand in a list by their last access and in a hash by their page; no
 * two are at one page, since who is at a page takes what comes there.  Each
 * access is settled once, and a look-up tries 2 step + 1 pages: O(step) an
 * access. */
#include "vat/cat_lanes.h"

#include <stdlib.h>

#include "vat/node_set.h"

enum { RING_LEAST = 64 };

int vat_cat_lanes_init(struct cat_lanes *l) {
  /* Of the last gap + 1 accesses, and one more. */
  size_t most = l->gap + 3;
  unsigned lg = 1;
  while ((size_t)1 << lg < 2 * most) lg++;
  l->shift = 64 - lg;
  l->ring_size = RING_LEAST;
  l->lanes = calloc(most, sizeof *l->lanes);
  l->chains = calloc((size_t)1 << lg, sizeof *l->chains);
  l->ring = calloc(l->ring_size, sizeof *l->ring);
  return l->lanes && l->chains && l->ring ? 0 : -1;
}

void vat_cat_lanes_fini(struct cat_lanes *l) {
  free(l->lanes);
  free(l->chains);
  free(l->ring);
  *l = (struct cat_lanes){0};
}

static uint32_t *chain_of(const struct cat_lanes *l, uint64_t page) {
  return &l->chains[node_hash(page) >> l->shift];
}

static uint32_t lane_at(const struct cat_lanes *l, uint64_t page) {
  uint32_t lane = *chain_of(l, page);
  while (lane && l->lanes[lane].page != page) lane = l->lanes[lane].next;
  return lane;
}

static void enter_page(struct cat_lanes *l, uint32_t lane, uint64_t page) {
  uint32_t *chain = chain_of(l, page);
  l->lanes[lane].page = page;
  l->lanes[lane].next = *chain;
  *chain = lane;
}

static void leave_page(struct cat_lanes *l, uint32_t lane) {
  uint32_t *link = chain_of(l, l->lanes[lane].page);
  while (*link != lane) link = &l->lanes[*link].next;
  *link = l->lanes[lane].next;
}

static void list_push(struct cat_lanes *l, uint32_t lane) {
  uint32_t newest = l->lanes[0].older;
  l->lanes[lane].older = newest;
  l->lanes[lane].newer = 0;
  l->lanes[newest].newer = l->lanes[0].older = lane;
}

static void list_remove(struct cat_lanes *l, uint32_t lane) {
  uint32_t newer = l->lanes[lane].newer, older = l->lanes[lane].older;
  l->lanes[newer].older = older;
  l->lanes[older].newer = newer;
}

/* What all open accesses of a lane are. */
static void settle(struct cat_lanes *l, struct cat_lane *lane,
                   enum cat_state state) {
  if (!lane->is_open) return;
  uint64_t number = lane->open, before;
  for (;; number = before) {
    struct cat_access *access = &l->ring[number & (l->ring_size - 1)];
    before = access->before;
    access->state = (uint8_t)state;
    if (before == number) break;
  }
  lane->is_open = false;
}

static void end_oldest(struct cat_lanes *l) {
  uint32_t lane = l->lanes[0].newer;
  settle(l, &l->lanes[lane], CAT_NO);
  leave_page(l, lane);
  list_remove(l, lane);
  l->lanes[lane].next = l->spare;
  l->spare = lane;
}

static uint32_t begin_lane(struct cat_lanes *l, uint64_t page) {
  uint32_t lane = l->spare;
  if (lane)
    l->spare = l->lanes[lane].next;
  else
    lane = ++l->used;
  l->lanes[lane] = (struct cat_lane){.pages = 1};
  enter_page(l, lane, page);
  list_push(l, lane);
  return lane;
}

/* The lane `from` which `to` is `step` pages on, or 0. */
static uint32_t may_step(const struct cat_lanes *l, uint64_t from, uint64_t to,
                         uint64_t step) {
  uint32_t lane = lane_at(l, from);
  const struct cat_lane *found = &l->lanes[lane];
  int away = to > from ? -1 : 1;
  if (!lane || found->direction == away) return 0;
  return found->count >= l->tau * (found->pages + step - 1) ? lane : 0;
}

/* The lane of the access to a page where no lane is. */
static uint32_t lane_to(struct cat_lanes *l, uint64_t page) {
  for (uint64_t step = 1; step <= l->step; step++) {
    uint32_t up = page < step ? 0 : may_step(l, page - step, page, step);
    uint32_t down = may_step(l, page + step, page, step);
    uint32_t lane = up;
    if (!up || (down && l->lanes[down].last > l->lanes[up].last)) lane = down;
    if (!lane) continue;
    leave_page(l, lane);
    enter_page(l, lane, page);
    l->lanes[lane].direction = lane == up ? 1 : -1;
    l->lanes[lane].pages += step;
    return lane;
  }
  return begin_lane(l, page);
}

static int grow(struct cat_lanes *l) {
  size_t size = 2 * l->ring_size;
  struct cat_access *ring = malloc(size * sizeof *ring);
  if (!ring) return -1;
  for (uint64_t i = l->begin; i < l->end; i++)
    ring[i & (size - 1)] = l->ring[i & (l->ring_size - 1)];
  free(l->ring);
  l->ring = ring;
  l->ring_size = size;
  return 0;
}

static uint32_t find_lane(struct cat_lanes *l, uint64_t page) {
  uint32_t lane = l->current;
  if (!lane || l->lanes[lane].page != page) lane = lane_at(l, page);
  return lane ? lane : lane_to(l, page);
}

int vat_cat_lanes_access(struct cat_lanes *l, uint64_t page, unsigned misses,
                         bool far) {
  if (l->end - l->begin == l->ring_size && grow(l)) return -1;
  uint64_t now = l->end++;
  uint32_t oldest = l->lanes[0].newer;
  if (oldest && now - l->lanes[oldest].last > l->gap + 1) end_oldest(l);
  uint32_t found = find_lane(l, page);
  struct cat_lane *lane = &l->lanes[found];
  struct cat_access *access = &l->ring[now & (l->ring_size - 1)];
  *access = (struct cat_access){.before = lane->is_open ? lane->open : now,
                                .misses = (uint8_t)misses,
                                .far = far};
  if (l->lanes[0].older != found) {
    list_remove(l, found);
    list_push(l, found);
  }
  l->current = found;
  lane->last = lane->open = now;
  lane->is_open = true;
  lane->count++;
  if (lane->count < l->length || lane->count < l->tau * lane->pages) return 0;
  l->sequences += !lane->is_cat;
  lane->is_cat = true;
  settle(l, lane, CAT_YES);
  return 0;
}

void vat_cat_lanes_end(struct cat_lanes *l) {
  while (l->lanes[0].newer) end_oldest(l);
}
