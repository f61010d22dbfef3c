/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/belady.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void *vat_belady_array_grow(void *array, uint64_t *room, uint64_t last,
                            size_t size) {
  if (last < *room) return array;
  uint64_t more = 2 * last + 64;
  char *larger = reallocarray(array, more, size);
  if (!larger) return NULL;
  memset(larger + *room * size, 0, (more - *room) * size);
  *room = more;
  return larger;
}

int vat_belady_init(struct belady *min, const struct vat_tree *tree,
                    uint64_t nodes, const struct vat_tc_options *options) {
  *min = (struct belady){.limit = nodes};
  if (vat_future_init(&min->future, tree, true, options)) return -1;
  if (!vat_node_map_init(&min->ids)) return 0;
  vat_future_fini(&min->future);
  return -1;
}

void vat_belady_fini(struct belady *min) {
  vat_future_cursor_fini(&min->cursor);
  vat_future_fini(&min->future);
  vat_node_map_fini(&min->ids);
  free(min->nodes);
  free(min->heap);
}

int vat_belady_start(struct belady *min) {
  if (vat_future_link(&min->future)) return -1;
  return vat_future_cursor_init(&min->cursor, &min->future);
}

static int make_room(struct belady *min) {
  uint64_t last = min->count + VAT_LAYERS_MAX;
  void *nodes =
      vat_belady_array_grow(min->nodes, &min->room, last, sizeof *min->nodes);
  if (!nodes) return -1;
  min->nodes = nodes;
  void *heap = vat_belady_array_grow(min->heap, &min->heap_room, last,
                                     sizeof *min->heap);
  if (!heap) return -1;
  min->heap = heap;
  return vat_node_map_grow(&min->ids, VAT_LAYERS_MAX);
}

int vat_belady_step(struct belady *min) {
  if (!vat_future_cursor_step(&min->cursor)) {
    errno = min->cursor.error;
    return min->cursor.error ? -1 : 0;
  }
  if (make_room(min)) return -1;
  const struct vat_tree *tree = &min->future.tree;
  uint64_t parent = 0;
  for (unsigned layer = tree->levels + 1; layer-- > min->cursor.leaf;) {
    uint64_t key = vat_tree_key(tree, min->cursor.page, layer);
    uint64_t *id = node_map_at(&min->ids, key);
    if (!*id) {
      *id = ++min->count;
      min->nodes[*id].parent = parent;
      min->nodes[*id].layer = layer;
    }
    parent = min->path[layer] = *id;
  }
  return 1;
}

/* The number of the next access to the node that is accessed now; if there is
 * none, a number beyond all accesses. */
static uint64_t next_rank(struct belady *min, unsigned layer) {
  const struct future *future = &min->future;
  uint64_t next = future_next_use(&min->cursor);
  if (next) return next;
  uint64_t later = future->page_count - 1 - min->cursor.translation;
  unsigned levels = future->tree.levels;
  return future->events + later * (levels + 1) + (levels - layer);
}

static void put(struct belady *min, uint64_t slot, uint64_t id) {
  min->heap[slot] = id;
  min->nodes[id].slot = slot;
}

/* Sift `id` up from `slot`: larger ranks are above. */
static void sift_up(struct belady *min, uint64_t slot, uint64_t id) {
  uint64_t rank = min->nodes[id].rank;
  for (; slot > 1; slot /= 2) {
    uint64_t above = min->heap[slot / 2];
    if (min->nodes[above].rank >= rank) break;
    put(min, slot, above);
  }
  put(min, slot, id);
}

/* Sift `id` down from the top. */
static void sift_down(struct belady *min, uint64_t id) {
  uint64_t rank = min->nodes[id].rank, slot = 1;
  for (uint64_t below; (below = 2 * slot) <= min->used; slot = below) {
    if (below < min->used && min->nodes[min->heap[below + 1]].rank >
                                 min->nodes[min->heap[below]].rank)
      below++;
    if (min->nodes[min->heap[below]].rank <= rank) break;
    put(min, slot, min->heap[below]);
  }
  put(min, slot, id);
}

struct belady_access vat_belady_access(struct belady *min, unsigned layer) {
  struct belady_access access = {0};
  uint64_t id = min->path[layer];
  struct belady_node *node = &min->nodes[id];
  node->rank = next_rank(min, layer);
  if (node->slot) {
    /* It was ranked by this very access, before all others. */
    sift_up(min, node->slot, id);
    return access;
  }
  access.miss = true;
  if (min->used < min->limit) {
    sift_up(min, ++min->used, id);
    return access;
  }
  access.evicted = min->heap[1];
  /* Lemma 2.19: never a node that this translation has yet to access. */
  assert(min->nodes[access.evicted].rank >=
         min->cursor.event + layer - min->cursor.leaf);
  min->nodes[access.evicted].slot = 0;
  sift_down(min, id);
  return access;
}
