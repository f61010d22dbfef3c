/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/segments.h -- shared memory that was looked at, each part of
 * it once, however many processes map it.
 *
 * A part is known by its file's device and inode, which shared memory without
 * a name has, too, by where in the file it begins, and by the choice that it
 * is of.  Of what processes see of it, the most is kept.  Processes may write
 * at once, and one may end in the midst of it: there is no lock.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { SEGMENTS = 512 };

/* All zeros: none. */
struct segments {
  struct segment {
    uint64_t key; /* 0: free; else a hash, and the choice in its low bits */
    uint64_t asked, granted; /* bytes */
  } at[SEGMENTS];
};

struct segment_place {
  uint64_t device, inode, offset;
  uint32_t choice; /* below RULES_CHOICES */
};

/* False where there is no room. */
bool segments_keep(struct segments *segments, const struct segment_place *place,
                   uint64_t asked, uint64_t granted);

/* Of these, all that are there. */
void segments_merge(struct segments *to, const struct segments *from);

uint32_t segment_choice(const struct segment *segment);
