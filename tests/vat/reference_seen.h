/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/vat/reference_seen.h -- a cache of translations by its definition:
 * every access that it ever saw is kept, and an entry is held just if fewer
 * others of its set than there are ways were accessed since. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vat/tlb.h"

enum { SEEN_MOST = 1000 };

/* An entry is a block of bytes. */
struct seen_entry {
  uint64_t start, bytes;
};
struct seen {
  struct tlb_cache_shape shape; /* no entries: there is no such cache */
  struct seen_entry entry[SEEN_MOST];
  size_t count;
};

/* The one of 2^bits bytes that the address is in. */
struct seen_entry seen_block(uint64_t address, unsigned bits);
/* Access it, at most SEEN_MOST times: was it held? */
bool seen_touch(struct seen *seen, struct seen_entry entry);
