/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/batch.h -- accesses in a row that are looked at
 * together; see batch.c. */
#pragma once
#include "experiments/valgrind/code.h"
#include "experiments/valgrind/tool.h"

enum {
  VT_BATCH = 16,  /* accesses at most */
  VT_NO_BASE = -1 /* an address that is a constant */
};

/* An address as one that was known before and a distance from it. */
struct vt_relative {
  Int base; /* temporary, or VT_NO_BASE */
  Long offset;
};

struct vt_event {
  IRExpr *address;
  struct vt_relative relative;
  struct vt_line *line;
};

/* Accesses that are near each other, which are checked by one entry of the
 * table of recent pages. */
struct vt_group {
  UInt first, low, high, last; /* events */
  IRExpr *offset;              /* of that entry */
};

struct vt_pending {
  struct vt_event events[VT_BATCH];
  UInt of[VT_BATCH]; /* group of the event */
  UInt count;
  struct vt_group groups[VT_GROUPS];
  UInt group_count;
};

/* What code knows of the time. */
struct vt_times {
  IRExpr *began; /* a time, of the superblock */
  UInt before;   /* accesses between that and the pending ones */
  UInt first;    /* of the segment before these */
  IRExpr *due;   /* negative: some are to be looked at; else within a page */
};

/* False: it has no room until the others are settled. */
Bool vt_pending_add(struct vt_pending *pending, const struct vt_event *event);
/* Put in the check of all, and the stores of their times. */
void vt_pending_settle(struct vt_pending *pending, IRSB *out,
                       const struct vt_times *times);
