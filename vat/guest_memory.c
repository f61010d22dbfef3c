/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/guest_memory.h"

#include <errno.h>

int vat_guest_memory_init(struct guest_memory *memory,
                          const struct vat_tree *tree, uint64_t bytes,
                          uint64_t seed) {
  *memory = (struct guest_memory){.tree = *tree};
  vat_permutation_init(&memory->order, bytes >> tree->page_bits, seed);
  return vat_node_map_init(&memory->frames);
}

void vat_guest_memory_fini(struct guest_memory *memory) {
  vat_node_map_fini(&memory->frames);
}

static int provide(struct guest_memory *memory, uint64_t page, unsigned layer) {
  uint64_t key = guest_memory_key(memory, page, layer);
  uint64_t *frame = node_map_at(&memory->frames, key);
  if (*frame) return 0;
  if (memory->used == memory->order.size) {
    errno = ENOBUFS;
    return -1;
  }
  *frame = 1 + vat_permutation_at(&memory->order, memory->used++);
  return 0;
}

int vat_guest_memory_provide(struct guest_memory *memory, uint64_t page) {
  if (vat_node_map_grow(&memory->frames, GUEST_PAGES_MAX)) return -1;
  /* A page of data has its frame after its tables have theirs. */
  if (*node_map_at(&memory->frames, guest_memory_key(memory, page, GUEST_DATA)))
    return 0;
  for (unsigned layer = memory->tree.levels + 1; layer-- > 0;)
    if (provide(memory, page, layer)) return -1;
  return provide(memory, page, GUEST_DATA);
}
