/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/timeline.h"

#include <errno.h>
#include <stdlib.h>

enum { MOST_PRESENT = 1 << 29 };

int vat_timeline_init(struct timeline *line, uint32_t present) {
  *line = (struct timeline){.next = 1};
  if (present > MOST_PRESENT) {
    errno = ENOMEM;
    return -1;
  }
  uint32_t blocks = 4 * (present / TIMELINE_BLOCK + 1);
  line->room = blocks * TIMELINE_BLOCK;
  line->marks = calloc(blocks, TIMELINE_BLOCK / 8);
  line->tree = calloc(blocks + 1, sizeof *line->tree);
  if (!line->marks || !line->tree) {
    vat_timeline_fini(line);
    return -1;
  }
  while (line->present < present) timeline_put(line);
  return 0;
}

void vat_timeline_fini(struct timeline *line) {
  free(line->marks);
  free(line->tree);
  *line = (struct timeline){0};
}

void vat_timeline_close_block(struct timeline *line) {
  uint32_t block = ++line->blocks, count = 0;
  const uint64_t *marks = line->marks + (block - 1) * TIMELINE_WORDS;
  for (unsigned i = 0; i < TIMELINE_WORDS; i++)
    count += timeline_ones(marks[i]);
  for (uint32_t below = 1; below < (block & -block); below *= 2)
    count += line->tree[block - below];
  line->tree[block] = count;
}
