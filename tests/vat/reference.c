/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/vat/reference.h"

#include <string.h>

const unsigned *reference_leaves;

bool reference_reaches(size_t translation, unsigned layer) {
  return !reference_leaves || layer >= reference_leaves[translation];
}

struct node {
  unsigned layer;
  uint64_t index;
};

struct stream {
  const struct vat_tree *tree;
  const uint64_t *pages;
  size_t count;
};

/* A TC, and how recently each of its nodes was accessed. */
struct cache {
  unsigned used;
  struct node node[REFERENCE_NODES];
  uint64_t accessed[REFERENCE_NODES];
};

static struct node node_on(const struct stream *s, size_t translation,
                           unsigned layer) {
  if (!reference_reaches(translation, layer)) layer = VAT_LAYERS_MAX;
  return (struct node){layer,
                       vat_tree_node(s->tree, s->pages[translation], layer)};
}

static bool same(struct node a, struct node b) {
  return a.layer == b.layer && a.index == b.index;
}

static bool below(const struct vat_tree *tree, struct node a, struct node b) {
  return a.layer < b.layer &&
         vat_tree_node(tree, a.index, b.layer - a.layer) == b.index;
}

/* Where a stream stands: in the middle of a translation. */
struct moment {
  size_t translation;
  unsigned layer;
};

/* The first access to `node` after `now`, as its place in the stream of single
 * node accesses; SIZE_MAX if there is none. */
static size_t next_access(const struct stream *s, struct moment now,
                          struct node node) {
  unsigned path = s->tree->levels + 1;
  size_t at = now.translation * path + (s->tree->levels - now.layer) + 1;
  for (; at < s->count * path; at++)
    if (same(node, node_on(s, at / path, s->tree->levels - at % path)))
      return at;
  return SIZE_MAX;
}

/* The same in translations, from the one after now. */
static size_t next_translation(const struct stream *s, struct moment now,
                               struct node node) {
  for (size_t t = now.translation + 1; t < s->count; t++)
    if (same(node, node_on(s, t, node.layer))) return t;
  return SIZE_MAX;
}

typedef unsigned choose_victim(const struct stream *s, struct moment now,
                               const struct cache *cache);

static uint64_t members(const struct stream *s, const struct cache *cache) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < cache->used; i++)
    bits |= reference_bit(s->tree, cache->node[i].index, cache->node[i].layer);
  return bits;
}

/* `after`, if not NULL, as in reference_contents(). */
static void simulate(const struct stream *s, unsigned nodes,
                     choose_victim *victim, uint64_t *misses, uint64_t *after) {
  static struct cache cache;
  uint64_t clock = 0;
  cache.used = 0;
  for (size_t t = 0; t < s->count; t++) {
    for (unsigned layer = s->tree->levels + 1; layer-- > 0;) {
      struct node node = node_on(s, t, layer);
      if (!reference_reaches(t, layer)) continue;
      unsigned at = 0;
      while (at < cache.used && !same(cache.node[at], node)) at++;
      if (at == cache.used) {
        misses[layer]++;
        if (cache.used == nodes)
          at = victim(s, (struct moment){t, layer}, &cache);
        else
          cache.used++;
        cache.node[at] = node;
      }
      cache.accessed[at] = ++clock;
      if (after) *after++ = members(s, &cache);
    }
  }
}

static unsigned victim_lru(const struct stream *s, struct moment now,
                           const struct cache *cache) {
  unsigned oldest = 0;
  (void)s, (void)now;
  for (unsigned i = 1; i < cache->used; i++)
    if (cache->accessed[i] < cache->accessed[oldest]) oldest = i;
  return oldest;
}

/* Definition 2.9. */
static unsigned victim_islru(const struct stream *s, struct moment now,
                             const struct cache *cache) {
  unsigned oldest = victim_lru(s, now, cache), lowest = oldest;
  for (unsigned i = 0; i < cache->used; i++)
    if (below(s->tree, cache->node[i], cache->node[oldest]) &&
        cache->node[i].layer < cache->node[lowest].layer)
      lowest = i;
  return lowest;
}

