/* SPDX-License-Identifier: BSD-2-Clause */
/* Nested translation with one TC for both trees, and a policy that knows the
 * future.
 *
 * In this mode all host walks are made, whether or not guest nodes are in the
 * TC.  So the sequence of accesses depends on the addresses alone, and the
 * least number of misses is that of paging: Belady's rule is optimal (min).
 *
 * ismin is optimal among strategies that keep the TC an initial segment of both
 * trees, if it evicts the node whose next access is furthest ahead among those
 * that need not stay.  What has to stay are the nodes of the host walk and of
 * the guest's path that have been accessed, until the leaf has been: the nodes
 * below are still to be loaded, and they must not come without their ancestors.
 * For any other node, the next access to it comes before those to its
 * descendants, so the furthest has no descendants in the TC (of nodes never
 * accessed again, a lower one can go first, and which goes changes no count).
 * The proof of Theorem 2.13 (Jurkiewicz, PhD thesis) then holds word by word:
 * it uses no more of paths than that.
 *
 * A first pass over the recorded addresses, backwards, finds each access' next.
 * As in vat/foresight.h the TC is the set of the next accesses of its nodes;
 * nodes that have to stay are not in it, and nodes without one are counted. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "vat/event_set.h"
#include "vat/nested_key.h"
#include "vat/nested_mode.h"
#include "vat/node_map.h"
#include "vat/policy.h"
#include "vat/spool.h"

enum {
  WORDS = SPOOL_CHUNK / sizeof(uint64_t),                /* of either spool */
  ACCESSES_MAX = (NESTED_WALKS_MAX + 1) * VAT_LAYERS_MAX /* of a translation */
};

struct access {
  uint64_t key;
  bool ends; /* the leaf of its path */
};
static const struct access no_access = {UINT64_MAX, false};

struct optimal {
  struct spool_budget budget;
  struct spool addresses;
  struct spool next;       /* of each access, the next to its node; 0: none */
  uint64_t kept;           /* addresses */
  uint64_t accesses;       /* that one address makes at most */
  uint64_t *tail;          /* the chunk of addresses being filled or read */
  uint64_t *links;         /* the chunk of `next` being filled or read */
  struct node_map nearest; /* going backwards: the access met last, or 0 */

  bool initial_segment;
  struct event_set set; /* the next accesses of nodes that may be evicted */
  uint64_t dead;        /* nodes that are never accessed again */
  uint64_t used, limit; /* nodes in the TC, and W */
  /* Next accesses of nodes that have to stay, of each tree. */
  uint64_t stay[NESTED_TREES][VAT_LAYERS_MAX];
  struct access of_one[ACCESSES_MAX]; /* address */
};

/* The access to a path's node on a layer; layers below its leaf have none. */
static struct access access_of(enum nested_tree tree, unsigned index_bits,
                               uint64_t path, unsigned layer) {
  unsigned leaf = path_leaf(path);
  if (layer < leaf) return no_access;
  return (struct access){nested_key(tree, index_bits, path_page(path), layer),
                         layer == leaf};
}

static struct access *add_walk(struct vat_nested *nested, uint64_t address,
                               struct access *to) {
  const struct vat_tree *host = &nested->options.host;
  uint64_t path = nested_host_path_of(nested, address);
  for (unsigned layer = host->levels + 1; layer-- > 0;)
    *to++ = access_of(NESTED_HOST, host->index_bits, path, layer);
  return to;
}

/* All accesses of a translation, in order, and what is none up to their most.
 */
static void expand(struct vat_nested *nested, uint64_t address) {
  struct optimal *o = nested->state;
  const struct vat_tree *guest = &nested->options.guest;
  uint64_t path = nested_guest_path(nested, address);
  struct access *to = o->of_one;
  for (unsigned layer = guest->levels + 1; layer-- > path_leaf(path);) {
    uint64_t at = nested_node_address(nested, path_page(path), layer);
    to = add_walk(nested, at, to);
    *to++ = access_of(NESTED_GUEST, guest->index_bits, path, layer);
  }
  to = add_walk(nested, nested_data_address(nested, address), to);
  while (to < o->of_one + o->accesses) *to++ = no_access;
  assert(to == o->of_one + o->accesses);
}

/* The accesses of one address, the last first; `access` follows them. */
static int link_back(struct optimal *o, uint64_t access) {
  if (vat_node_map_grow(&o->nearest, o->accesses)) return -1;
  for (uint64_t i = o->accesses; i-- > 0;) {
    o->links[--access % WORDS] = 0;
    if (o->of_one[i].key != no_access.key) {
      uint64_t *nearest = node_map_at(&o->nearest, o->of_one[i].key);
      o->links[access % WORDS] = *nearest;
      *nearest = access;
    }
    if (access % WORDS == 0 &&
        vat_spool_put(&o->next, access / WORDS, o->links))
      return -1;
  }
  return 0;
}

/* Half of the work is to link, half to replay. */
static void tell(const struct vat_nested *nested, uint64_t done,
                 bool replayed) {
  const struct optimal *o = nested->state;
  const struct vat_tc_options *tc = &nested->options.tc;
  double part = (double)done / (double)o->kept;
  if (tc->on_progress) tc->on_progress(tc->arg, (part + replayed) / 2);
}

