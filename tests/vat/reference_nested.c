/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/vat/reference_nested.h"

#include <stdlib.h>
#include <string.h>

#include "vat/permutation.h"

enum tree { GUEST, HOST };

const struct given_layout *reference_guest, *reference_host;

/* The page of a tree that an address is on: the first of its leaf, and the
 * leaf's layer. */
struct page {
  uint64_t number;
  int leaf;
};

static struct page page_of(const struct given_layout *given,
                           const struct vat_tree *tree, uint64_t address) {
  unsigned bits = given ? reference_page_bits(given, address) : tree->page_bits;
  unsigned more = bits - tree->page_bits;
  return (struct page){address >> bits << more, (int)(more / tree->index_bits)};
}

struct access {
  enum tree tree;
  unsigned layer;
  uint64_t index;
  size_t walk; /* accesses of one path have the same */
  size_t next; /* place of the next access to the node, or SIZE_MAX */
  bool missed;
};

struct stream {
  const struct vat_tree *tree[2];
  struct access *accesses;
  size_t count, walks;
};

static void add(struct stream *s, enum tree tree, unsigned layer, uint64_t page,
                size_t walk) {
  uint64_t index = page;
  for (unsigned i = 0; i < layer * s->tree[tree]->index_bits; i++) index /= 2;
  s->accesses = realloc(s->accesses, (s->count + 1) * sizeof *s->accesses);
  s->accesses[s->count++] = (struct access){tree, layer, index, walk, 0, false};
}

static void add_host_walk(struct stream *s, uint64_t address) {
  struct page page = page_of(reference_host, s->tree[HOST], address);
  for (int layer = (int)s->tree[HOST]->levels; layer >= page.leaf; layer--)
    add(s, HOST, (unsigned)layer, page.number, s->walks);
  s->walks++;
}

static uint64_t node_in_row(const struct vat_nested_options *o, unsigned layer,
                            uint64_t index) {
  uint64_t base = o->table_base, above = 0, on_layer = 1;
  for (unsigned l = o->guest.levels; l > layer; l--) {
    above += on_layer;
    on_layer <<= o->guest.index_bits;
  }
  if (base == UINT64_MAX)
    base = UINT64_C(1) << (o->guest.page_bits +
                           o->guest.index_bits * o->guest.levels);
  return base + 8 * (above + index);
}

/* The pages that have a frame in the guest's memory, in the order in which they
 * were needed: pages of data, or of the table of a layer. */
struct placed {
  size_t count;
  struct {
    int layer; /* -1: data */
    uint64_t page;
  } * pages;
};

/* Where byte `at` of an array is, whose pages are those of `layer`. */
static uint64_t place(struct placed *p, const struct vat_nested_options *o,
                      int layer, uint64_t at) {
  struct permutation order;
  uint64_t size = UINT64_C(1) << o->guest.page_bits;
  size_t i = 0;
  while (i < p->count &&
         (p->pages[i].layer != layer || p->pages[i].page != at / size))
    i++;
  if (i == p->count) {
    p->pages = realloc(p->pages, ++p->count * sizeof *p->pages);
    p->pages[i].layer = layer;
    p->pages[i].page = at / size;
  }
  vat_permutation_init(&order, o->guest_memory_bytes / size, o->guest_seed);
  return vat_permutation_at(&order, i) * size + at % size;
}

void reference_nested_walks(const struct vat_nested_options *o,
                            const uint64_t *addresses, size_t count,
                            uint64_t *walks) {
  struct placed placed = {0, NULL};
  for (size_t i = 0; i < count; i++) {
    uint64_t page = page_of(reference_guest, &o->guest, addresses[i]).number;
    for (int layer = (int)o->guest.levels; layer >= 0; layer--) {
      uint64_t index = page >> o->guest.index_bits * (unsigned)layer;
      *walks++ = o->guest_memory_bytes ? place(&placed, o, layer, 8 * index)
                                       : node_in_row(o, (unsigned)layer, index);
    }
    *walks++ = o->guest_memory_bytes ? place(&placed, o, -1, addresses[i])
                                     : addresses[i];
  }
  free(placed.pages);
}

static bool same(const struct access *a, const struct access *b) {
  return a->tree == b->tree && a->layer == b->layer && a->index == b->index;
}

static bool below(const struct stream *s, const struct access *a,
                  const struct access *b) {
  uint64_t index = a->index;
  if (a->tree != b->tree || a->layer >= b->layer) return false;
  for (unsigned layer = a->layer; layer < b->layer; layer++)
    index >>= s->tree[a->tree]->index_bits;
  return index == b->index;
}

/* A TC: for each of its nodes the place of the last access to it. */
struct cache {
  const struct stream *stream;
  size_t used;
  size_t *last;
  size_t now;
};

static const struct access *node(const struct cache *c, size_t i) {
  return &c->stream->accesses[c->last[i]];
}

typedef size_t choose_victim(const struct cache *cache);

static size_t victim_lru(const struct cache *c) {
  size_t oldest = 0;
  for (size_t i = 1; i < c->used; i++)
    if (c->last[i] < c->last[oldest]) oldest = i;
  return oldest;
}

/* Definition 2.9, where descendants are those in the node's own tree. */
static size_t victim_islru(const struct cache *c) {
  size_t oldest = victim_lru(c), lowest = oldest;
  for (size_t i = 0; i < c->used; i++)
    if (below(c->stream, node(c, i), node(c, oldest)) &&
        node(c, i)->layer < node(c, lowest)->layer)
      lowest = i;
  return lowest;
}

/* Belady; among those never accessed again, a lower one. */
static size_t victim_min(const struct cache *c) {
  size_t best = 0;
  for (size_t i = 1; i < c->used; i++)
    if (node(c, i)->next > node(c, best)->next ||
        (node(c, i)->next == node(c, best)->next &&
         node(c, i)->layer < node(c, best)->layer))
      best = i;
  return best;
}

