/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A processor overlaps the misses that it has in view, which are those of some
 * 256 instructions.  Here a hundred lie between two accesses that miss, and a
 * program that reads at random in a large table waits for nearly every one in
 * full, and then for the TCs (vat/lazy_tc.h).
 *
 * A loop that is unrolled tells more: addresses that are computed from
 * registers alone are known when the block begins.  So their lines are asked
 * for at once, which no instruction waits for, and while they are on their way
 * the deferred accesses are looked up.  The program then finds them there.
 *
 * What is near other accesses of the loop, processors fetch by themselves.
 * Which are, is found by computing addresses from numbers that registers might
 * hold. */
#include "experiments/valgrind/ahead.h"

#include "experiments/valgrind/known.h"
#include "experiments/valgrind/tool.h"
/* In this order. */
#include "pub_tool_machine.h"

enum {
  LINES_MOST = 16,    /* that a processor fetches at a time */
  ACCESSES_MOST = 64, /* of a block that are looked at */
  NEAR = 4096,
  DEFERRED_LEAST = 4 /* accesses that are worth a call */
};

static Addr lines[LINES_MOST];

/* A known one. */
struct access {
  IRExpr *address;
  ULong number;
  UInt copy; /* of the loop */
};

static void fetch(UWord count) {
  for (UWord i = 0; i < count; i++) __builtin_prefetch((void *)lines[i]);
  if (vt_tcs.next - vt_tcs.deferred >= DEFERRED_LEAST) vt_look_up();
}

static Bool are_near(ULong a, ULong b) { return a - b + NEAR < 2 * NEAR; }

static IRExpr *address_of(const IRStmt *s) {
  if (s->tag == Ist_Store) return s->Ist.Store.addr;
  if (s->tag != Ist_WrTmp || s->Ist.WrTmp.data->tag != Iex_Load) return NULL;
  return s->Ist.WrTmp.data->Iex.Load.addr;
}

/* Those of a copy that are near each other are taken for one. */
static UInt add(struct access *all, UInt count, IRExpr *address, UInt copy) {
  ULong number = vt_known_number(address);
  for (UInt i = 0; i < count; i++)
    if (all[i].copy == copy && are_near(number, all[i].number)) return count;
  if (count == ACCESSES_MOST) return count;
  all[count] = (struct access){address, number, copy};
  return count + 1;
}

static Bool is_alone(const struct access *all, UInt count, UInt access) {
  for (UInt i = 0; i < count; i++)
    if (i != access && are_near(all[i].number, all[access].number))
      return False;
  return True;
}

static void put_in(IRSB *out, const struct access *all, UInt count) {
  UInt alone = 0;
  for (UInt i = 0; i < count && alone < LINES_MOST; i++) {
    if (!is_alone(all, count, i)) continue;
    IRExpr *line = vt_known_copy(out, all[i].address);
    addStmtToIRSB(out,
                  IRStmt_Store(Iend_LE, vt_word((Addr)&lines[alone++]), line));
  }
  if (alone)
    addStmtToIRSB(out, IRStmt_Dirty(unsafeIRDirty_0_N(
                           0, "fetch", VG_(fnptr_to_fnentry)(fetch),
                           mkIRExprVec_1(vt_word(alone)))));
}

static Bool is_mark(const IRStmt *s, Addr instruction) {
  return s->tag == Ist_IMark && s->Ist.IMark.addr == instruction;
}

static UInt count_copies(const IRSB *in, Addr first) {
  UInt copies = 0;
  for (Int i = 0; i < in->stmts_used; i++)
    copies += is_mark(in->stmts[i], first);
  return copies;
}

void vt_ahead_instrument(IRSB *out, const IRSB *in, Addr first) {
  struct access all[ACCESSES_MOST];
  UInt copy = 0, count = 0;
  if (count_copies(in, first) < 2) return;
  vt_known_begin(in);
  for (Int i = 0; i < in->stmts_used; i++) {
    const IRStmt *s = in->stmts[i];
    IRExpr *address = address_of(s);
    copy += is_mark(s, first);
    if (address && address->tag == Iex_RdTmp && vt_known_is(address))
      count = add(all, count, address, copy);
    vt_known_note(in, s);
  }
  put_in(out, all, count);
  vt_known_end();
}
