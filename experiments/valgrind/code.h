/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/code.h -- what all that is put into superblocks is made
 * of. */
#pragma once
#include "experiments/valgrind/tool.h"
/* In this order. */
#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"

static inline IRExpr *vt_word(ULong value) {
  return IRExpr_Const(IRConst_U64(value));
}

/* A new temporary of that value. */
static inline IRExpr *vt_assign(IRSB *out, IRType type, IRExpr *value) {
  IRTemp to = newIRTemp(out->tyenv, type);
  addStmtToIRSB(out, IRStmt_WrTmp(to, value));
  return IRExpr_RdTmp(to);
}

/* All words are of 64 bits. */
static inline IRExpr *vt_binop(IRSB *out, IROp op, IRExpr *x, IRExpr *y) {
  return vt_assign(out, Ity_I64, IRExpr_Binop(op, x, y));
}

static inline IRExpr *vt_load(IRSB *out, IRExpr *from) {
  return vt_assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, from));
}

static inline void vt_store(IRSB *out, IRExpr *to, IRExpr *value) {
  addStmtToIRSB(out, IRStmt_Store(Iend_LE, to, value));
}

/* Call `function` of the tool; where there is a guard, only if that is true. */
static inline void vt_put_call(IRSB *out, const HChar *name, void *function,
                               IRExpr **args, IRExpr *guard) {
  IRDirty *dirty =
      unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), args);
  if (guard) dirty->guard = guard;
  addStmtToIRSB(out, IRStmt_Dirty(dirty));
}

/* instrument.c: the instrumentation of a superblock, as Valgrind calls it. */
IRSB *vt_instrument(VgCallbackClosure *closure, IRSB *in,
                    const VexGuestLayout *layout, const VexGuestExtents *from,
                    const VexArchInfo *host, IRType guest_word,
                    IRType host_word);

/* ahead.c: before any of `in`, which begins with the instruction `first`, is in
 * `out`. */
void vt_ahead_instrument(IRSB *out, const IRSB *in, Addr first);

/* allocators.c: what malloc() and its like return.
 *
 * They are known by their names, wherever they are: in a shared library, in a
 * static program, or among the program's own functions if --allocator says so.
 * Code put before their first instruction reports that one begins, and
 * vt_return() that it has returned.  Nothing is replaced, so that the heap is
 * laid out as ever. Of allocators that call each other the outermost counts.
 */
/* NAME=LIKE, of the command line; false if LIKE is none that is known. */
Bool vt_allocators_name(const HChar *text);
/* Each of these, and whether a function of that name was executed. */
void vt_allocators_named(void (*tell)(const HChar *name, Bool called));
/* While a superblock that begins there is instrumented. */
void vt_allocators_instrument(IRSB *out, Addr entry,
                              const VexGuestLayout *layout);
/* Any function returned, which left the stack pointer there. */
void vt_return(Addr stack);
void vt_allocators_thread(ThreadId thread); /* runs from now on */
void vt_allocators_thread_ends(ThreadId thread);

/* batch.c: accesses in a row that are looked at together. */
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
  Addr instruction;
  Bool stores; /* if only later, but in the same instruction */
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
