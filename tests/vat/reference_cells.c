/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policies that know the cells of a TC, from their definitions in
 * doc/translation-structures.md. */
#include <string.h>

#include "tests/vat/reference.h"

struct cell {
  uint64_t node; /* index * 16 + layer */
  uint64_t loaded, accessed;
  int marked;
};

struct cache {
  unsigned used, limit;
  uint64_t clock, draws;
  struct cell cell[REFERENCE_NODES];
};

typedef unsigned choose_cell(struct cache *cache);

static unsigned first_loaded(struct cache *cache) {
  unsigned first = 0;
  for (unsigned i = 1; i < cache->used; i++)
    if (cache->cell[i].loaded < cache->cell[first].loaded) first = i;
  return first;
}

/* A queue: who is first and marked goes to its end without the mark. */
static unsigned second_chance(struct cache *cache) {
  unsigned first = first_loaded(cache);
  while (cache->cell[first].marked) {
    cache->cell[first].marked = 0;
    cache->cell[first].loaded = ++cache->clock;
    first = first_loaded(cache);
  }
  return first;
}

static unsigned drawn(struct cache *cache) {
  uint64_t z = ++cache->draws * 0x9e3779b97f4a7c15u + REFERENCE_SEED;
  z ^= z >> 30;
  z *= 0xbf58476d1ce4e5b9u;
  z ^= z >> 27;
  z *= 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (unsigned)((double)(z >> 32) / 4294967296.0 * cache->limit);
}

/* The last access to a cell below node `at` of the binary tree. */
static uint64_t last_access(const struct cache *cache, unsigned at) {
  if (at >= cache->limit) return cache->cell[at - cache->limit].accessed;
  uint64_t left = last_access(cache, 2 * at);
  uint64_t right = last_access(cache, 2 * at + 1);
  return left > right ? left : right;
}

/* Down from the root, each time to the side not accessed last. */
static unsigned pseudo_lru(struct cache *cache) {
  unsigned at = 1;
  while (at < cache->limit)
    at = last_access(cache, 2 * at) < last_access(cache, 2 * at + 1)
             ? 2 * at
             : 2 * at + 1;
  return at - cache->limit;
}

static void simulate(const struct vat_tree *tree, const uint64_t *pages,
                     size_t count, unsigned nodes, choose_cell *victim,
                     uint64_t *misses) {
  static struct cache cache;
  cache.used = 0;
  cache.limit = nodes;
  cache.clock = cache.draws = 0;
  for (size_t i = 0; i < count * (tree->levels + 1); i++) {
    unsigned layer = tree->levels - (unsigned)(i % (tree->levels + 1));
    uint64_t node =
        16 * vat_tree_node(tree, pages[i / (tree->levels + 1)], layer) + layer;
    unsigned at = 0;
    if (!reference_reaches(i / (tree->levels + 1), layer)) continue;
    while (at < cache.used && cache.cell[at].node != node) at++;
    if (at == cache.used) {
      misses[layer]++;
      at = cache.used < nodes ? cache.used++ : victim(&cache);
      cache.cell[at] = (struct cell){.node = node, .loaded = ++cache.clock};
    }
    cache.cell[at].accessed = ++cache.clock;
    cache.cell[at].marked = 1;
  }
}

void reference_fifo(const struct vat_tree *tree, const uint64_t *pages,
                    size_t count, unsigned nodes, uint64_t *misses) {
  simulate(tree, pages, count, nodes, first_loaded, misses);
}

void reference_clock(const struct vat_tree *tree, const uint64_t *pages,
                     size_t count, unsigned nodes, uint64_t *misses) {
  simulate(tree, pages, count, nodes, second_chance, misses);
}

void reference_random(const struct vat_tree *tree, const uint64_t *pages,
                      size_t count, unsigned nodes, uint64_t *misses) {
  simulate(tree, pages, count, nodes, drawn, misses);
}

void reference_plru(const struct vat_tree *tree, const uint64_t *pages,
                    size_t count, unsigned nodes, uint64_t *misses) {
  simulate(tree, pages, count, nodes, pseudo_lru, misses);
}
