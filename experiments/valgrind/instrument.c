/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts into a superblock what every access is to do, and what is to be counted
 * of them, of calls and of allocations. */

#include "experiments/valgrind/calls.h"
#include "experiments/valgrind/code.h"
#include "experiments/valgrind/fetch.h"
#include "experiments/valgrind/flow.h"
#include "experiments/valgrind/trace_pipe.h"
/* In this order. */
#include "pub_tool_libcassert.h"
#include "pub_tool_mallocfree.h"

enum { LINES_MOST = 1000 /* of a segment; a superblock has fewer */ };

struct block {
  IRSB *out;
  struct vt_relative *relatives; /* of each temporary */
  struct vt_pending pending;
  IRExpr *began; /* time at the first access; NULL: there was none yet */
  IRExpr *due;   /* what is left then until accesses are to be looked at, less
                    all that follow */
  IRConst *all;  /* how many these are */
  UInt passed;   /* accesses since it began, those of the segment not counted */
  UInt accesses; /* of the segment, pending ones included */
  UInt lines;    /* of the segment */
  struct vt_line *line[LINES_MOST];
  UInt times[LINES_MOST];
};

static IRExpr *pointer(const void *p) { return vt_word((ULong)(Addr)p); }

static struct vt_relative relative_of(const struct block *b, IRExpr *address) {
  if (address->tag == Iex_RdTmp) return b->relatives[address->Iex.RdTmp.tmp];
  return (struct vt_relative){VT_NO_BASE,
                              (Long)address->Iex.Const.con->Ico.U64};
}

static void settle(struct block *b) {
  UInt before = b->accesses - b->pending.count;
  const struct vt_times times = {b->began, b->passed + before, before, b->due};
  vt_pending_settle(&b->pending, b->out, &times);
}

/* What follows may not be reached. */
static void end_segment(struct block *b) {
  settle(b);
  if (!b->accesses) return;
  struct vt_segment *segment = vt_segment_new(b->lines);
  for (UInt i = 0; i < b->lines; i++) {
    segment->line[i].line = b->line[i];
    segment->line[i].accesses = b->times[i];
  }
  b->passed += b->accesses;
  vt_store(b->out, pointer(&vt_clock),
           vt_binop(b->out, Iop_Add64, b->began, vt_word(b->passed)));
  IRExpr *runs = vt_load(b->out, pointer(segment->runs));
  vt_store(b->out, pointer(segment->runs),
           vt_binop(b->out, Iop_Add64, runs, vt_word(1)));
  b->accesses = b->lines = 0;
}

/* Whoever writes the clock next is not known here. */
static void forget_time(struct block *b) {
  end_segment(b);
  if (b->all) b->all->Ico.U64 = b->passed;
  b->began = NULL;
  b->all = NULL;
  b->passed = 0;
}

static void ask_time(struct block *b) {
  b->began = vt_load(b->out, pointer(&vt_clock));
  b->all = IRConst_U64(0);
  b->due =
      vt_binop(b->out, Iop_Sub64,
               vt_binop(b->out, Iop_Sub64,
                        vt_load(b->out, pointer(&vt_sample_after)), b->began),
               IRExpr_Const(b->all));
}

static void count(struct block *b, struct vt_line *line) {
  for (UInt i = 0; i < b->lines; i++) {
    if (b->line[i] != line) continue;
    b->times[i]++;
    return;
  }
  b->line[b->lines] = line;
  b->times[b->lines++] = 1;
}

/* An access; where there is a guard, it is made only if that is true. */
static void add(struct block *b, IRExpr *address, UInt bytes, UInt kind,
                Addr instruction, IRExpr *guard) {
  struct vt_line *line = vt_line_of(instruction);
  if (vt_options.trace)
    vt_put_call(b->out, "vt_trace", vt_trace,
                mkIRExprVec_2(address, vt_word((ULong)bytes << 8 | kind)),
                guard);
  if (vt_options.flow) vt_flow_access(b->out, address, kind, guard != NULL);
  if (guard) {
    forget_time(b);
    vt_put_call(b->out, "vt_access", vt_access,
                mkIRExprVec_2(pointer(vt_who(line, kind == VT_STORE)), address),
                guard);
    return;
  }
  if (b->lines == LINES_MOST) end_segment(b);
  if (!b->began) ask_time(b);
  const struct vt_event event = {address, relative_of(b, address), line,
                                 instruction, kind == VT_STORE};
  if (!vt_pending_add(&b->pending, &event)) {
    settle(b);
    vt_pending_add(&b->pending, &event);
  }
  b->accesses++;
  count(b, line);
}

static void note_relative(struct block *b, IRTemp temporary, IRExpr *value) {
  struct vt_relative *relative = &b->relatives[temporary];
  *relative = (struct vt_relative){(Int)temporary, 0};
  if (value->tag == Iex_RdTmp) *relative = b->relatives[value->Iex.RdTmp.tmp];
  if (value->tag != Iex_Binop) return;
  IRExpr *x = value->Iex.Binop.arg1, *y = value->Iex.Binop.arg2;
  IROp op = value->Iex.Binop.op;
  if (x->tag != Iex_RdTmp || y->tag != Iex_Const) return;
  if (op != Iop_Add64 && op != Iop_Sub64) return;
  Long offset = (Long)y->Iex.Const.con->Ico.U64;
  *relative = b->relatives[x->Iex.RdTmp.tmp];
  relative->offset += op == Iop_Add64 ? offset : -offset;
}

static UInt bytes_of(const struct block *b, IRExpr *data) {
  return (UInt)sizeofIRType(typeOfIRExpr(b->out->tyenv, data));
}

