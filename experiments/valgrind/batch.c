/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every access is to do: look whether the door of its page is open
 * (vat/fan.h), and write the time on it.  Up to VT_BATCH are looked at
 * together, so that one branch serves them, which is rarely taken.
 *
 * Those that are near each other, such as those of a stack frame, go through
 * one door.  If the lowest and the highest are on its page, all are.  Its time
 * is then that of the last, and doors have theirs written in the order of
 * these times: so each ends up with what it would have if all were looked at
 * one by one.  Where two pages of a batch have one door between them, one of
 * them is not behind it, and all knock in their order. */
#include "experiments/valgrind/batch.h"

/* In this order. */
#include "pub_tool_machine.h"

enum { NEAR = 256 /* bytes that accesses of one door may be apart */ };

static IRExpr *binop(IRSB *out, IROp op, IRExpr *x, IRExpr *y) {
  return vt_assign(out, Ity_I64, IRExpr_Binop(op, x, y));
}

static IRExpr *bits(UInt n) { return IRExpr_Const(IRConst_U8((UChar)n)); }

static Bool are_near(struct vt_place a, struct vt_place b) {
  Long apart = a.offset - b.offset;
  return a.base == b.base && apart > -NEAR && apart < NEAR;
}

static struct vt_place place_at(const struct vt_pending *p, UInt event) {
  return p->events[event].place;
}

/* Which visit it belongs to, or would be. */
static UInt visit_of(const struct vt_pending *p, struct vt_place place) {
  UInt v = 0;
  while (v < p->visited && !are_near(place, place_at(p, p->visits[v].first)))
    v++;
  return v;
}

Bool vt_pending_add(struct vt_pending *p, const struct vt_event *event) {
  UInt v = visit_of(p, event->place), now = p->count;
  if (now == VT_BATCH || v == VT_VISITS) return False;
  struct vt_visit *visit = &p->visits[v];
  if (v == p->visited) {
    *visit = (struct vt_visit){.first = now, .low = now, .high = now};
    p->visited++;
  }
  p->events[now] = *event;
  p->of[now] = v;
  p->count++;
  visit->last = now;
  if (event->place.offset < place_at(p, visit->low).offset) visit->low = now;
  if (event->place.offset > place_at(p, visit->high).offset) visit->high = now;
  return True;
}

/* Where the door of an address is, less the beginning of all doors. */
static IRExpr *door_offset(IRSB *out, IRExpr *address) {
  UInt lg_bytes = 4; /* of a door */
  IRExpr *shifted =
      binop(out, Iop_Shr64, address, bits(vt_fan.page_bits - lg_bytes));
  return binop(out, Iop_And64, shifted, vt_word(vt_fan.door_mask << lg_bytes));
}

static IRExpr *in_door(IRSB *out, IRExpr *offset, SizeT member) {
  Addr at = (Addr)vt_fan.doors + member;
  return binop(out, Iop_Add64, offset, vt_word(at));
}

/* From the first access of the visit. */
static Int offset_in(const struct vt_pending *p, UInt visit, UInt event) {
  return (Int)(place_at(p, event).offset -
               place_at(p, p->visits[visit].first).offset);
}

static struct vt_batch *remember(const struct vt_pending *p, UInt first) {
  struct vt_batch *batch = vt_batch_new(p->count);
  batch->first = first;
  batch->count = p->count;
  batch->visits = p->visited;
  for (UInt v = 0; v < p->visited; v++) {
    batch->visit[v].low = offset_in(p, v, p->visits[v].low);
    batch->visit[v].last = p->visits[v].last;
  }
  for (UInt i = 0; i < p->count; i++) {
    UInt v = p->of[i];
    batch->access[i].line = p->events[i].line;
    batch->access[i].visit = v;
    batch->access[i].offset =
        (Int)(place_at(p, i).offset - place_at(p, p->visits[v].first).offset);
  }
  return batch;
}

static void knock(const struct vt_pending *p, IRSB *out, UInt first,
                  IRExpr *guard) {
  static void *const functions[][2] = {{vt_knock_1, vt_visit_1},
                                       {vt_knock_2, vt_visit_2},
                                       {vt_knock_3, vt_visit_3},
                                       {vt_knock_4, vt_visit_4}};
  void *function = functions[p->visited - 1][p->count > p->visited];
  IRExpr **args, *batch = vt_word((Addr)remember(p, first)), *a[VT_VISITS];
  for (UInt v = 0; v < p->visited; v++)
    a[v] = p->events[p->visits[v].first].address;
  if (p->visited == 1)
    args = mkIRExprVec_2(batch, a[0]);
  else if (p->visited == 2)
    args = mkIRExprVec_3(batch, a[0], a[1]);
  else if (p->visited == 3)
    args = mkIRExprVec_4(batch, a[0], a[1], a[2]);
  else
    args = mkIRExprVec_5(batch, a[0], a[1], a[2], a[3]);
  IRDirty *dirty =
      unsafeIRDirty_0_N(0, "knock", VG_(fnptr_to_fnentry)(function), args);
  dirty->guard = guard;
  addStmtToIRSB(out, IRStmt_Dirty(dirty));
}

static IRExpr *either(IRSB *out, IRExpr *x, IRExpr *y) {
  return x ? binop(out, Iop_Or64, x, y) : y;
}

/* What is less than a page is large if all are where their doors are open. */
static IRExpr *differences(struct vt_pending *p, IRSB *out) {
  IRExpr *differ = NULL;
  for (UInt v = 0; v < p->visited; v++) {
    struct vt_visit *visit = &p->visits[v];
    IRExpr *low = p->events[visit->low].address;
    visit->offset = door_offset(out, low);
    IRExpr *page = vt_assign(
        out, Ity_I64,
        IRExpr_Load(
            Iend_LE, Ity_I64,
            in_door(out, visit->offset, offsetof(struct fan_door, page))));
    differ = either(out, differ, binop(out, Iop_Xor64, page, low));
    if (visit->high != visit->low)
      differ =
          either(out, differ,
                 binop(out, Iop_Xor64, page, p->events[visit->high].address));
  }
  return differ;
}

static void write_time(const struct vt_visit *visit, IRSB *out,
                       const struct vt_times *times) {
  IRExpr *time = times->began;
  UInt passed = times->before + visit->last;
  if (passed) time = binop(out, Iop_Add64, time, vt_word(passed));
  addStmtToIRSB(out, IRStmt_Store(Iend_LE,
                                  in_door(out, visit->offset,
                                          offsetof(struct fan_door, stamp)),
                                  time));
}

void vt_pending_settle(struct vt_pending *p, IRSB *out,
                       const struct vt_times *times) {
  if (!p->count) return;
  IRExpr *differ = either(out, differences(p, out), times->due);
  IRExpr *open = vt_assign(
      out, Ity_I1,
      IRExpr_Binop(Iop_CmpLT64U, differ, vt_word(1ULL << vt_fan.page_bits)));
  knock(p, out, times->first,
        vt_assign(out, Ity_I1, IRExpr_Unop(Iop_Not1, open)));
  for (UInt i = 0; i < p->count; i++) {
    const struct vt_visit *visit = &p->visits[p->of[i]];
    if (visit->last == i) write_time(visit, out, times);
  }
  p->count = p->visited = 0;
}