static int link_all(struct vat_nested *nested) {
  struct optimal *o = nested->state;
  const uint64_t *addresses = NULL;
  for (uint64_t i = o->kept; i-- > 0;) {
    if (!addresses || i % WORDS == WORDS - 1) {
      addresses = vat_spool_get(&o->addresses, i / WORDS, o->tail);
      tell(nested, o->kept - i, false);
    }
    if (!addresses) return -1;
    expand(nested, addresses[i % WORDS]);
    if (link_back(o, (i + 1) * o->accesses)) return -1;
  }
  return 0;
}

/* A node that is in the TC may be evicted from now on. */
static void leave(struct optimal *o, uint64_t next) {
  if (next)
    event_set_add(&o->set, next);
  else
    o->dead++;
}

static void load(struct optimal *o) {
  if (o->used < o->limit)
    o->used++;
  else if (o->dead)
    o->dead--;
  else
    event_set_remove(&o->set, event_set_max(&o->set));
}

static void access_node(struct vat_nested *nested, struct access of,
                        uint64_t access, uint64_t next) {
  struct optimal *o = nested->state;
  unsigned tree = nested_key_tree(of.key), layer = nested_key_layer(of.key);
  if (of.key == no_access.key) return;
  const struct vat_tree *trees[] = {&nested->options.guest,
                                    &nested->options.host};
  if (event_set_has(&o->set, access)) {
    event_set_remove(&o->set, access);
  } else {
    (tree == NESTED_HOST ? nested->host_misses : nested->guest_misses)[layer]++;
    load(o);
  }
  if (!o->initial_segment) {
    leave(o, next);
    return;
  }
  o->stay[tree][layer] = next;
  for (unsigned i = layer; of.ends && i <= trees[tree]->levels; i++)
    leave(o, o->stay[tree][i]);
}

static int replay(struct vat_nested *nested) {
  struct optimal *o = nested->state;
  const uint64_t *addresses = NULL, *links = NULL;
  uint64_t access = 0;
  for (uint64_t i = 0; i < o->kept; i++) {
    if (i % WORDS == 0) {
      addresses = vat_spool_get(&o->addresses, i / WORDS, o->tail);
      tell(nested, i, true);
    }
    if (!addresses) return -1;
    expand(nested, addresses[i % WORDS]);
    for (uint64_t j = 0; j < o->accesses; j++, access++) {
      if (access % WORDS == 0)
        links = vat_spool_get(&o->next, access / WORDS, o->links);
      if (!links) return -1;
      access_node(nested, o->of_one[j], access, links[access % WORDS]);
    }
  }
  return 0;
}

uint64_t vat_nested_shared_least(const struct vat_policy *policy,
                                 const struct vat_tree *guest,
                                 const struct vat_tree *host) {
  if (policy->furthest != VAT_FURTHEST_ISMIN) return 1;
  return (uint64_t)guest->levels + host->levels + 1;
}

static int init(struct vat_nested *nested) {
  const struct vat_nested_options *options = &nested->options;
  const struct vat_policy *policy = options->policy;
  const struct vat_tree *guest = &options->guest, *host = &options->host;
  if (policy->furthest == VAT_FURTHEST_NONE) {
    errno = ENOTSUP;
    return -1;
  }
  if (options->guest_nodes < vat_nested_shared_least(policy, guest, host)) {
    errno = EINVAL;
    return -1;
  }
  struct optimal *o = nested->state = calloc(1, sizeof *o);
  if (!o) return -1;
  o->budget = (struct spool_budget){.limit = options->tc.memory_bytes,
                                    .on_spill = options->tc.on_spill,
                                    .arg = options->tc.arg};
  vat_spool_init(&o->addresses, &o->budget);
  vat_spool_init(&o->next, &o->budget);
  o->limit = options->guest_nodes;
  o->initial_segment = policy->furthest == VAT_FURTHEST_ISMIN;
  o->accesses = nested_host_path(options) + guest->levels + 1;
  o->tail = calloc(1, SPOOL_CHUNK);
  o->links = calloc(1, SPOOL_CHUNK);
  return o->tail && o->links ? vat_node_map_init(&o->nearest) : -1;
}

static void fini(struct vat_nested *nested) {
  struct optimal *o = nested->state;
  if (!o) return;
  vat_spool_fini(&o->addresses);
  vat_spool_fini(&o->next);
  vat_node_map_fini(&o->nearest);
  vat_event_set_fini(&o->set);
  free(o->tail);
  free(o->links);
  free(o);
}

static int translate(struct vat_nested *nested, const uint64_t *addresses,
                     size_t count) {
  struct optimal *o = nested->state;
  for (size_t i = 0; i < count; i++) {
    unsigned leaf = path_leaf(nested_guest_path(nested, addresses[i]));
    nested->walks += nested->options.guest.levels + 2 - leaf;
    o->tail[o->kept++ % WORDS] = addresses[i];
    if (o->kept % WORDS == 0 &&
        vat_spool_put(&o->addresses, o->kept / WORDS - 1, o->tail))
      return -1;
  }
  return 0;
}

static int finish(struct vat_nested *nested) {
  struct optimal *o = nested->state;
  if (!o->kept) return 0;
  if (o->kept % WORDS && vat_spool_put(&o->addresses, o->kept / WORDS, o->tail))
    return -1;
  if (link_all(nested) || vat_event_set_init(&o->set, o->kept * o->accesses))
    return -1;
  vat_node_map_fini(&o->nearest);
  return replay(nested);
}

const struct nested_mode vat_nested_optimal = {
    .init = init,
    .fini = fini,
    .translate = translate,
    .finish = finish,
};
