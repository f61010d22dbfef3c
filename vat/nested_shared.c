/* SPDX-License-Identifier: BSD-2-Clause */
/* Nested translation with one TC for the nodes of both trees.
 *
 * lru evicts the node u whose last access is furthest back, islru the lowest
 * node in the TC that is u or a descendant of u in u's tree (Jurkiewicz, PhD
 * thesis, Definition 2.9).  A walk that accesses a descendant has accessed u
 * before, so when u is the least recent node, the descendants that are in the
 * TC were last accessed by the last walk that accessed u: they are on its path,
 * which a node therefore remembers by its page.  That asks nothing of W, and
 * costs O(d) look-ups an eviction; the first mostly succeeds. */
#include <errno.h>
#include <stdlib.h>

#include "vat/nested_key.h"
#include "vat/nested_mode.h"
#include "vat/node_set.h"
#include "vat/policy.h"

struct shared {
  struct node_set set;
  uint64_t *pages;    /* by slot: the page of the last walk over its node */
  uint32_t page_room; /* slots that `pages` has room for */
  bool initial_segment;
  unsigned index_bits[NESTED_TREES];
  uint64_t *misses[NESTED_TREES];
  /* Where each access of a translation found its node last time: the slot of
   * the guest's node on a layer, and those of the host walk that comes before
   * it ([layer + 1]) or is for the data ([0]).  Often it still does. */
  uint32_t guest_slot[VAT_LAYERS_MAX];
  uint32_t host_slot[NESTED_WALKS_MAX][VAT_LAYERS_MAX];
};

static uint32_t find_victim(const struct shared *s, uint32_t oldest) {
  uint64_t ancestor = s->set.slots[oldest].key;
  unsigned tree = nested_key_tree(ancestor);
  for (unsigned layer = 0; layer < nested_key_layer(ancestor); layer++) {
    uint64_t key =
        nested_key(tree, s->index_bits[tree], s->pages[oldest], layer);
    uint32_t slot = node_set_find(&s->set, key, node_hash(key));
    if (slot) return slot;
  }
  return oldest;
}

/* Make the victim the last of the list, so that it goes next. */
static inline void choose_victim(struct shared *s) {
  struct node_slot *slots = s->set.slots;
  uint32_t oldest = slots[0].newer, victim = find_victim(s, oldest);
  if (victim == oldest) return;
  node_set_unlink(&s->set, victim);
  slots[victim].older = 0;
  slots[victim].newer = oldest;
  slots[oldest].older = victim;
  slots[0].newer = victim;
}

static uint32_t load(struct shared *s, uint64_t key, uint64_t hash) {
  if (s->initial_segment && s->set.used == s->set.limit) choose_victim(s);
  s->misses[nested_key_tree(key)][nested_key_layer(key)]++;
  return node_set_load(&s->set, key, hash);
}

/* Access a node; `slot` is where it may be, and is then where it is. */
static inline void access_node(struct shared *s, enum nested_tree tree,
                               uint64_t page, unsigned layer, uint32_t *slot) {
  uint64_t key = nested_key(tree, s->index_bits[tree], page, layer);
  uint32_t at = *slot;
  if (s->set.slots[at].key != key) {
    uint64_t hash = node_hash(key);
    at = *slot = node_set_find(&s->set, key, hash);
  }
  if (at)
    node_set_unlink(&s->set, at);
  else
    at = *slot = load(s, key, node_hash(key));
  node_set_push(&s->set, at);
  s->pages[at] = page;
}

static inline void walk_host(struct vat_nested *nested, uint64_t address,
                             uint32_t *slots) {
  const struct vat_tree *host = &nested->options.host;
  uint64_t path = nested_host_path_of(nested, address);
  for (unsigned layer = host->levels + 1; layer-- > path_leaf(path);)
    access_node(nested->state, NESTED_HOST, path_page(path), layer,
                &slots[layer]);
}

static void translate_one(struct vat_nested *nested, uint64_t address) {
  struct shared *s = nested->state;
  const struct vat_tree *guest = &nested->options.guest;
  uint64_t path = nested_guest_path(nested, address), page = path_page(path);
  for (unsigned layer = guest->levels + 1; layer-- > path_leaf(path);) {
    walk_host(nested, nested_node_address(nested, page, layer),
              s->host_slot[layer + 1]);
    access_node(s, NESTED_GUEST, page, layer, &s->guest_slot[layer]);
  }
  walk_host(nested, nested_data_address(nested, address), s->host_slot[0]);
}

/* Room for all nodes of a translation: host walks and the guest's own.  0, or
 * -1 with ENOMEM. */
static int grow(struct shared *s) {
  if (vat_node_set_grow(&s->set, (NESTED_WALKS_MAX + 1) * VAT_LAYERS_MAX))
    return -1;
  if (s->page_room == s->set.capacity) return 0;
  uint64_t *pages =
      reallocarray(s->pages, (size_t)s->set.capacity + 1, sizeof *pages);
  if (!pages) return -1;
  s->pages = pages;
  s->page_room = s->set.capacity;
  return 0;
}

static int translate(struct vat_nested *nested, const uint64_t *addresses,
                     size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t path = nested_guest_path(nested, addresses[i]);
    nested->walks += nested->options.guest.levels + 2 - path_leaf(path);
    if (nested->repeats_free && nested_repeats(nested, addresses[i])) continue;
    if (grow(nested->state)) return -1;
    translate_one(nested, addresses[i]);
  }
  return 0;
}

static int init(struct vat_nested *nested) {
  const struct vat_nested_options *o = &nested->options;
  if (o->policy->recency == VAT_RECENCY_NONE || !o->guest_nodes) {
    errno = o->guest_nodes ? ENOTSUP : EINVAL;
    return -1;
  }
  struct shared *s = nested->state = calloc(1, sizeof *s);
  if (!s || vat_node_set_init(&s->set, o->guest_nodes)) return -1;
  s->set.slots[0].key = UINT64_MAX; /* of the sentinel: no node's */
  s->initial_segment = o->policy->recency == VAT_RECENCY_ISLRU;
  s->index_bits[NESTED_GUEST] = o->guest.index_bits;
  s->index_bits[NESTED_HOST] = o->host.index_bits;
  s->misses[NESTED_GUEST] = nested->guest_misses;
  s->misses[NESTED_HOST] = nested->host_misses;
  /* All nodes of a translation then stay for the next one, as in split. */
  nested->repeats_free =
      o->guest_nodes >= nested_host_path(o) + o->guest.levels + 1;
  return 0;
}

static void fini(struct vat_nested *nested) {
  struct shared *s = nested->state;
  if (!s) return;
  vat_node_set_fini(&s->set);
  free(s->pages);
  free(s);
}

const struct nested_mode vat_nested_shared = {
    .init = init,
    .fini = fini,
    .translate = translate,
};
