/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/optimal_stack.h"

#include <stdlib.h>

/* Larger blocks suit nested programs, smaller ones random pages: of 64 to 512
 * nodes a block these are near the best for both (EPYC, 1 MiB of L2). */
enum {
  LG_BLOCK = 7,
  BLOCK = 1 << LG_BLOCK,
  LG_GROUP = 4,
  GROUP = 1 << LG_GROUP
};

/*
 * A ring, so that keys in order can take one in front and give one away at the
 * end without moving the others.  All are in ascending order but the first few:
 * a hole is where the soonest of a block was, and what fills it need not be.
 */
struct optimal_block {
  uint64_t keys[BLOCK];
  unsigned start;
  unsigned loose; /* the first ones, in any order; less than all */
};

static const struct optimal_range nothing = {UINT64_MAX, 0};

void vat_optimal_stack_init(struct optimal_stack *stack) {
  *stack = (struct optimal_stack){.levels = 1};
}

void vat_optimal_stack_fini(struct optimal_stack *stack) {
  for (unsigned level = 0; level < OPTIMAL_LEVELS; level++)
    free(stack->ranges[level]);
  free(stack->blocks);
  vat_optimal_stack_init(stack);
}

/* Entries for a level: whole groups. */
static uint64_t entries(uint64_t room, unsigned level) {
  uint64_t count = room >> level * LG_GROUP;
  return (count / GROUP + 1) * GROUP;
}

static int grow_level(struct optimal_stack *stack, unsigned level,
                      uint64_t room) {
  uint64_t count = entries(room, level);
  uint64_t before = stack->ranges[level] ? entries(stack->room, level) : 0;
  struct optimal_range *ranges =
      reallocarray(stack->ranges[level], count, sizeof *ranges);
  if (!ranges) return -1;
  for (uint64_t i = before; i < count; i++) ranges[i] = nothing;
  stack->ranges[level] = ranges;
  return 0;
}

/* The range of a group from those of its members. */
static void refresh(struct optimal_stack *stack, unsigned level,
                    uint64_t index) {
  const struct optimal_range *member =
      &stack->ranges[level - 1][index << LG_GROUP];
  struct optimal_range range = nothing;
  for (unsigned i = 0; i < GROUP; i++) {
    if (member[i].least < range.least) range.least = member[i].least;
    if (member[i].most > range.most) range.most = member[i].most;
  }
  stack->ranges[level][index] = range;
}

int vat_optimal_stack_reserve(struct optimal_stack *stack, uint64_t more) {
  uint64_t need = (stack->count + more) / BLOCK + 1, room = 2 * need;
  if (need <= stack->room) return 0;
  struct optimal_block *blocks =
      reallocarray(stack->blocks, room, sizeof *blocks);
  if (!blocks) return -1;
  stack->blocks = blocks;
  unsigned levels = 1;
  while ((room - 1) >> (levels - 1) * LG_GROUP) levels++;
  for (unsigned level = 0; level < levels; level++)
    if (grow_level(stack, level, room)) return -1;
  for (; stack->levels < levels; stack->levels++)
    refresh(stack, stack->levels, 0);
  stack->room = room;
  return 0;
}

/* A node on its way through the list. */
struct pass {
  uint64_t key, due;
  uint64_t place; /* where one left, or 0 */
};

/* Put a key among the ordered ones of a block, the last of which goes on. */
static void shift(struct optimal_block *block, unsigned count,
                  struct pass *pass) {
  uint64_t *keys = block->keys, key = pass->key;
  unsigned start = block->start, low = block->loose, high = count - 1;
  pass->key = keys[(start + count - 1) % BLOCK];
  if (key < keys[(start + low) % BLOCK]) high = low; /* the common case */
  while (low < high) { /* the first that is needed later than it */
    unsigned middle = (low + high) / 2;
    if (keys[(start + middle) % BLOCK] > key)
      high = middle;
    else
      low = middle + 1;
  }
  if (low < count / 2) {
    block->start = start = (start + BLOCK - 1) % BLOCK;
    for (unsigned i = 0; i < low; i++)
      keys[(start + i) % BLOCK] = keys[(start + i + 1) % BLOCK];
  } else {
    for (unsigned i = count - 1; i > low; i--)
      keys[(start + i) % BLOCK] = keys[(start + i - 1) % BLOCK];
  }
  keys[(start + low) % BLOCK] = key;
}

