/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/cat_lanes.h -- the consecutive translations of a stream: which accesses
 * belong to a CAT (Jurkiewicz, PhD thesis, Definition 2.33).
 *
 * Several sequences may go on at once, each in a lane.  A lane is at the page
 * it accessed last, and the next access is of the lane that is at its page; or
 * else of the nearest one that may step there: forwards or backwards, as it
 * has stepped before, by at most `step` pages, having `tau` accesses for each
 * page that is then behind it; or else it begins a lane.  A lane ends when more
 * than `gap` accesses were not its own.  Its longest beginning that has
 * `length` accesses and `tau` for each page is a CAT.
 *
 * Accesses come out in the order they went in, as soon as it is settled what
 * they are.  Internal to vat/.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cat_state { CAT_OPEN, CAT_YES, CAT_NO };

struct cat_access {
  uint64_t before;       /* the one before of its lane still open, or itself */
  uint8_t misses, state; /* enum cat_state */
  bool far;
};

struct cat_lane {
  uint64_t page;
  uint64_t count, pages; /* accesses; pages from its first to this one */
  uint64_t last;         /* number of its last access */
  uint64_t open;         /* number of its last open access, if `is_open` */
  uint32_t next, newer, older; /* in its chain of the hash; in the list */
  int8_t direction;            /* of its pages: 1, -1; 0: not known yet */
  bool is_open, is_cat;
};

struct cat_lanes {
  uint64_t tau, length, gap, step;
  struct cat_lane *lanes; /* [0]: sentinel of the list, newest first */
  uint32_t *chains;       /* first lane; 0: none */
  uint32_t used, spare;   /* slots handed out ever; the first given back */
  uint32_t current;       /* the lane of the last access; 0: none yet */
  unsigned shift;         /* of a hash, gives the chain */
  struct cat_access *ring;
  size_t ring_size;    /* a power of two */
  uint64_t begin, end; /* numbers of the accesses in the ring */
  uint64_t sequences;  /* CATs so far */
};

/* 0, or -1 with ENOMEM. */
int vat_cat_lanes_init(struct cat_lanes *lanes);
void vat_cat_lanes_fini(struct cat_lanes *lanes);

/* The next access, what is told of it kept for when it comes out.  0, or -1
 * with ENOMEM. */
int vat_cat_lanes_access(struct cat_lanes *lanes, uint64_t page,
                         unsigned misses, bool far);
/* No more accesses: all are settled. */
void vat_cat_lanes_end(struct cat_lanes *lanes);

/* The oldest access if it is settled, which leaves; or NULL. */
static inline const struct cat_access *cat_lanes_take(struct cat_lanes *lanes) {
  if (lanes->begin == lanes->end) return NULL;
  const struct cat_access *oldest =
      &lanes->ring[lanes->begin & (lanes->ring_size - 1)];
  if (oldest->state == CAT_OPEN) return NULL;
  lanes->begin++;
  return oldest;
}
