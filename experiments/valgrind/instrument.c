/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts into a superblock what every access is to do: look whether the door of
 * its page is open (vat/fan.h), and write the time on it.  Up to VT_BATCH are
 * looked at together, so that one branch serves them, which is rarely taken.
 * Accesses in a row that are near each other, such as those of a stack frame,
 * go through one door: its time is then that of the first, which is as good as
 * that of the last, as nothing is accessed between them. */
#include "experiments/valgrind/instrument.h"

#include "experiments/valgrind/ahead.h"
#include "experiments/valgrind/allocators.h"
#include "experiments/valgrind/calls.h"
#include "experiments/valgrind/flow.h"
#include "experiments/valgrind/samples.h"
#include "experiments/valgrind/trace_pipe.h"
/* In this order. */
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

enum {
  NEAR = 256,        /* bytes that accesses of one door may be apart */
  LINES_MOST = 1000, /* of a segment; a superblock has fewer */
  NO_BASE = -1       /* an address that is a constant */
};

/* An address as one that was known before and a distance from it. */
struct place {
  Int base; /* temporary, or NO_BASE */
  Long offset;
};

struct event {
  IRExpr *address;
  struct place place;
  struct vt_line *line;
};

struct block {
  IRSB *out;
  struct place *places; /* of each temporary */
  struct event events[VT_BATCH];
  UInt pending;    /* events */
  UInt accesses;   /* of the segment, pending ones included */
  IRExpr *started; /* time at which it began; NULL: no access yet */
  IRExpr *left;    /* time then until accesses are to be looked at */
  UInt lines;      /* of the segment */
  struct vt_line *line[LINES_MOST];
  UInt times[LINES_MOST];
};

static IRExpr *assign(struct block *b, IRType type, IRExpr *value) {
  return vt_assign(b->out, type, value);
}

static IRExpr *binop(struct block *b, IROp op, IRExpr *x, IRExpr *y) {
  return assign(b, Ity_I64, IRExpr_Binop(op, x, y));
}

static IRExpr *pointer(const void *p) { return vt_word((ULong)(Addr)p); }
static IRExpr *bits(UInt n) { return IRExpr_Const(IRConst_U8((UChar)n)); }

static IRExpr *load(struct block *b, IRExpr *from) {
  return assign(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, from));
}

static void store(struct block *b, IRExpr *to, IRExpr *value) {
  addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, to, value));
}

static void call(struct block *b, const HChar *name, void *function,
                 IRExpr **args, IRExpr *guard) {
  IRDirty *dirty =
      unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), args);
  if (guard) dirty->guard = guard;
  addStmtToIRSB(b->out, IRStmt_Dirty(dirty));
}

static struct place place_of(const struct block *b, IRExpr *address) {
  if (address->tag == Iex_RdTmp) return b->places[address->Iex.RdTmp.tmp];
  return (struct place){NO_BASE, (Long)address->Iex.Const.con->Ico.U64};
}

static Bool are_near(struct place a, struct place b) {
  Long apart = a.offset - b.offset;
  return a.base == b.base && apart > -NEAR && apart < NEAR;
}

/* Where the door of an address is, less the beginning of all doors. */
static IRExpr *door_offset(struct block *b, IRExpr *address) {
  UInt lg_bytes = 4; /* of a door */
  IRExpr *shifted =
      binop(b, Iop_Shr64, address, bits(vt_fan.page_bits - lg_bytes));
  return binop(b, Iop_And64, shifted, vt_word(vt_fan.door_mask << lg_bytes));
}

static IRExpr *in_door(struct block *b, IRExpr *offset, SizeT member) {
  Addr at = (Addr)vt_fan.doors + member;
  return binop(b, Iop_Add64, offset, vt_word(at));
}