/* The loose ones of a block, one by one; leaves their range. */
static void pass_loose(struct optimal_block *block, struct pass *pass,
                       struct optimal_range *range) {
  *range = nothing;
  for (unsigned i = 0; i < block->loose; i++) {
    uint64_t *at = &block->keys[(block->start + i) % BLOCK], kept = *at;
    if (kept <= pass->due && !pass->place) {
      pass->place = i + 1;
      kept = pass->key;
      pass->key = OPTIMAL_NEVER; /* nothing is under way any more */
    } else if (kept > pass->key) {
      kept = pass->key;
      pass->key = *at;
    }
    *at = kept;
    if (kept < range->least) range->least = kept;
    if (kept > range->most) range->most = kept;
  }
}

static void pass_block(struct optimal_stack *stack, uint64_t index,
                       struct pass *pass) {
  struct optimal_block *block = &stack->blocks[index];
  struct optimal_range *range = &stack->ranges[0][index];
  uint64_t rest = stack->count - index * BLOCK, *keys = block->keys;
  unsigned count = rest < BLOCK ? (unsigned)rest : BLOCK;
  pass_loose(block, pass, range);
  uint64_t *first = &keys[(block->start + block->loose) % BLOCK];
  if (!pass->place && *first <= pass->due) {
    *first = pass->key;
    pass->place = ++block->loose;
    if (*first > range->most) range->most = *first;
  } else if (!pass->place &&
             pass->key < keys[(block->start + count - 1) % BLOCK]) {
    shift(block, count, pass);
  }
  while (block->loose && (block->loose == count ||
                          keys[(block->start + block->loose - 1) % BLOCK] <=
                              keys[(block->start + block->loose) % BLOCK]))
    block->loose--;
  uint64_t least = keys[(block->start + block->loose) % BLOCK];
  uint64_t most = keys[(block->start + count - 1) % BLOCK];
  if (least < range->least) range->least = least;
  if (most > range->most) range->most = most;
  if (pass->place) pass->place += index * BLOCK;
}

/* Those of a group that have a hole or a node that is needed later. */
static void pass_group(struct optimal_stack *stack, unsigned level,
                       uint64_t index, struct pass *pass) {
  if (!level) {
    pass_block(stack, index, pass);
    return;
  }
  uint64_t first = index << LG_GROUP;
  const struct optimal_range *member = &stack->ranges[level - 1][first];
  for (unsigned i = 0; i < GROUP && !pass->place; i++)
    if (member[i].most > pass->key || member[i].least <= pass->due)
      pass_group(stack, level - 1, first + i, pass);
  refresh(stack, level, index);
}

/* Behind the last. */
static void append(struct optimal_stack *stack, uint64_t key) {
  uint64_t index = stack->count / BLOCK;
  unsigned at = stack->count++ % BLOCK;
  struct optimal_block *block = &stack->blocks[index];
  if (!at) *block = (struct optimal_block){0};
  /* The key has passed all others of the list, none of which is more. */
  block->keys[(block->start + at) % BLOCK] = key;
  for (unsigned level = 0; level < stack->levels; level++) {
    struct optimal_range *range = &stack->ranges[level][index];
    if (key < range->least) range->least = key;
    range->most = key;
    index >>= LG_GROUP;
  }
}

uint64_t vat_optimal_stack_pass(struct optimal_stack *stack, uint64_t key,
                                uint64_t due) {
  for (unsigned i = 0; i < stack->front_count; i++) {
    uint64_t kept = stack->front[i];
    if (kept <= due) {
      stack->front[i] = key;
      return i + 1;
    }
    stack->front[i] = kept < key ? kept : key;
    key = kept < key ? key : kept;
  }
  if (stack->front_count < OPTIMAL_FRONT) {
    stack->front[stack->front_count++] = key;
    return 0;
  }
  struct pass pass = {.key = key, .due = due};
  if (stack->count) pass_group(stack, stack->levels - 1, 0, &pass);
  if (pass.place) return OPTIMAL_FRONT + pass.place;
  append(stack, pass.key);
  return 0;
}
