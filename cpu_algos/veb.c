/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/veb.h"

#include "cpu_algos/keys.h"

/* Keys below a gap, and the key that closes it, in a tree of this height. */
static uint64_t span(unsigned height) { return UINT64_C(1) << (3 * height); }

/* Words of a complete tree: (8^height - 1) / 7 nodes. */
static uint64_t words_of(unsigned height) {
  return (span(height) - 1) / (CPU_VEB_NODE - 1) * CPU_VEB_NODE;
}

/* Levels of the top tree. */
static unsigned cut(unsigned height) { return height / 2; }

static void cut_levels(struct cpu_veb *veb, unsigned root, unsigned height) {
  unsigned top = cut(height);
  if (!top) return;
  veb->level[root + top] =
      (struct cpu_veb_level){.root = root,
                             .top = words_of(top),
                             .bottom = words_of(height - top),
                             .mask = span(top) - 1};
  cut_levels(veb, root, top);
  cut_levels(veb, root + top, height - top);
}

/* Bottom trees of the first cut: one for each key of the top tree that is
 * there, and what is greater. */
static uint64_t bottom_trees(const struct cpu_veb *veb) {
  return veb->n / span(veb->levels - cut(veb->levels)) + 1;
}

struct cpu_veb cpu_veb_of(uint64_t n) {
  struct cpu_veb veb = {.n = n, .levels = 1};
  while (span(veb.levels) <= n) veb.levels++;
  cut_levels(&veb, 0, veb.levels);
  unsigned top = cut(veb.levels);
  veb.words =
      !top ? words_of(1)
           : words_of(top) + bottom_trees(&veb) * words_of(veb.levels - top);
  return veb;
}

size_t cpu_veb_bytes(uint64_t n) {
  if (!cpu_keys_array_bytes(n)) return 0;
  return cpu_keys_bytes(cpu_veb_of(n).words, 1, 0);
}

/* What a layout is made of. */
struct filling {
  uint64_t n;
  uint64_t *next;
  uint64_t (*key)(const void *source, uint64_t i);
  const void *source;
};

static void put(struct filling *filling, uint64_t position) {
  *filling->next++ = position < filling->n
                         ? filling->key(filling->source, position)
                         : UINT64_MAX;
}

/* A tree whose keys are those at `first` and every `step` after it, from left
 * to right in memory.  The filler is the largest number, too. */
static void fill_tree(struct filling *filling, unsigned height, uint64_t first,
                      uint64_t step, uint64_t bottoms) {
  /* Positions in the node, by its levels: the root is the middle key. */
  static const unsigned order[] = {3, 1, 5, 0, 2, 4, 6};
  if (height == 1) {
    put(filling, UINT64_MAX);
    for (int i = 0; i < CPU_VEB_NODE - 1; i++)
      put(filling, first + order[i] * step);
    return;
  }
  unsigned top = cut(height), bottom = height - top;
  uint64_t width = span(bottom) * step;
  fill_tree(filling, top, first + width - step, width, span(cut(top)));
  for (uint64_t i = 0; i < bottoms; i++)
    fill_tree(filling, bottom, first + i * width, step, span(cut(bottom)));
}

void cpu_veb_fill(const struct cpu_veb *veb, uint64_t *words,
                  uint64_t (*key)(const void *source, uint64_t i),
                  const void *source) {
  struct filling filling = {veb->n, words, key, source};
  fill_tree(&filling, veb->levels, 0, 1, bottom_trees(veb));
}