static void knock(struct block *b, IRExpr *guard) {
  static void *const functions[] = {vt_knock_1, vt_knock_2, vt_knock_3,
                                    vt_knock_4};
  static const HChar *const names[] = {"vt_knock_1", "vt_knock_2", "vt_knock_3",
                                       "vt_knock_4"};
  struct vt_batch *batch = vt_batch_new();
  struct event *e = b->events;
  IRExpr *p = pointer(batch), **args;
  UInt count = b->pending;
  batch->first = b->accesses - count;
  for (UInt i = 0; i < count; i++) batch->line[i] = e[i].line;
  if (count == 1)
    args = mkIRExprVec_2(p, e[0].address);
  else if (count == 2)
    args = mkIRExprVec_3(p, e[0].address, e[1].address);
  else if (count == 3)
    args = mkIRExprVec_4(p, e[0].address, e[1].address, e[2].address);
  else
    args = mkIRExprVec_5(p, e[0].address, e[1].address, e[2].address,
                         e[3].address);
  call(b, names[count - 1], functions[count - 1], args, guard);
}

/* Accesses in a row through one door: which have been compared with its page.
 * What lies between two that are on it is on it. */
struct row {
  struct place first;
  Long low, high;
  IRExpr *page;
};

static Bool belongs(const struct row *row, struct place place) {
  return row->page && are_near(place, row->first);
}

static Bool is_compared(struct row *row, struct place place) {
  Bool compared = place.offset >= row->low && place.offset <= row->high;
  if (place.offset < row->low) row->low = place.offset;
  if (place.offset > row->high) row->high = place.offset;
  return compared;
}

/* Of the segment's access, counted from 0. */
static IRExpr *time_of(struct block *b, UInt access) {
  return access ? binop(b, Iop_Add64, b->started, vt_word(access)) : b->started;
}

