/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/sized_pages.h"

/* Within the place of one huge page, so that no page of the size is cut. */
static size_t read_part(struct sized_pages *sized, uintptr_t start,
                        uintptr_t end) {
  const struct hp_pagemap *map = &sized->map;
  size_t found = 0, base = map->page_bytes;
  if (hp_pagemap_read(&sized->map, start, end)) return 0; /* it is gone */
  for (size_t i = 0; i < (end - start) / base; i++)
    if (map->page[i].present && !map->page[i].huge &&
        base << map->page[i].order == sized->page_bytes)
      found += base;
  return found;
}

size_t sized_pages_of(struct sized_pages *sized, uintptr_t start,
                      uintptr_t end) {
  size_t found = 0, block = sized->map.most * sized->map.page_bytes;
  for (uintptr_t at = start, next; at < end; at = next) {
    uintptr_t first = hp_pagemap_next(&sized->map, at, end);
    if (first >= end) break;
    if (first / block > at / block) at = first / block * block;
    next = (at / block + 1) * block;
    if (next > end) next = end;
    found += read_part(sized, at, next);
  }
  return found;
}
