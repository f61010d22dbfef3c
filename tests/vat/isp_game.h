/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/vat/isp_game.h -- how many more cells an initial segment costs that
 * does not know the future (Jurkiewicz, PhD thesis, Conjecture 2.26).
 *
 * Beside a rival, a policy on W cells, runs a strategy on W + a cells whose TC
 * is an initial segment.  It sees the page that is translated and what the
 * rival does with it, and nothing that comes later.  Is there one that, on any
 * stream, never has more misses than its rival so far?
 *
 * That is a game: somebody chooses the next page (and what the rival evicts, if
 * it leaves that open), then the strategy chooses what it evicts.  It may be
 * lazy: Lemma 2.7 holds for strategies that do not know the future, too.  So it
 * loads the nodes of the path that it lacks, and chooses which of the larger
 * segments to keep.  Let need(r, s) be the least lead, in misses, with which it
 * can go on for ever from the rival's state r and its own segment s.  Then
 *
 *   need(r, s) = max over moves (page, r', rival's misses) of
 *     max(0, own misses - rival's misses + min over s' of need(r', s'))
 *
 * and k rounds of this from 0 give what streams of k pages need.  It has an
 * answer for all streams: it wins if need is 0 for two empty TCs once the
 * rounds change nothing, and loses as soon as it is more.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ISP_NODES = 32, ISP_CELLS = 14, ISP_LEVELS = 4 };

/* Nodes are numbered from the root, 0, on; the children of v are K v + 1 to
 * K v + K, so that page x is node `leaf` + x. */
struct isp_tree {
  unsigned children, levels; /* K, d */
  unsigned nodes, leaf, pages;
};

/* 0, or -1 if the tree has more than ISP_NODES nodes. */
int isp_tree_init(struct isp_tree *tree, unsigned children, unsigned levels);

/* The fewest extra cells for all rivals on W >= 2 cells, by the theorem of
 * doc/extra-cells.md. */
unsigned isp_extra_cells(unsigned children, unsigned levels, uint64_t nodes);

/* The node above page `page` on layer `layer`. */
unsigned isp_tree_node(const struct isp_tree *tree, unsigned page,
                       unsigned layer);

/* What a rival remembers; bytes that mean nothing are 0. */
struct isp_state {
  uint8_t used;
  uint8_t cell[ISP_CELLS]; /* nodes, in an order that is the rival's */
  uint16_t bits;
};

struct isp_rival {
  const char *name;
  bool sorted; /* its cells have no order: they hold ascending nodes */
  /* Access a node: the states that may follow, at most ISP_CELLS, into `next`;
   * returns how many. */
  unsigned (*access)(const struct isp_state *state, unsigned nodes,
                     unsigned node, struct isp_state *next);
};

extern const struct isp_rival isp_rivals[]; /* ends with a NULL name */
const struct isp_rival *isp_rival_find(const char *name);

/* Is `node` in the rival's TC? */
bool isp_state_has(const struct isp_state *state, unsigned node);

/*
 * Symmetries: if the children of a node change places, with all that is below
 * them, nothing changes for a policy that does not know the tree's numbers.  So
 * of all states that a symmetry maps to each other, the game needs one.  to[i]
 * maps nodes, and to[0] each to itself.
 */
struct isp_symmetry {
  size_t count;
  uint8_t (*to)[ISP_NODES];
};

/* 0, or -1 with ENOMEM; then the caller frees symmetry->to. */
int isp_symmetry_init(struct isp_symmetry *symmetry,
                      const struct isp_tree *tree);

/* Replaces the state by the least one that a symmetry maps it to; returns which
 * symmetry does that. */
size_t isp_symmetry_least(const struct isp_symmetry *symmetry, bool sorted,
                          struct isp_state *state);

/* Where a symmetry maps a set of nodes. */
uint32_t isp_symmetry_image(const struct isp_symmetry *symmetry, size_t which,
                            uint32_t nodes);

struct isp_answer {
  bool wins;
  unsigned rounds; /* it loses: pages of the shortest stream; else: until
                    * nothing changed */
  size_t states;   /* of the rival, but for symmetries */
  size_t segments; /* of W + a nodes or fewer */
  size_t moves;    /* of the rival, over all states */
};

/*
 * Play against `rival` on `nodes` (W) cells with `more` (a) cells.  It loses if
 * W + a cells do not hold a path.  0, or -1 with ENOMEM, or ERANGE if need grew
 * beyond what fits a byte before an answer was found.
 */
int isp_game(const struct isp_tree *tree, const struct isp_rival *rival,
             unsigned nodes, unsigned more, struct isp_answer *answer);
