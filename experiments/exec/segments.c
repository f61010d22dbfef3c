/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/segments.h"

#include "experiments/exec/rules.h"

/* 54 bits of a hash: of 512 parts, two are alike in one of 10^11 cases. */
static uint64_t key_of(const struct segment_place *place) {
  const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t hash = (place->device + 1) * factor;
  hash = (hash ^ hash >> 32 ^ place->inode) * factor;
  hash = (hash ^ hash >> 29 ^ place->offset) * factor;
  hash ^= hash >> 32;
  uint64_t key = hash / RULES_CHOICES * RULES_CHOICES;
  return (key ? key : RULES_CHOICES) + place->choice % RULES_CHOICES;
}

uint32_t segment_choice(const struct segment *segment) {
  return (uint32_t)(segment->key % RULES_CHOICES);
}

static void raise_to(uint64_t *most, uint64_t value) {
  uint64_t known = __atomic_load_n(most, __ATOMIC_RELAXED);
  while (known < value &&
         !__atomic_compare_exchange_n(most, &known, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
}

static bool keep(struct segments *segments, const struct segment *seen) {
  for (uint32_t i = 0; i < SEGMENTS; i++) {
    struct segment *segment =
        &segments->at[(seen->key / RULES_CHOICES + i) % SEGMENTS];
    uint64_t none = 0;
    if (!__atomic_compare_exchange_n(&segment->key, &none, seen->key, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
        none != seen->key)
      continue;
    raise_to(&segment->asked, seen->asked);
    raise_to(&segment->granted, seen->granted);
    return true;
  }
  return false;
}

bool segments_keep(struct segments *segments, const struct segment_place *place,
                   uint64_t asked, uint64_t granted) {
  struct segment seen = {key_of(place), asked, granted};
  return keep(segments, &seen);
}

void segments_merge(struct segments *to, const struct segments *from) {
  for (uint32_t i = 0; i < SEGMENTS; i++)
    if (from->at[i].key) keep(to, &from->at[i]);
}
