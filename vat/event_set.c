/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/event_set.h"

#include <stdlib.h>

int vat_event_set_init(struct event_set *set, uint64_t limit) {
  *set = (struct event_set){0};
  uint64_t bits = limit ? limit : 1;
  do {
    uint64_t words = (bits + 63) / 64;
    uint64_t *level = calloc(words, sizeof *level);
    if (!level) {
      vat_event_set_fini(set);
      return -1;
    }
    set->words[set->levels++] = level;
    bits = words;
  } while (bits > 1);
  return 0;
}

void vat_event_set_fini(struct event_set *set) {
  for (unsigned level = 0; level < set->levels; level++)
    free(set->words[level]);
  *set = (struct event_set){0};
}
