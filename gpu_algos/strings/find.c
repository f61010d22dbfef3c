/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What matching strings is checked by: a binary search a query, letter by
 * letter, on the processor. */
#include "gpu_algos/strings/texts.h"

/* Below 0: the suffix is before all that begin with the query; 0: it is one of
 * them.  Behind its end are zeros, which no query has. */
static int order(const struct gpu_text *text, uint32_t suffix,
                 const uint32_t *query, uint32_t letters) {
  for (uint64_t i = 0; i < letters; i++) {
    uint32_t a = gpu_text_letter(text->text, suffix + i);
    uint32_t b = gpu_text_letter(query, i);
    if (a != b) return a < b ? -1 : 1;
  }
  return 0;
}

/* How many suffixes are of an order below `limit`. */
static uint32_t count_below(const struct gpu_text *text, const uint32_t *query,
                            uint32_t letters, int limit) {
  uint32_t low = 0, high = text->letters;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (order(text, text->suffixes[middle], query, letters) < limit)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const char *gpu_text_check(const struct algo_run *run) {
  struct gpu_text text = gpu_text_of(run);
  for (uint64_t q = 0; q < text.queries; q++) {
    const uint32_t *query = text.sought + text.bounds[2 * q];
    uint32_t letters = text.bounds[2 * q + 1];
    uint32_t first = count_below(&text, query, letters, 0);
    uint32_t end = count_below(&text, query, letters, 1);
    if (first == end) first = end = 0;
    if (text.found[2 * q] != first || text.found[2 * q + 1] != end)
      return "a query is not found where it occurs, or where it does not";
  }
  return NULL;
}
