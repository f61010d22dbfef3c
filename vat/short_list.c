/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/short_list.h"

#include <string.h>

#include "vat/path.h"

void vat_short_list_init(struct short_list *list, const struct vat_tree *tree,
                         unsigned nodes, uint64_t *misses,
                         bool initial_segment) {
  *list = (struct short_list){.tree = *tree,
                              .misses = misses,
                              .initial_segment = initial_segment,
                              .limit = nodes};
}

static unsigned layer_of(uint64_t key) { return key & 15; }

/* Is `key` the node `ancestor` or below it? */
static bool is_below(const struct vat_tree *tree, uint64_t key,
                     uint64_t ancestor) {
  unsigned layer = layer_of(key), above = layer_of(ancestor);
  if (layer > above) return false;
  unsigned shift = tree->index_bits * (above - layer);
  return (shift < 64 ? key >> 4 >> shift : 0) == ancestor >> 4;
}

/* Of the least recent node and what is below it, the lowest. */
static unsigned victim(const struct short_list *list) {
  unsigned last = list->used - 1, lowest = last;
  for (unsigned i = 0; list->initial_segment && i < last; i++)
    if (is_below(&list->tree, list->keys[i], list->keys[last]) &&
        layer_of(list->keys[i]) < layer_of(list->keys[lowest]))
      lowest = i;
  return lowest;
}

static void to_front(struct short_list *list, unsigned at, uint64_t key) {
  memmove(&list->keys[1], &list->keys[0], at * sizeof *list->keys);
  list->keys[0] = key;
}

static void access_node(struct short_list *list, uint64_t key) {
  unsigned at = 0;
  while (at < list->used && list->keys[at] != key) at++;
  if (at == list->used) {
    list->misses[layer_of(key)]++;
    if (list->used == list->limit)
      at = victim(list);
    else
      list->used++;
  }
  to_front(list, at, key);
}

void vat_short_list_translate(struct short_list *list, const uint64_t *pages,
                              size_t count) {
  for (size_t i = 0; i < count; i++)
    for (unsigned layer = list->tree.levels + 1; layer-- > path_leaf(pages[i]);)
      access_node(list, vat_tree_key(&list->tree, path_page(pages[i]), layer));
}
