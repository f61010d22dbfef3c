/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/nested_key.h -- a word for each node, where one TC holds nodes of both
 * trees.  Internal to vat/. */
#pragma once
#include <stdint.h>

enum nested_tree { NESTED_GUEST, NESTED_HOST, NESTED_TREES };

/* The node on `layer` above `page`; UINT64_MAX is none. */
static inline uint64_t nested_key(enum nested_tree tree, unsigned index_bits,
                                  uint64_t page, unsigned layer) {
  unsigned shift = index_bits * layer;
  return (shift < 64 ? page >> shift : 0) << 5 | layer << 1 | tree;
}

static inline unsigned nested_key_layer(uint64_t key) { return key >> 1 & 15; }
static inline unsigned nested_key_tree(uint64_t key) { return key & 1; }
