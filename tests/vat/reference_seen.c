/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/vat/reference_seen.h"

#include <assert.h>

struct seen_entry seen_block(uint64_t address, unsigned bits) {
  return (struct seen_entry){address >> bits << bits, UINT64_C(1) << bits};
}

static bool same(struct seen_entry a, struct seen_entry b) {
  return a.start == b.start && a.bytes == b.bytes;
}

/* Is the access number i the last one to its entry? */
static bool is_last(const struct seen *seen, size_t i) {
  for (size_t j = i + 1; j < seen->count; j++)
    if (same(seen->entry[i], seen->entry[j])) return false;
  return true;
}

bool seen_touch(struct seen *seen, struct seen_entry entry) {
  uint32_t sets =
      seen->shape.entries ? seen->shape.entries / seen->shape.ways : 0;
  uint32_t later = 0;
  size_t at = seen->count;
  if (!sets) return false;
  while (at > 0 && !same(seen->entry[at - 1], entry)) at--;
  for (size_t i = at; at && i < seen->count; i++) {
    struct seen_entry other = seen->entry[i];
    if (other.start / other.bytes % sets == entry.start / entry.bytes % sets)
      later += is_last(seen, i);
  }
  assert(seen->count < SEEN_MOST);
  seen->entry[seen->count++] = entry;
  return at && later < seen->shape.ways;
}
