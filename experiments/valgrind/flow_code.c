/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes down, for flow.c, what a superblock does with values: a list of
 * operations up to each branch.  What is put into the code itself is a store of
 * each address, and before each branch a call that is made during bursts. */
#include "experiments/valgrind/code.h"
#include "experiments/valgrind/flow.h"
/* In this order. */
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

enum { OPS_MOST = 1 << 14, WORD = 8, REGISTERS = 256 };

/* Of the superblock that is being instrumented, since the last branch. */
static struct {
  struct vt_flow_op ops[OPS_MOST];
  UInt count, instructions, accesses;
  UInt temps; /* that have a tag */
} now;

static void add(enum vt_flow_code code, UInt kind, UInt to, UShort a,
                UShort b) {
  const struct vt_flow_op op = {(UChar)code, (UChar)kind, (UShort)to, a, b};
  if (now.count < OPS_MOST) now.ops[now.count++] = op;
}

static UShort temp(const IRExpr *e) {
  if (!e || e->tag != Iex_RdTmp || e->Iex.RdTmp.tmp >= now.temps)
    return VT_FLOW_NONE;
  return (UShort)e->Iex.RdTmp.tmp;
}

/* In all registers that it takes. */
static void put(const IRSB *out, Int offset, const IRExpr *data) {
  Int bytes = sizeofIRType(typeOfIRExpr(out->tyenv, (IRExpr *)data));
  UInt from = (UInt)offset / WORD, count = ((UInt)bytes + WORD - 1) / WORD;
  for (UInt i = from; i < from + count && i < REGISTERS; i++)
    add(VT_FLOW_PUT, 0, i, temp(data), 0);
}

enum { ARGUMENTS = 4 }; /* of an operation that are looked at */

/* The temporaries that a value is computed from. */
static void read_temps(const IRExpr *e, UShort t[ARGUMENTS]) {
  switch (e->tag) {
    case Iex_RdTmp:
      t[0] = temp(e);
      break;
    case Iex_Unop:
      t[0] = temp(e->Iex.Unop.arg);
      break;
    case Iex_Binop:
      t[0] = temp(e->Iex.Binop.arg1);
      t[1] = temp(e->Iex.Binop.arg2);
      break;
    case Iex_Triop:
      t[0] = temp(e->Iex.Triop.details->arg1);
      t[1] = temp(e->Iex.Triop.details->arg2);
      t[2] = temp(e->Iex.Triop.details->arg3);
      break;
    case Iex_ITE:
      t[0] = temp(e->Iex.ITE.cond);
      t[1] = temp(e->Iex.ITE.iftrue);
      t[2] = temp(e->Iex.ITE.iffalse);
      break;
    case Iex_CCall:
      for (UInt i = 0; i < ARGUMENTS && e->Iex.CCall.args[i]; i++)
        t[i] = temp(e->Iex.CCall.args[i]);
      break;
    default:
      break;
  }
}

static void write_temp(UInt to, const IRExpr *e) {
  UShort t[ARGUMENTS] = {VT_FLOW_NONE, VT_FLOW_NONE, VT_FLOW_NONE,
                         VT_FLOW_NONE};
  if (e->tag == Iex_Get && e->Iex.Get.offset / WORD < REGISTERS) {
    add(VT_FLOW_GET, 0, to, (UShort)(e->Iex.Get.offset / WORD), 0);
  } else if (e->tag == Iex_Load) {
    add(VT_FLOW_LOADED, 0, to, 0, 0);
  } else {
    read_temps(e, t);
    add(VT_FLOW_JOIN, 0, to, t[0], t[1]);
    if (t[2] != VT_FLOW_NONE) add(VT_FLOW_JOIN, 0, to, to, t[2]);
    if (t[3] != VT_FLOW_NONE) add(VT_FLOW_JOIN, 0, to, to, t[3]);
  }
}

void vt_flow_begin(IRSB *out) {
  UInt temps = (UInt)out->tyenv->types_used;
  now.count = now.instructions = now.accesses = 0;
  now.temps = temps <= VT_FLOW_TEMPS ? temps : 0;
}

/* One whose guard may be false is left out: there are few. */
void vt_flow_access(IRSB *out, IRExpr *address, UInt kind, Bool guarded) {
  if (guarded || now.accesses >= VT_FLOW_ADDRESSES) return;
  vt_store(out, vt_word((Addr)&vt_flow_addresses[now.accesses++]), address);
  add(VT_FLOW_ACCESS, kind, now.instructions, temp(address), VT_FLOW_NONE);
}

/* What was written down so far becomes a part. */
static void end_part(IRSB *out, IRExpr *guard) {
  struct vt_flow_part *part;
  if (!now.count && !guard) return;
  part = VG_(malloc)("vat.flow", sizeof *part + now.count * sizeof part->op[0]);
  *part = (struct vt_flow_part){.instructions = now.instructions,
                                .accesses = now.accesses,
                                .ops = now.count,
                                .guard = guard ? temp(guard) : VT_FLOW_NONE,
                                .predicted = 1};
  VG_(memcpy)(part->op, now.ops, now.count * sizeof part->op[0]);
  IRExpr *on = vt_load(out, vt_word((Addr)&vt_flow_on));
  IRExpr *taken = guard && guard->tag == Iex_RdTmp
                      ? vt_assign(out, Ity_I64, IRExpr_Unop(Iop_1Uto64, guard))
                      : vt_word(0);
  vt_put_call(
      out, "vt_flow_run", vt_flow_run,
      mkIRExprVec_2(vt_word((Addr)part), taken),
      vt_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, on, vt_word(0))));
  now.count = now.instructions = now.accesses = 0;
}

void vt_flow_statement(IRSB *out, IRStmt *s) {
  switch (s->tag) {
    case Ist_IMark:
      now.instructions++;
      break;
    case Ist_Put:
      put(out, s->Ist.Put.offset, s->Ist.Put.data);
      break;
    case Ist_WrTmp:
      if (s->Ist.WrTmp.tmp < now.temps)
        write_temp(s->Ist.WrTmp.tmp, s->Ist.WrTmp.data);
      break;
    case Ist_Store: /* the access before this */
      if (now.count && now.ops[now.count - 1].code == VT_FLOW_ACCESS)
        now.ops[now.count - 1].b = temp(s->Ist.Store.data);
      break;
    case Ist_LoadG:
      if (s->Ist.LoadG.details->dst < now.temps)
        add(VT_FLOW_JOIN, 0, s->Ist.LoadG.details->dst,
            temp(s->Ist.LoadG.details->addr), VT_FLOW_NONE);
      break;
    case Ist_CAS:
      if (s->Ist.CAS.details->oldLo < now.temps)
        add(VT_FLOW_LOADED, 0, s->Ist.CAS.details->oldLo, 0, 0);
      break;
    case Ist_Dirty:
      if (s->Ist.Dirty.details->tmp < now.temps)
        add(VT_FLOW_JOIN, 0, s->Ist.Dirty.details->tmp, VT_FLOW_NONE,
            VT_FLOW_NONE);
      break;
    case Ist_Exit:
      end_part(out, s->Ist.Exit.guard);
      break;
    default:
      break;
  }
}

void vt_flow_end(IRSB *out) { end_part(out, NULL); }
