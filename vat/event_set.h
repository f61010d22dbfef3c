/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/event_set.h -- a set of whole numbers with a fast maximum.
 *
 * A bitmap with a bitmap of its nonempty words above it, and so on up to one
 * word: O(log64 n) an operation, and in practice one or two words.
 *
 * It is all the state that Belady's rule needs.  Number the accesses of a
 * stream; then a node in the cache is known by the number of its next access,
 * so that access number e is a hit iff e is in the set, and the victim is the
 * maximum.  No node is ever looked up.  Internal to vat/.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { EVENT_LEVELS = 7 }; /* 64^7 > 2^40 */

struct event_set {
  uint64_t *words[EVENT_LEVELS]; /* [0]: the members */
  unsigned levels;
};

/* An empty set of numbers below `limit`; 0, or -1 with ENOMEM. */
int vat_event_set_init(struct event_set *set, uint64_t limit);
void vat_event_set_fini(struct event_set *set); /* a zeroed one is fine */

static inline bool event_set_has(const struct event_set *set, uint64_t e) {
  return set->words[0][e / 64] >> e % 64 & 1;
}

static inline void event_set_add(struct event_set *set, uint64_t e) {
  for (unsigned level = 0; level < set->levels; level++, e /= 64) {
    uint64_t *word = &set->words[level][e / 64], before = *word;
    *word = before | UINT64_C(1) << e % 64;
    if (before) return; /* nonempty, so marked above already */
  }
}

static inline void event_set_remove(struct event_set *set, uint64_t e) {
  for (unsigned level = 0; level < set->levels; level++, e /= 64) {
    uint64_t *word = &set->words[level][e / 64];
    *word &= ~(UINT64_C(1) << e % 64);
    if (*word) return;
  }
}

static inline bool event_set_empty(const struct event_set *set) {
  return !set->words[set->levels - 1][0];
}

/* The largest member of a set that is not empty. */
static inline uint64_t event_set_max(const struct event_set *set) {
  uint64_t at = 0;
  for (unsigned level = set->levels; level-- > 0;)
    at = at * 64 + 63 - (unsigned)__builtin_clzll(set->words[level][at]);
  return at;
}