/* Is a node below it accessed before it is itself?  Then the node must be
 * loaded with all that are above it, this one, in the TC. */
static bool is_needed(const struct cache *c, size_t i) {
  for (size_t j = c->now; j < c->stream->count; j++) {
    if (same(&c->stream->accesses[j], node(c, i))) return false;
    if (below(c->stream, &c->stream->accesses[j], node(c, i))) return true;
  }
  return false;
}

static bool may_go(const struct cache *c, size_t i) {
  const struct access *now = &c->stream->accesses[c->now];
  if (is_needed(c, i)) return false;
  if (same(node(c, i), now) || below(c->stream, now, node(c, i))) return false;
  for (size_t j = c->now; j < c->stream->count; j++)
    if (c->stream->accesses[j].walk == now->walk &&
        same(&c->stream->accesses[j], node(c, i)))
      return false;
  for (size_t j = 0; j < c->used; j++)
    if (below(c->stream, node(c, j), node(c, i))) return false;
  return true;
}

/* Definition 2.12. */
static size_t victim_ismin(const struct cache *c) {
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < c->used; i++)
    if (may_go(c, i) &&
        (best == SIZE_MAX || node(c, i)->next > node(c, best)->next))
      best = i;
  return best;
}

static void simulate(struct stream *s, uint64_t nodes, choose_victim *victim) {
  struct cache cache = {.stream = s, .last = calloc(s->count, sizeof(size_t))};
  for (size_t i = 0; i < s->count; i++) {
    size_t next = i + 1;
    while (next < s->count && !same(&s->accesses[i], &s->accesses[next]))
      next++;
    s->accesses[i].next = next < s->count ? next : SIZE_MAX;
  }
  for (size_t i = 0; i < s->count; i++) {
    size_t at = 0;
    cache.now = i;
    while (at < cache.used && !same(node(&cache, at), &s->accesses[i])) at++;
    s->accesses[i].missed = at == cache.used;
    if (s->accesses[i].missed && cache.used == nodes)
      at = victim(&cache);
    else if (s->accesses[i].missed)
      cache.used++;
    cache.last[at] = i;
  }
  free(cache.last);
}

static void count_misses(const struct stream *s, struct reference_nested *n) {
  for (size_t i = 0; i < s->count; i++) {
    const struct access *a = &s->accesses[i];
    (a->tree == GUEST ? n->guest : n->host)[a->layer] += a->missed;
  }
  n->walks += s->walks;
}

struct run {
  const struct vat_nested_options *o;
  const uint64_t *addresses;
  size_t count;
  const uint64_t *walks; /* addresses of all host walks, in order */
  choose_victim *victim;
};

static void run_shared(const struct run *r, struct reference_nested *counts) {
  struct stream all = {.tree = {&r->o->guest, &r->o->host}};
  for (size_t i = 0; i < r->count; i++) {
    struct page page = page_of(reference_guest, &r->o->guest, r->addresses[i]);
    size_t walk = SIZE_MAX - i; /* not one of the host's */
    const uint64_t *to = &r->walks[i * (r->o->guest.levels + 2)];
    for (int layer = (int)r->o->guest.levels; layer >= page.leaf; layer--) {
      add_host_walk(&all, *to++);
      add(&all, GUEST, (unsigned)layer, page.number, walk);
    }
    add_host_walk(&all, to[page.leaf]);
  }
  simulate(&all, r->o->guest_nodes, r->victim);
  count_misses(&all, counts);
  free(all.accesses);
}

static void run_two(const struct run *r, bool only_misses,
                    struct reference_nested *counts) {
  struct stream guest = {.tree = {&r->o->guest, &r->o->host}}, host = guest;
  const uint64_t *to = r->walks;
  for (size_t i = 0; i < r->count; i++) {
    struct page page = page_of(reference_guest, &r->o->guest, r->addresses[i]);
    for (int layer = (int)r->o->guest.levels; layer >= page.leaf; layer--)
      add(&guest, GUEST, (unsigned)layer, page.number, i);
  }
  simulate(&guest, r->o->guest_nodes, r->victim);
  for (size_t i = 0; i < guest.count; i++) {
    const struct access *a = &guest.accesses[i];
    if (a->missed || !only_misses) add_host_walk(&host, *to);
    to++;
    if (i + 1 < guest.count && guest.accesses[i + 1].walk == a->walk) continue;
    to = &r->walks[(a->walk + 1) * (r->o->guest.levels + 2)];
    add_host_walk(&host, to[-1]);
  }
  simulate(&host, r->o->host_nodes, r->victim);
  count_misses(&guest, counts);
  count_misses(&host, counts);
  free(guest.accesses);
  free(host.accesses);
}

bool reference_nested(const char *policy, const struct vat_nested_options *o,
                      const uint64_t *addresses, size_t count,
                      struct reference_nested *counts) {
  static const struct {
    const char *name;
    choose_victim *victim;
  } table[] = {{"lru", victim_lru},
               {"islru", victim_islru},
               {"min", victim_min},
               {"ismin", victim_ismin}};
  *counts = (struct reference_nested){0};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (strcmp(table[i].name, policy)) continue;
    uint64_t *walks = malloc(count * (o->guest.levels + 2) * sizeof *walks);
    reference_nested_walks(o, addresses, count, walks);
    struct run run = {o, addresses, count, walks, table[i].victim};
    if (o->mode == VAT_NESTED_SHARED)
      run_shared(&run, counts);
    else
      run_two(&run, o->mode == VAT_NESTED_MISSES, counts);
    free(walks);
    return true;
  }
  return false;
}
