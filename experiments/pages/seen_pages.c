/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An open hash table of chunks of pages in a row, a bit for each page: 100 GB
 * in one row are 3 MB. */
#include "experiments/pages/seen_pages.h"

#include <config.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"

enum { LG_CHUNK = 9, CHUNK_WORDS = (1 << LG_CHUNK) / 64 };

struct seen_chunk {
  struct seen_key key; /* `page` of the chunk's first page >> LG_CHUNK */
  bool used;
  uint64_t bits[CHUNK_WORDS];
};

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/* Where it is, or is to be. */
static struct seen_chunk *find(const struct seen_pages *set,
                               const struct seen_key *key) {
  uint64_t hash = mix(mix(mix(1, key->device), key->inode), key->page);
  for (size_t i = hash & (set->room - 1);; i = (i + 1) & (set->room - 1)) {
    struct seen_chunk *chunk = &set->at[i];
    if (!chunk->used ||
        (chunk->key.page == key->page && chunk->key.inode == key->inode &&
         chunk->key.device == key->device))
      return chunk;
  }
}

static void grow(struct seen_pages *set) {
  struct seen_pages next = {.room = set->room ? 2 * set->room : 64,
                            .count = set->count};
  next.at = memory_zeroed(next.room, sizeof *next.at);
  for (size_t i = 0; i < set->room; i++)
    if (set->at[i].used) *find(&next, &set->at[i].key) = set->at[i];
  free(set->at);
  *set = next;
}

bool seen_pages_add(struct seen_pages *set, struct seen_key key) {
  uint64_t page = key.page & ((1 << LG_CHUNK) - 1), bit = 1;
  bit <<= page % 64;
  key.page >>= LG_CHUNK;
  if (2 * set->count >= set->room) grow(set);
  struct seen_chunk *chunk = find(set, &key);
  set->count += !chunk->used;
  chunk->used = true;
  chunk->key = key;
  uint64_t *word = &chunk->bits[page / 64];
  if (*word & bit) return false;
  *word |= bit;
  return true;
}

void seen_pages_fini(struct seen_pages *set) {
  free(set->at);
  *set = (struct seen_pages){0};
}