/* The pending accesses: are all their doors open, and none to be looked at? */
static void settle(struct block *b) {
  IRExpr *offsets[VT_BATCH] = {NULL}, *differ = NULL;
  UInt count = b->pending, first = b->accesses - count;
  struct row row = {.page = NULL};
  if (!count) return;
  for (UInt i = 0; i < count; i++) {
    struct event *e = &b->events[i];
    if (belongs(&row, e->place)) {
      if (is_compared(&row, e->place)) continue;
    } else {
      offsets[i] = door_offset(b, e->address);
      row = (struct row){e->place, e->place.offset, e->place.offset, NULL};
      row.page =
          load(b, in_door(b, offsets[i], offsetof(struct fan_door, page)));
    }
    IRExpr *x = binop(b, Iop_Xor64, row.page, e->address);
    differ = differ ? binop(b, Iop_Or64, differ, x) : x;
  }
  differ = binop(b, Iop_Or64, differ,
                 binop(b, Iop_Sub64, b->left, vt_word(b->accesses)));
  IRExpr *open = assign(
      b, Ity_I1,
      IRExpr_Binop(Iop_CmpLT64U, differ, vt_word(1ULL << vt_fan.page_bits)));
  knock(b, assign(b, Ity_I1, IRExpr_Unop(Iop_Not1, open)));
  for (UInt i = 0; i < count; i++)
    if (offsets[i])
      store(b, in_door(b, offsets[i], offsetof(struct fan_door, stamp)),
            time_of(b, first + i));
  b->pending = 0;
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
  store(b, pointer(&vt_clock),
        binop(b, Iop_Add64, b->started, vt_word(b->accesses)));
  IRExpr *runs = load(b, pointer(segment->runs));
  store(b, pointer(segment->runs), binop(b, Iop_Add64, runs, vt_word(1)));
  b->accesses = b->lines = 0;
  b->started = NULL;
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

static void record(struct block *b, IRExpr *address, UInt bytes, UInt kind,
                   IRExpr *guard) {
  if (vt_options.trace)
    call(b, "vt_trace", vt_trace,
         mkIRExprVec_2(address, vt_word((ULong)bytes << 8 | kind)), guard);
}

/* An access; where there is a guard, it is made only if that is true. */
static void add(struct block *b, IRExpr *address, UInt bytes, UInt kind,
                Addr instruction, IRExpr *guard) {
  struct vt_line *line = vt_line_of(instruction);
  record(b, address, bytes, kind, guard);
  if (vt_options.flow) vt_flow_access(b->out, address, kind, guard != NULL);
  if (guard) {
    end_segment(b);
    call(b, "vt_access", vt_access, mkIRExprVec_2(pointer(line), address),
         guard);
    return;
  }
  if (b->pending == VT_BATCH) settle(b);
  if (b->lines == LINES_MOST) end_segment(b);
  if (!b->started) {
    b->started = load(b, pointer(&vt_clock));
    b->left =
        binop(b, Iop_Sub64, load(b, pointer(&vt_sample_after)), b->started);
  }
  b->events[b->pending++] = (struct event){address, place_of(b, address), line};
  b->accesses++;
  count(b, line);
}

static void note_place(struct block *b, IRTemp temporary, IRExpr *value) {
  struct place *place = &b->places[temporary];
  *place = (struct place){(Int)temporary, 0};
  if (value->tag == Iex_RdTmp) *place = b->places[value->Iex.RdTmp.tmp];
  if (value->tag != Iex_Binop) return;
  IRExpr *x = value->Iex.Binop.arg1, *y = value->Iex.Binop.arg2;
  IROp op = value->Iex.Binop.op;
  if (x->tag != Iex_RdTmp || y->tag != Iex_Const) return;
  if (op != Iop_Add64 && op != Iop_Sub64) return;
  Long offset = (Long)y->Iex.Const.con->Ico.U64;
  *place = b->places[x->Iex.RdTmp.tmp];
  place->offset += op == Iop_Add64 ? offset : -offset;
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
      note_place(b, s->Ist.WrTmp.tmp, value);
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

/* The stack pointer is as the call or return leaves it. */
static void add_jump(struct block *b, const IRSB *in, Addr at,
                     const VexGuestLayout *layout) {
  if (in->jumpkind != Ijk_Call && in->jumpkind != Ijk_Ret) return;
  IRExpr *stack = assign(b, Ity_I64, IRExpr_Get(layout->offset_SP, Ity_I64));
  if (in->jumpkind == Ijk_Call)
    call(b, "vt_call", vt_call,
         mkIRExprVec_3(pointer(vt_callsite_new(at)), in->next, stack), NULL);
  else
    call(b, "vt_return", vt_return, mkIRExprVec_1(stack), NULL);
}

IRSB *vt_instrument(VgCallbackClosure *closure, IRSB *in,
                    const VexGuestLayout *layout, const VexGuestExtents *from,
                    const VexArchInfo *host, IRType guest_word,
                    IRType host_word) {
  static struct block b; /* large, and there is one thread */
  Addr at = 0;
  (void)closure, (void)host, (void)host_word;
  tl_assert(guest_word == Ity_I64);
  b = (struct block){.out = deepCopyIRSBExceptStmts(in)};
  UInt known = (UInt)in->tyenv->types_used;
  if (vt_options.flow) vt_flow_begin(b.out);
  vt_allocators_instrument(b.out, from->base[0], layout);
  vt_ahead_instrument(b.out, in, from->base[0]);
  b.places = VG_(malloc)("vat.places", known * sizeof *b.places + 1);
  for (UInt i = 0; i < known; i++) b.places[i] = (struct place){(Int)i, 0};
  for (Int i = 0; i < in->stmts_used; i++) {
    IRStmt *s = in->stmts[i];
    if (!s || s->tag == Ist_NoOp) continue;
    if (s->tag == Ist_IMark) at = s->Ist.IMark.addr;
    add_statement(&b, s, at);
    if (vt_options.flow) vt_flow_statement(b.out, s);
    addStmtToIRSB(b.out, s);
  }
  end_segment(&b);
  if (vt_options.flow) vt_flow_end(b.out);
  add_jump(&b, in, at, layout);
  VG_(free)(b.places);
  return b.out;
}