static IRExpr *guard_of(IRExpr *guard) {
  return guard->tag == Iex_Const ? NULL : guard;
}

static void add_dirty(struct block *b, IRDirty *d, Addr at) {
  if (d->mFx == Ifx_None) return;
  if (d->guard->tag == Iex_Const && !d->guard->Iex.Const.con->Ico.U1) return;
  UInt bytes = (UInt)d->mSize;
  if (d->mFx != Ifx_Write)
    add(b, d->mAddr, bytes, VT_LOAD, at, guard_of(d->guard));
  if (d->mFx != Ifx_Read)
    add(b, d->mAddr, bytes, VT_STORE, at, guard_of(d->guard));
}

static void add_load_g(struct block *b, IRLoadG *l, Addr at) {
  IRType type, loaded;
  typeOfIRLoadGOp(l->cvt, &type, &loaded);
  add(b, l->addr, (UInt)sizeofIRType(loaded), VT_LOAD, at, guard_of(l->guard));
}

static void add_cas(struct block *b, IRCAS *cas, Addr at) {
  UInt bytes = bytes_of(b, cas->dataLo) * (cas->dataHi ? 2 : 1);
  add(b, cas->addr, bytes, VT_LOAD, at, NULL);
  add(b, cas->addr, bytes, VT_STORE, at, NULL);
}

static void add_statement(struct block *b, IRStmt *s, Addr at) {
  IRExpr *value;
  switch (s->tag) {
    case Ist_WrTmp:
      value = s->Ist.WrTmp.data;
      note_relative(b, s->Ist.WrTmp.tmp, value);
      if (value->tag == Iex_Load)
        add(b, value->Iex.Load.addr, (UInt)sizeofIRType(value->Iex.Load.ty),
            VT_LOAD, at, NULL);
      break;
    case Ist_Store:
      add(b, s->Ist.Store.addr, bytes_of(b, s->Ist.Store.data), VT_STORE, at,
          NULL);
      break;
    case Ist_StoreG:
      add(b, s->Ist.StoreG.details->addr,
          bytes_of(b, s->Ist.StoreG.details->data), VT_STORE, at,
          guard_of(s->Ist.StoreG.details->guard));
      break;
    case Ist_LoadG:
      add_load_g(b, s->Ist.LoadG.details, at);
      break;
    case Ist_Dirty:
      add_dirty(b, s->Ist.Dirty.details, at);
      break;
    case Ist_CAS:
      add_cas(b, s->Ist.CAS.details, at);
      break;
    case Ist_Exit:
      end_segment(b);
      break;
    default:
      break;
  }
}

/* In its order among the accesses. */
static void add_fetch(struct block *b, Addr at, UInt bytes) {
  if (vt_fetch_leaves(at, bytes)) settle(b);
  vt_fetch_instruction(b->out, at, bytes);
}

/* The stack pointer is as the call or return leaves it. */
static void add_jump(struct block *b, const IRSB *in, Addr at, Addr behind,
                     const VexGuestLayout *layout) {
  if (in->jumpkind != Ijk_Call && in->jumpkind != Ijk_Ret) return;
  IRExpr *stack =
      vt_assign(b->out, Ity_I64, IRExpr_Get(layout->offset_SP, Ity_I64));
  if (in->jumpkind == Ijk_Call)
    vt_put_call(
        b->out, "vt_call", vt_call,
        mkIRExprVec_3(pointer(vt_callsite_new(at, behind)), in->next, stack),
        NULL);
  else
    vt_put_call(b->out, "vt_return", vt_return, mkIRExprVec_1(stack), NULL);
}

IRSB *vt_instrument(VgCallbackClosure *closure, IRSB *in,
                    const VexGuestLayout *layout, const VexGuestExtents *from,
                    const VexArchInfo *host, IRType guest_word,
                    IRType host_word) {
  static struct block b; /* large, and there is one thread */
  Addr at = 0, behind = 0;
  (void)closure, (void)host, (void)host_word;
  tl_assert(guest_word == Ity_I64);
  b = (struct block){.out = deepCopyIRSBExceptStmts(in)};
  UInt known = (UInt)in->tyenv->types_used;
  const Bool code = vt_code_is_simulated();
  vt_engine_fetched(from->base[0], from->len[0]);
  if (vt_options.flow) vt_flow_begin(b.out);
  if (code) vt_fetch_begin();
  vt_allocators_instrument(b.out, from->base[0], layout);
  vt_ahead_instrument(b.out, in, from->base[0]);
  b.relatives = VG_(malloc)("vat.relatives", known * sizeof *b.relatives + 1);
  for (UInt i = 0; i < known; i++)
    b.relatives[i] = (struct vt_relative){(Int)i, 0};
  for (Int i = 0; i < in->stmts_used; i++) {
    IRStmt *s = in->stmts[i];
    if (!s || s->tag == Ist_NoOp) continue;
    if (s->tag == Ist_IMark)
      at = s->Ist.IMark.addr, behind = at + s->Ist.IMark.len;
    if (code && s->tag == Ist_IMark) add_fetch(&b, at, s->Ist.IMark.len);
    add_statement(&b, s, at);
    if (code && s->tag == Ist_Exit) vt_fetch_count(b.out);
    if (vt_options.flow) vt_flow_statement(b.out, s);
    addStmtToIRSB(b.out, s);
  }
  forget_time(&b);
  if (code) vt_fetch_count(b.out);
  if (vt_options.flow) vt_flow_end(b.out);
  add_jump(&b, in, at, behind, layout);
  VG_(free)(b.relatives);
  return b.out;
}
