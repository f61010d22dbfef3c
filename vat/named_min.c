/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/named_min.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void *vat_named_array_grow(void *array, uint64_t *room, uint64_t last,
                           size_t size) {
  if (last < *room) return array;
  uint64_t more = 2 * last + 64;
  char *larger = reallocarray(array, more, size);
  if (!larger) return NULL;
  memset(larger + *room * size, 0, (more - *room) * size);
  *room = more;
  return larger;
}

int vat_named_min_init(struct named_min *min, const struct vat_tree *tree,
                       uint64_t nodes, const struct vat_tc_options *options) {
  *min = (struct named_min){.limit = nodes};
  if (vat_future_init(&min->future, tree, true, options)) return -1;
  if (!vat_node_map_init(&min->names)) return 0;
  vat_future_fini(&min->future);
  return -1;
}

void vat_named_min_fini(struct named_min *min) {
  vat_future_cursor_fini(&min->cursor);
  vat_future_fini(&min->future);
  vat_node_map_fini(&min->names);
  free(min->nodes);
  free(min->heap);
}

int vat_named_min_start(struct named_min *min) {
  if (vat_future_link(&min->future)) return -1;
  return vat_future_cursor_init(&min->cursor, &min->future);
}

static int make_room(struct named_min *min) {
  uint64_t last = min->count + VAT_LAYERS_MAX;
  void *nodes =
      vat_named_array_grow(min->nodes, &min->room, last, sizeof *min->nodes);
  if (!nodes) return -1;
  min->nodes = nodes;
  void *heap =
      vat_named_array_grow(min->heap, &min->heap_room, last, sizeof *min->heap);
  if (!heap) return -1;
  min->heap = heap;
  return vat_node_map_grow(&min->names, VAT_LAYERS_MAX);
}

int vat_named_min_step(struct named_min *min) {
  if (!vat_future_cursor_step(&min->cursor)) {
    errno = min->cursor.error;
    return min->cursor.error ? -1 : 0;
  }
  if (make_room(min)) return -1;
  const struct vat_tree *tree = &min->future.tree;
  uint64_t parent = 0;
  for (unsigned layer = tree->levels + 1; layer-- > 0;) {
    uint64_t key = vat_tree_key(tree, min->cursor.page, layer);
    uint64_t *name = node_map_at(&min->names, key);
    if (!*name) {
      *name = ++min->count;
      min->nodes[*name].parent = parent;
      min->nodes[*name].layer = layer;
    }
    parent = min->path[layer] = *name;
  }
  return 1;
}

/* The number of the next access to the node that is accessed now; if there is
 * none, a number beyond all accesses. */
static uint64_t next_rank(struct named_min *min, unsigned layer) {
  const struct future *future = &min->future;
  uint64_t next = future_next_use(&min->cursor);
  if (next) return next;
  uint64_t later = future->page_count - 1 - min->cursor.translation;
  unsigned levels = future->tree.levels;
  return future->events + later * (levels + 1) + (levels - layer);
}

static void put(struct named_min *min, uint64_t place, uint64_t name) {
  min->heap[place] = name;
  min->nodes[name].place = place;
}

/* Enter `name` at `place`, or above, where the larger ranks are. */
static void rise(struct named_min *min, uint64_t place, uint64_t name) {
  uint64_t rank = min->nodes[name].rank;
  for (; place > 1; place /= 2) {
    uint64_t above = min->heap[place / 2];
    if (min->nodes[above].rank >= rank) break;
    put(min, place, above);
  }
  put(min, place, name);
}

/* Enter `name` at the top, or below. */
static void sink(struct named_min *min, uint64_t name) {
  uint64_t rank = min->nodes[name].rank, place = 1;
  for (uint64_t below; (below = 2 * place) <= min->used; place = below) {
    if (below < min->used && min->nodes[min->heap[below + 1]].rank >
                                 min->nodes[min->heap[below]].rank)
      below++;
    if (min->nodes[min->heap[below]].rank <= rank) break;
    put(min, place, min->heap[below]);
  }
  put(min, place, name);
}

struct named_access vat_named_min_access(struct named_min *min,
                                         unsigned layer) {
  struct named_access access = {0};
  uint64_t name = min->path[layer];
  struct named_node *node = &min->nodes[name];
  node->rank = next_rank(min, layer);
  if (node->place) {
    /* It was ranked by this very access, before all others. */
    rise(min, node->place, name);
    return access;
  }
  access.miss = true;
  if (min->used < min->limit) {
    rise(min, ++min->used, name);
    return access;
  }
  access.evicted = min->heap[1];
  /* Lemma 2.19: never a node that this translation has yet to access. */
  assert(min->nodes[access.evicted].rank >= min->cursor.event + layer);
  min->nodes[access.evicted].place = 0;
  sink(min, name);
  return access;
}
