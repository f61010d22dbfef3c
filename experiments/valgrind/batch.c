/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done for every access: check that its page is a recent one
 * (vat/lazy_tc.h), and write the time of the access to the table's entry.  Up
 * to VT_BATCH accesses are checked together, so that one branch, which is
 * rarely taken, serves them all.
 *
 * Accesses that are near each other, such as those of a stack frame, form a
 * group, which is checked by one entry.  If the lowest and the highest are on
 * its page, all are.  The page's time is then that of the group's last access,
 * and entries are written in the order of these times: so each ends up with
 * what it would have if all were checked one by one.  Where two pages of a
 * batch share an entry, one of them is not in the table, and all accesses of
 * the batch are passed to the engine in their order. */
#include "experiments/valgrind/code.h"

enum { NEAR = 256 /* bytes that accesses of a group may be apart */ };

static Bool are_near(struct vt_relative a, struct vt_relative b) {
  Long apart = a.offset - b.offset;
  return a.base == b.base && apart > -NEAR && apart < NEAR;
}

static struct vt_relative relative_at(const struct vt_pending *p, UInt event) {
  return p->events[event].relative;
}

/* Which group it belongs to, or would be. */
static UInt group_of(const struct vt_pending *p, struct vt_relative relative) {
  UInt v = 0;
  while (v < p->group_count &&
         !are_near(relative, relative_at(p, p->groups[v].first)))
    v++;
  return v;
}

/* An instruction that reads memory and writes it there faults as one that
 * writes. */
static void note_stored(struct vt_pending *p, const struct vt_event *event) {
  for (UInt i = 0; event->stores && i < p->count; i++)
    if (p->events[i].instruction == event->instruction &&
        relative_at(p, i).base == event->relative.base &&
        relative_at(p, i).offset == event->relative.offset)
      p->events[i].stores = True;
}

Bool vt_pending_add(struct vt_pending *p, const struct vt_event *event) {
  UInt v = group_of(p, event->relative), now = p->count;
  note_stored(p, event);
  if (now == VT_BATCH || v == VT_GROUPS) return False;
  struct vt_group *group = &p->groups[v];
  if (v == p->group_count) {
    *group = (struct vt_group){.first = now, .low = now, .high = now};
    p->group_count++;
  }
  p->events[now] = *event;
  p->of[now] = v;
  p->count++;
  group->last = now;
  if (event->relative.offset < relative_at(p, group->low).offset)
    group->low = now;
  if (event->relative.offset > relative_at(p, group->high).offset)
    group->high = now;
  return True;
}

/* Where the table's entry of an address is, from the table's beginning. */
static IRExpr *entry_offset(IRSB *out, IRExpr *address) {
  UInt lg_bytes = 4; /* of an entry */
  IRConst *shift = IRConst_U8((UChar)(vt_tcs.page_bits - lg_bytes));
  IRExpr *shifted = vt_binop(out, Iop_Shr64, address, IRExpr_Const(shift));
  return vt_binop(out, Iop_And64, shifted,
                  vt_word(vt_tcs.recent_mask << lg_bytes));
}

static IRExpr *in_entry(IRSB *out, IRExpr *offset, SizeT member) {
  Addr at = (Addr)vt_tcs.recent + member;
  return vt_binop(out, Iop_Add64, offset, vt_word(at));
}

/* From the first access of the group. */
static Int offset_in(const struct vt_pending *p, UInt group, UInt event) {
  return (Int)(relative_at(p, event).offset -
               relative_at(p, p->groups[group].first).offset);
}

static struct vt_batch *remember(const struct vt_pending *p, UInt first) {
  struct vt_batch *batch = vt_batch_new(p->count);
  batch->first = first;
  batch->count = p->count;
  batch->groups = p->group_count;
  for (UInt v = 0; v < p->group_count; v++) {
    batch->group[v].low = offset_in(p, v, p->groups[v].low);
    batch->group[v].last = p->groups[v].last;
  }
  for (UInt i = 0; i < p->count; i++) {
    UInt v = p->of[i];
    batch->access[i].who = vt_who(p->events[i].line, p->events[i].stores);
    batch->access[i].group = v;
    batch->access[i].offset = offset_in(p, v, i);
  }
  return batch;
}

static void call_engine(const struct vt_pending *p, IRSB *out, UInt first,
                        IRExpr *guard) {
  static void *const functions[][2] = {{vt_defer_1, vt_group_1},
                                       {vt_defer_2, vt_group_2},
                                       {vt_defer_3, vt_group_3},
                                       {vt_defer_4, vt_group_4}};
  void *function = functions[p->group_count - 1][p->count > p->group_count];
  IRExpr *batch = vt_word((Addr)remember(p, first)), *a[VT_GROUPS] = {NULL};
  for (UInt v = 0; v < p->group_count; v++)
    a[v] = p->events[p->groups[v].first].address;
  vt_put_call(out, "defer", function, /* a NULL ends them */
              mkIRExprVec_5(batch, a[0], a[1], a[2], a[3]), guard);
}

static IRExpr *either(IRSB *out, IRExpr *x, IRExpr *y) {
  return x ? vt_binop(out, Iop_Or64, x, y) : y;
}

/* Less than the bytes of a page if all accesses are to recent pages. */
static IRExpr *differences(struct vt_pending *p, IRSB *out) {
  IRExpr *differ = NULL;
  for (UInt v = 0; v < p->group_count; v++) {
    struct vt_group *group = &p->groups[v];
    IRExpr *low = p->events[group->low].address;
    group->offset = entry_offset(out, low);
    IRExpr *page = vt_load(
        out, in_entry(out, group->offset, offsetof(struct recent_page, page)));
    differ = either(out, differ, vt_binop(out, Iop_Xor64, page, low));
    if (group->high != group->low)
      differ = either(
          out, differ,
          vt_binop(out, Iop_Xor64, page, p->events[group->high].address));
  }
  return differ;
}

void vt_pending_settle(struct vt_pending *p, IRSB *out,
                       const struct vt_times *times) {
  if (!p->count) return;
  IRExpr *differ = either(out, differences(p, out), times->due);
  IRExpr *open = vt_assign(
      out, Ity_I1,
      IRExpr_Binop(Iop_CmpLT64U, differ, vt_word(1ULL << vt_tcs.page_bits)));
  call_engine(p, out, times->first,
              vt_assign(out, Ity_I1, IRExpr_Unop(Iop_Not1, open)));
  for (UInt i = 0; i < p->count; i++) {
    const struct vt_group *group = &p->groups[p->of[i]];
    UInt passed = times->before + i;
    IRExpr *time = times->began;
    if (group->last != i) continue;
    if (passed) time = vt_binop(out, Iop_Add64, time, vt_word(passed));
    vt_store(out,
             in_entry(out, group->offset, offsetof(struct recent_page, stamp)),
             time);
  }
  p->count = p->group_count = 0;
}
