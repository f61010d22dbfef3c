/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/optimal_stack.h -- the list of nodes whose first W are what Belady's rule
 * keeps in W nodes, for all W at once (Mattson et al., IBM Systems Journal
 * 9(2), 1970, section on OPT).
 *
 * A node is known by the number of its next access, its key.  A node that
 * enters the list goes through it from the front: wherever it meets one that is
 * needed later, the two change places.  So the first n are always the n that
 * are needed soonest of those that came by.  It ends at a hole, where a node
 * has left, or behind the last.
 *
 * What is done with it: of a pass most nodes are not touched, as the one under
 * way is needed later than they.  Blocks of nodes know their latest and soonest
 * key, and so do groups of blocks; and keys in ascending order, which is what
 * nested programs lead to, are passed in O(1) a block where all move by one.
 * At worst a pass takes as long as the list is.
 * Internal to vat/.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { OPTIMAL_LEVELS = 8, OPTIMAL_FRONT = 16 };

/* The key of a node that is never accessed again. */
#define OPTIMAL_NEVER UINT64_MAX

struct optimal_range { /* of keys */
  uint64_t least, most;
};

struct optimal_block;

struct optimal_stack {
  uint64_t front[OPTIMAL_FRONT]; /* the first ones, without more ado */
  unsigned front_count;
  uint64_t count; /* of those behind them */
  uint64_t room;  /* in blocks */
  struct optimal_block *blocks;
  unsigned levels; /* of `ranges`; the last has one that covers all */
  struct optimal_range *ranges[OPTIMAL_LEVELS]; /* [0]: of the blocks */
};

void vat_optimal_stack_init(struct optimal_stack *stack);
void vat_optimal_stack_fini(struct optimal_stack *stack);

/* Make room for `more` nodes.  0, or -1 with ENOMEM. */
int vat_optimal_stack_reserve(struct optimal_stack *stack, uint64_t more);

/*
 * Let a node enter.  The first node with a key of at most `due`, if there is
 * one, leaves, and ends the pass; all keys before it, and `key`, are more.
 * Returns the place of the one that left, from 1, or 0; then there must be
 * room.
 */
uint64_t vat_optimal_stack_pass(struct optimal_stack *stack, uint64_t key,
                                uint64_t due);
