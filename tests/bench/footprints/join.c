/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tests/bench/footprints/footprints.h"

struct slot {
  uint64_t key, value, unused[6]; /* key 0: free; a cache line */
};

static size_t slot_of(uint64_t key, size_t count) {
  struct cpu_random random = {key};
  return cpu_random_below(&random, count);
}

/* Linear probing, an eighth full; half of the keys looked for are there. */
uint64_t join(size_t bytes, uint64_t probes) {
  size_t count = bytes / sizeof(struct slot), rows = count / 8;
  struct slot *slots = footprint_got(calloc(count, sizeof *slots));
  uint64_t found = 0;
  for (uint64_t i = 1; i <= rows; i++) {
    size_t at = slot_of(i, count);
    while (slots[at].key) at = at + 1 < count ? at + 1 : 0;
    slots[at].key = slots[at].value = i;
  }
  for (uint64_t i = 0; i < probes; i++) {
    struct cpu_random random = {~i};
    uint64_t key = 1 + cpu_random_below(&random, 2 * rows);
    size_t at = slot_of(key, count);
    while (slots[at].key && slots[at].key != key)
      at = at + 1 < count ? at + 1 : 0;
    found += slots[at].value;
  }
  free(slots);
  return found;
}
