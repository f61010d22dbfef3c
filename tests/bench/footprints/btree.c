/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A B-tree as in Cormen et al., chapter "B-Trees": full nodes are split on the
 * way down. */
#include <stdlib.h>
#include <string.h>

#include "tests/bench/footprints/footprints.h"

enum { LEAST = 16, MOST = 2 * LEAST - 1 }; /* keys of a node */

struct node {
  uint64_t count, key[MOST];
  struct node *child[MOST + 1]; /* of a leaf, none */
};

/* Random nodes are two thirds full, or somewhat more. */
size_t btree_keys_of(size_t bytes) {
  return bytes / (sizeof(struct node) + 16) * 21;
}

uint64_t btree_key(uint64_t i) { return cpu_random_at(4, i); }

uint64_t btree_wanted(uint64_t i, size_t keys) {
  uint64_t bits = cpu_random_at(5, i);
  return btree_key(cpu_random_take(&bits, 2 * keys));
}

static struct node *new_node(void) {
  return footprint_got(calloc(1, sizeof(struct node)));
}

/* How many keys of a node are less. */
static uint64_t place_of(const struct node *node, uint64_t key) {
  uint64_t at = 0;
  while (at < node->count && node->key[at] < key) at++;
  return at;
}

static void make_room(struct node *node, uint64_t at) {
  memmove(node->key + at + 1, node->key + at,
          (node->count - at) * sizeof *node->key);
  memmove(node->child + at + 2, node->child + at + 1,
          (node->count - at) * sizeof *node->child);
  node->count++;
}

/* The full child `at` becomes two, with its middle key between them. */
static void split(struct node *node, uint64_t at) {
  struct node *low = node->child[at], *high = new_node();
  low->count = high->count = LEAST - 1;
  memcpy(high->key, low->key + LEAST, (LEAST - 1) * sizeof *high->key);
  memcpy(high->child, low->child + LEAST, LEAST * sizeof *high->child);
  make_room(node, at);
  node->key[at] = low->key[LEAST - 1];
  node->child[at + 1] = high;
}

static struct node *insert(struct node *root, uint64_t key) {
  if (root->count == MOST) {
    struct node *old = root;
    root = new_node();
    root->child[0] = old;
    split(root, 0);
  }
  struct node *node = root;
  uint64_t at = place_of(node, key);
  while (node->child[0]) {
    if (node->child[at]->count == MOST) {
      split(node, at);
      at += node->key[at] < key;
    }
    node = node->child[at];
    at = place_of(node, key);
  }
  make_room(node, at);
  node->key[at] = key;
  return root;
}

static int has(const struct node *node, uint64_t key) {
  while (node) {
    uint64_t at = place_of(node, key);
    if (at < node->count && node->key[at] == key) return 1;
    node = node->child[at];
  }
  return 0;
}

static void free_nodes(struct node *node) {
  for (uint64_t i = 0; node->child[0] && i <= node->count; i++)
    free_nodes(node->child[i]);
  free(node);
}

uint64_t btree(size_t bytes, uint64_t look_ups) {
  const size_t keys = btree_keys_of(bytes);
  struct node *root = new_node();
  uint64_t sum = 0;
  for (uint64_t i = 0; i < keys; i++) root = insert(root, btree_key(i));
  for (uint64_t i = 0; i < look_ups; i++) {
    uint64_t key = btree_wanted(i, keys);
    if (has(root, key)) sum += key;
  }
  free_nodes(root);
  return sum;
}
