/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/ranges.h -- the memory of a program that vat exec's library
 * gave larger pages, so that it can be looked at, also by vat from outside.
 *
 * Records are seized by one exchange: a lock could be held by a thread that
 * fork leaves behind.  Their chunks stay where they are.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiments/exec/rules.h"

enum {
  RANGES_CHUNK = 1024,  /* records */
  RANGES_CHUNKS = 1024, /* 2^20 records */
  RANGES_FREE = 0,      /* `start` of a record: of none, */
  RANGES_BUSY = 1,      /* of one that is being made */
  RANGES_ARENA = -2     /* `choice`: blocks of several, see `cut` */
};

struct range {
  uintptr_t start;
  size_t bytes;
  /* The mapping that has it, or is it. */
  uintptr_t base;
  size_t mapped;
  int choice;
};

struct ranges {
  struct range *chunk[RANGES_CHUNKS];
  uint32_t used;     /* records that were ever used: a bound */
  uint32_t next;     /* where to look for a free one */
  uint64_t live;     /* bytes of them all */
  uint32_t choices;  /* of the plan */
  uint32_t lg_huge;  /* of the bytes of a page of a pool; 0: THP */
  uint32_t lg_small; /* of those of a page of THP below 2 MiB; 0: not those */
  /* Bytes that each choice has been given in arenas, for shares of those. */
  uint64_t cut[RULES_CHOICES];
  uint8_t flags[RULES_CHOICES]; /* see look.h */
};

/* Record it.  Returns its number, or UINT32_MAX where there is no room. */
uint32_t ranges_add(struct ranges *ranges, const struct range *range);
struct range *ranges_at(const struct ranges *ranges, uint32_t number);
void ranges_remove(struct ranges *ranges, uint32_t number);
