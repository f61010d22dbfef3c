/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/memory/node_pages.h -- on which pages nodes lie that an ordinary
 * allocator has put somewhere.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "huge_pages/region.h"

/* Numbers in memory of their own: where the nodes go there is nothing else. */
struct word_list {
  uint64_t *at;
  size_t count, capacity;
};

int word_list_add(struct word_list *list, uint64_t word); /* -1: ENOMEM */
void word_list_fini(struct word_list *list);              /* zeroed is fine */

struct node_pages {
  struct word_list runs; /* of pages: start, end, start, end, ... */
};

/* Note the pages of `bytes` (> 0) at `node`.  -1 with ENOMEM. */
int node_pages_add(struct node_pages *pages, const void *node, size_t bytes);

/* Add to `granted` what backs them; each must have been written to.  -1 with
 * errno as hp_pages_verify(). */
int node_pages_verify(struct node_pages *pages, struct hp_granted *granted);
void node_pages_fini(struct node_pages *pages); /* zeroed is fine */
