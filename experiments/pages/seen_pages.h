/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/seen_pages.h -- pages of memory, each counted once however
 * many processes map it.
 *
 * A page is known by its frame, where the kernel tells it, or else by its file
 * and its place there. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct seen_key {
  uint64_t device, inode; /* 0, 0: `page` is a frame */
  uint64_t page;
};

struct seen_chunk;

/* Empty where zeroed. */
struct seen_pages {
  struct seen_chunk *at;
  size_t count, room;
};

/* False if it was there. */
bool seen_pages_add(struct seen_pages *set, struct seen_key key);
void seen_pages_fini(struct seen_pages *set);
