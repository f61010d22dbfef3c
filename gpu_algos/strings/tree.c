/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The suffix tree out of the suffix array and how many letters neighbours in it
 * have in common, from left to right: what is open is the way from the root to
 * the last leaf, and a node is closed as soon as neighbours have less in common
 * than it is deep (Abouelhoda, Kurtz, Ohlebusch: Replacing suffix trees with
 * enhanced suffix arrays, J. Discrete Algorithms 2(1), 2004). */
#include "gpu_algos/strings/tree.h"

#include <string.h>

#include "gpu_algos/strings/suffixes.h"
#include "gpu_algos/strings/texts.h"
#include "gpu_algos/words.h"

/* A node takes five words of scratch a letter, as the suffix array did. */
static uint64_t scratch_words(uint64_t letters) {
  uint64_t sorting = letters / 4 + 1 + gpu_suffix_scratch(letters);
  return gpu_words_padded(sorting > 5 * letters ? sorting : 5 * letters);
}

/* There are no more inner nodes than leaves, nor edges than both. */
static size_t bytes(uint64_t n, const struct algo_data *given) {
  uint64_t letters = gpu_text_size(n, given);
  uint64_t cells = letters * gpu_text_alphabet(given);
  if (!gpu_text_fits(n, given) || cells > UINT32_MAX) return 0;
  return gpu_words_bytes(0, 0,
                         gpu_text_words(n, given) + gpu_words_padded(letters) +
                             gpu_words_padded(8 * letters) +
                             scratch_words(letters) + gpu_words_padded(cells));
}

size_t gpu_tree_bytes(uint64_t n) { return bytes(n, NULL); }

size_t gpu_tree_bytes_given(const struct algo_data *given) {
  return bytes(0, given);
}

struct gpu_tree gpu_tree_of(const struct algo_run *run) {
  struct gpu_text text = gpu_text_of(run);
  struct gpu_tree tree = {.ends = text.behind};
  tree.edges = tree.ends + gpu_words_padded(text.letters);
  tree.scratch = tree.edges + gpu_words_padded(UINT64_C(8) * text.letters);
  tree.cells = tree.scratch + scratch_words(text.letters);
  return tree;
}

/* common[rank]: letters that suffix number `rank` begins with as the one before
 * it does (Kasai et al., CPM 2001: one less than that of the suffix before it
 * in the text, at least). */
static void find_common(const struct gpu_text *text, uint32_t *ranks,
                        uint32_t *common) {
  uint32_t same = 0;
  for (uint32_t rank = 0; rank < text->letters; rank++)
    ranks[text->suffixes[rank]] = rank;
  for (uint32_t i = 0; i < text->letters; i++) {
    common[ranks[i]] = 0;
    if (!ranks[i]) {
      same = 0;
      continue;
    }
    uint32_t before = text->suffixes[ranks[i] - 1];
    while (i + same < text->letters && before + same < text->letters &&
           gpu_text_letter(text->text, i + same) ==
               gpu_text_letter(text->text, before + same))
      same++;
    common[ranks[i]] = same;
    if (same) same--;
  }
}

/* While a tree is built. */
struct builder {
  struct gpu_text text;
  struct gpu_tree tree;
  uint32_t *depths, *firsts, *parents; /* of nodes, the open ones' parents */
  uint32_t nodes, edges;
  uint32_t open; /* the deepest node that is */
};

/* A node, or a leaf, which has no cells. */
struct child {
  uint32_t depth, first, cells;
};

/* The edge of a suffix that ends where its parent does has no letter, and is
 * sought by none. */
static void attach(struct builder *b, const struct child *child,
                   uint32_t parent) {
  uint32_t *edge = b->tree.edges + UINT64_C(4) * b->edges;
  uint32_t depth = b->depths[parent];
  if (child->depth == depth) return;
  uint32_t start = b->text.suffixes[child->first] + depth;
  uint32_t letter = gpu_text_letter(b->text.text, start);
  edge[GPU_TREE_START] = start;
  edge[GPU_TREE_LENGTH] = child->depth - depth;
  edge[GPU_TREE_CELLS] = child->cells;
  edge[GPU_TREE_FIRST] = child->first;
  b->tree.cells[UINT64_C(1) * parent * b->text.alphabet + letter - 1] =
      b->edges++;
}

static void open_node(struct builder *b, uint32_t depth, uint32_t first) {
  b->depths[b->nodes] = depth;
  b->firsts[b->nodes] = first;
  b->parents[b->nodes] = b->open;
  b->open = b->nodes++;
}

/* Close the open node before rank `end`: it becomes the child. */
static struct child close_node(struct builder *b, uint32_t end) {
  uint32_t node = b->open;
  b->tree.ends[node] = end;
  b->open = b->parents[node];
  return (struct child){b->depths[node], b->firsts[node],
                        node * b->text.alphabet};
}

/* The suffix number rank - 1, of which the next one has `same` letters. */
static void add_leaf(struct builder *b, uint32_t rank, uint32_t same) {
  struct child child = {b->text.letters - b->text.suffixes[rank - 1], rank - 1,
                        GPU_TREE_NONE};
  while (b->depths[b->open] > same) {
    attach(b, &child, b->open);
    child = close_node(b, rank);
  }
  if (b->depths[b->open] < same) open_node(b, same, child.first);
  attach(b, &child, b->open);
}

void gpu_tree_setup(struct algo_run *run) {
  struct builder b = {.tree = gpu_tree_of(run)};
  gpu_text_setup(run, b.tree.scratch);
  b.text = gpu_text_of(run);
  uint32_t letters = b.text.letters, *ranks = b.tree.scratch;
  uint32_t *common = ranks + letters;
  b.depths = common + letters;
  b.firsts = b.depths + letters;
  b.parents = b.firsts + letters;
  if (!letters) return;
  find_common(&b.text, ranks, common);
  memset(b.tree.cells, 0xff,
         sizeof(uint32_t) * (uint64_t)letters * b.text.alphabet);
  open_node(&b, 0, 0);
  for (uint32_t rank = 1; rank < letters; rank++)
    add_leaf(&b, rank, common[rank]);
  add_leaf(&b, letters, 0);
  close_node(&b, letters);
}
