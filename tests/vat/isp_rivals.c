/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/vat/isp_game.h"

int isp_tree_init(struct isp_tree *tree, unsigned children, unsigned levels) {
  unsigned nodes = 1, pages = 1;
  for (unsigned layer = 0; layer < levels; layer++) {
    pages *= children;
    nodes += pages;
    if (nodes > ISP_NODES) return -1;
  }
  *tree = (struct isp_tree){children, levels, nodes, nodes - pages, pages};
  return 0;
}

unsigned isp_extra_cells(unsigned children, unsigned levels, uint64_t nodes) {
  uint64_t tree = 1, subtree = 1; /* nodes, with so many layers: */
  unsigned layers = 1;
  for (unsigned layer = 0; layer < levels; layer++) tree = children * tree + 1;
  while (layers < levels && children * subtree + nodes <= tree) {
    subtree = children * subtree + 1;
    layers++;
  }
  return layers - 1;
}

unsigned isp_tree_node(const struct isp_tree *tree, unsigned page,
                       unsigned layer) {
  unsigned node = tree->leaf + page;
  while (layer-- > 0) node = (node - 1) / tree->children;
  return node;
}

static unsigned place(const struct isp_state *state, unsigned node) {
  unsigned at = 0;
  while (at < state->used && state->cell[at] != node) at++;
  return at;
}

bool isp_state_has(const struct isp_state *state, unsigned node) {
  return place(state, node) < state->used;
}

static void take_out(struct isp_state *state, unsigned at) {
  memmove(&state->cell[at], &state->cell[at + 1], state->used - at - 1u);
  state->cell[--state->used] = 0;
}

static void append(struct isp_state *state, unsigned node) {
  state->cell[state->used++] = (uint8_t)node;
}

/* The first is the least recent. */
static unsigned lru(const struct isp_state *state, unsigned nodes,
                    unsigned node, struct isp_state *next) {
  *next = *state;
  if (isp_state_has(state, node))
    take_out(next, place(state, node));
  else if (state->used == nodes)
    take_out(next, 0);
  append(next, node);
  return 1;
}

/* The first was loaded first. */
static unsigned fifo(const struct isp_state *state, unsigned nodes,
                     unsigned node, struct isp_state *next) {
  *next = *state;
  if (isp_state_has(state, node)) return 1;
  if (state->used == nodes) take_out(next, 0);
  append(next, node);
  return 1;
}

/* The last was loaded last, and goes first. */
static unsigned lifo(const struct isp_state *state, unsigned nodes,
                     unsigned node, struct isp_state *next) {
  *next = *state;
  if (isp_state_has(state, node)) return 1;
  if (state->used == nodes) take_out(next, nodes - 1);
  append(next, node);
  return 1;
}

/* The hand is at the first; bit i: cell i is marked. */
static unsigned clock_hand(const struct isp_state *state, unsigned nodes,
                           unsigned node, struct isp_state *next) {
  unsigned at = place(state, node);
  *next = *state;
  if (at == state->used) {
    while (next->used == nodes) {
      bool marked = next->bits & 1;
      unsigned first = next->cell[0];
      take_out(next, 0);
      next->bits >>= 1;
      if (!marked) break;
      append(next, first);
    }
    at = next->used;
    append(next, node);
  }
  next->bits |= (uint16_t)(1u << at);
  return 1;
}

/* As in vat/plru.c; bit i: of inner node i. */
static unsigned plru(const struct isp_state *state, unsigned nodes,
                     unsigned node, struct isp_state *next) {
  unsigned at = place(state, node);
  *next = *state;
  if (at == nodes) {
    unsigned i = 1;
    while (i < nodes) i = 2 * i + (state->bits >> i & 1);
    at = i - nodes;
    next->cell[at] = (uint8_t)node;
  } else if (at == state->used) {
    append(next, node);
  }
  for (unsigned i = nodes + at; i > 1; i /= 2) {
    next->bits &= (uint16_t) ~(1u << i / 2);
    if (i % 2 == 0) next->bits |= (uint16_t)(1u << i / 2);
  }
  return 1;
}

/* Nodes in ascending order. */
static void put_sorted(struct isp_state *state, unsigned node) {
  unsigned at = state->used++;
  for (; at > 0 && state->cell[at - 1] > node; at--)
    state->cell[at] = state->cell[at - 1];
  state->cell[at] = (uint8_t)node;
}

/* Whatever is evicted: all policies, online or not, at once. */
static unsigned any(const struct isp_state *state, unsigned nodes,
                    unsigned node, struct isp_state *next) {
  bool hit = isp_state_has(state, node);
  if (hit || state->used < nodes) {
    *next = *state;
    if (!hit) put_sorted(next, node);
    return 1;
  }
  for (unsigned i = 0; i < nodes; i++) {
    next[i] = *state;
    take_out(&next[i], i);
    put_sorted(&next[i], node);
  }
  return nodes;
}

const struct isp_rival isp_rivals[] = {{"lru", false, lru},
                                       {"fifo", false, fifo},
                                       {"clock", false, clock_hand},
                                       {"plru", false, plru},
                                       {"lifo", false, lifo},
                                       {"any", true, any},
                                       {0}};

const struct isp_rival *isp_rival_find(const char *name) {
  for (const struct isp_rival *r = isp_rivals; r->name; r++)
    if (!strcmp(r->name, name)) return r;
  return NULL;
}
