/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/look.h -- what the kernel granted of what was chosen, by the
 * text of /proc/PID/smaps.
 *
 * Of each choice: the bytes that have memory, and those of them on pages of the
 * kind that was asked for, and of other larger pages.  Pages of THP below 2 MiB
 * are told by their frames.  Memory that was recorded counts by its record; the
 * rest by its name or kind: the heap, the main stack, files, private anonymous
 * mappings.  Where a mapping has memory of several choices, what it has is
 * divided by their lengths.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "experiments/exec/ranges.h"
#include "experiments/exec/rules.h"
#include "experiments/exec/segments.h"
#include "experiments/exec/sized_pages.h"

enum {                       /* flags of a choice in a process */
       LOOK_OWN_MALLOC = 1,  /* malloc is the program's own */
       LOOK_POOL_EMPTY = 2,  /* hugetlb pages were asked for in vain */
       LOOK_OTHER_BUILD = 4, /* an object is not the one of the plan */
       LOOK_SANDBOX = 8,     /* seccomp: nothing is chosen from then on */
       LOOK_FORKED = 16,     /* a child has no pages of the pool */
       LOOK_THREADS = 32,    /* there were some before main() */
       LOOK_NO_EXEC = 64,    /* no memory may become executable */
       LOOK_CONFINED = 128,  /* a sandbox was there from the start */
       LOOK_UNSEEN = 256,    /* frames were not told: `granted` is too low */
       LOOK_DONE = 512       /* its memory was looked at */
};

enum { LOOK_HUGE = 2 << 20 };

/* In bytes. */
struct look_sum {
  uint64_t asked, granted;
  uint64_t other; /* on larger pages, but of another kind than was asked for */
  /* On base pages, where no page of LOOK_HUGE, or of its size, has room: in
   * mappings without one, and at most so many at the ends of others. */
  uint64_t small, ends;
  uint64_t flags;
};

/*
 * Add to `sums`, one for each choice, what smaps on `fd` says, but shared
 * memory to `segments` as long as there is room.  `ranges` may be a copy of
 * another process's whose chunks are copies, too.  `sized` is that process's,
 * where its pages of THP are below 2 MiB, which smaps does not tell; NULL: it
 * could not be opened, or they are not.  One call at a time: what
 * it reads is not on the stack, which may be small.
 */
void look_at(int fd, const struct rules *rules, const struct ranges *ranges,
             struct look_sum *sums, struct segments *segments,
             struct sized_pages *sized);

/*
 * What a library leaves for vat: memory that both map, found by the path in
 * VAT_REPORT.  A slot is a process's, also of one that executes other programs;
 * its sums are those of its best look.
 */
struct look_slot {
  int pid;         /* 0: free; negative: ended, by the process itself */
  uint64_t space;  /* of process numbers, that `pid` is from; 0: unknown */
  uint64_t ranges; /* where it has its struct ranges */
  struct look_sum sums[];
};

enum { LOOK_SLOTS = 2048 };

struct look_area {
  uint32_t choices, slots;
  uint32_t missed;        /* processes that found no slot */
  uint32_t used;          /* slots that were ever taken: a bound */
  struct segments shared; /* of all processes: the best looks */
};

size_t look_slot_bytes(uint32_t choices);
size_t look_area_bytes(uint32_t choices, uint32_t slots);
struct look_slot *look_slot_at(struct look_area *area, uint32_t number);

void look_add(struct look_sum *to, const struct look_sum *from);

/* Keep of each sum the one that asked for more. */
void look_keep_best(struct look_sum *best, const struct look_sum *sums,
                    uint32_t choices);