/* Of two that are accessed next at the same time, hence never: the lower one.
 * That any fixed order is kept matters to what is in the TC, not to counts. */
static bool goes_first(struct node a, struct node b) {
  return a.layer != b.layer ? a.layer < b.layer : a.index < b.index;
}

/* Belady. */
static unsigned victim_min(const struct stream *s, struct moment now,
                           const struct cache *cache) {
  unsigned best = 0;
  size_t furthest = 0;
  for (unsigned i = 0; i < cache->used; i++) {
    size_t next = next_access(s, now, cache->node[i]);
    if (next < furthest ||
        (next == furthest && !goes_first(cache->node[i], cache->node[best])))
      continue;
    best = i;
    furthest = next;
  }
  return best;
}

static bool may_go(const struct stream *s, struct moment now,
                   const struct cache *cache, unsigned i) {
  struct node node = cache->node[i];
  if (same(node, node_on(s, now.translation, node.layer))) return false;
  for (unsigned j = 0; j < cache->used; j++)
    if (below(s->tree, cache->node[j], node)) return false;
  return true;
}

/* Definition 2.12. */
static unsigned victim_ismin(const struct stream *s, struct moment now,
                             const struct cache *cache) {
  unsigned best = 0;
  size_t furthest = 0;
  for (unsigned i = 0; i < cache->used; i++) {
    if (!may_go(s, now, cache, i)) continue;
    size_t next = next_translation(s, now, cache->node[i]);
    if (next < furthest ||
        (next == furthest && !goes_first(cache->node[i], cache->node[best])))
      continue;
    best = i;
    furthest = next;
  }
  return best;
}

void reference_lru(const struct vat_tree *tree, const uint64_t *pages,
                   size_t count, unsigned nodes, uint64_t *misses) {
  simulate(&(struct stream){tree, pages, count}, nodes, victim_lru, misses,
           NULL);
}

void reference_islru(const struct vat_tree *tree, const uint64_t *pages,
                     size_t count, unsigned nodes, uint64_t *misses) {
  simulate(&(struct stream){tree, pages, count}, nodes, victim_islru, misses,
           NULL);
}

void reference_min(const struct vat_tree *tree, const uint64_t *pages,
                   size_t count, unsigned nodes, uint64_t *misses) {
  simulate(&(struct stream){tree, pages, count}, nodes, victim_min, misses,
           NULL);
}

void reference_ismin(const struct vat_tree *tree, const uint64_t *pages,
                     size_t count, unsigned nodes, uint64_t *misses) {
  simulate(&(struct stream){tree, pages, count}, nodes, victim_ismin, misses,
           NULL);
}

reference_policy *reference_of(const char *policy) {
  static const struct {
    const char *name;
    reference_policy *run;
  } table[] = {{"lru", reference_lru},       {"islru", reference_islru},
               {"min", reference_min},       {"ismin", reference_ismin},
               {"rrmin", reference_rrmin},   {"lis", reference_lis},
               {"fifo", reference_fifo},     {"clock", reference_clock},
               {"random", reference_random}, {"plru", reference_plru}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, policy)) return table[i].run;
  return NULL;
}

uint64_t reference_bit(const struct vat_tree *tree, uint64_t index,
                       unsigned layer) {
  for (unsigned above = layer + 1; above <= tree->levels; above++)
    index += UINT64_C(1) << tree->index_bits * (tree->levels - above);
  return UINT64_C(1) << index;
}

void reference_contents(const char *policy, const struct vat_tree *tree,
                        const uint64_t *pages, size_t count, unsigned nodes,
                        uint64_t *after) {
  static const struct {
    const char *name;
    choose_victim *victim;
  } table[] = {{"lru", victim_lru},
               {"islru", victim_islru},
               {"min", victim_min},
               {"ismin", victim_ismin}};
  uint64_t misses[VAT_LAYERS_MAX] = {0};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, policy))
      simulate(&(struct stream){tree, pages, count}, nodes, table[i].victim,
               misses, after);
}
