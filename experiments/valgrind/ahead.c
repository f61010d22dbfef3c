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
#include "experiments/valgrind/code.h"
/* In this order. */
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

/* What a superblock computes from registers alone, as they are when it begins,
 * by operations that addresses are made of. */
enum { WORD = 8, REGISTERS = 256 /* words of the guest state */ };

struct known {
  IRExpr *value; /* NULL: it is not */
  IRExpr *copy;  /* where the block begins; NULL: none yet */
  ULong number;
};

/* Of the superblock that is being instrumented. */
static struct known *temps;
static Bool changed[REGISTERS];

static ULong number_of_constant(const IRConst *constant) {
  switch (constant->tag) {
    case Ico_U8:
      return constant->Ico.U8;
    case Ico_U32:
      return constant->Ico.U32;
    case Ico_U64:
      return constant->Ico.U64;
    default:
      return 0;
  }
}

/* What a known constant or temporary would be if registers held certain numbers
 * of no meaning. */
static ULong number_of(const IRExpr *e) {
  return e->tag == Iex_Const ? number_of_constant(e->Iex.Const.con)
                             : temps[e->Iex.RdTmp.tmp].number;
}

static Bool is_known(const IRExpr *e) {
  return e->tag == Iex_Const ||
         (e->tag == Iex_RdTmp && temps[e->Iex.RdTmp.tmp].value);
}

/* False: not an operation that addresses are made of. */
static Bool compute_unary(const IRExpr *e, ULong *to) {
  if (!is_known(e->Iex.Unop.arg)) return False;
  ULong x = number_of(e->Iex.Unop.arg);
  switch (e->Iex.Unop.op) {
    case Iop_64to32:
    case Iop_32Uto64:
      *to = (UInt)x;
      return True;
    case Iop_32Sto64:
      *to = (ULong)(Long)(Int)x;
      return True;
    default:
      return False;
  }
}

/* Those of 32 bits give more here; to be an example they need not be right. */
static Bool compute_binary(const IRExpr *e, ULong *to) {
  const IRExpr *a = e->Iex.Binop.arg1, *b = e->Iex.Binop.arg2;
  if (!is_known(a) || !is_known(b)) return False;
  ULong x = number_of(a), y = number_of(b);
  switch (e->Iex.Binop.op) {
    case Iop_Add64:
    case Iop_Add32:
      *to = x + y;
      return True;
    case Iop_Sub64:
    case Iop_Sub32:
      *to = x - y;
      return True;
    case Iop_Mul64:
    case Iop_Mul32:
      *to = x * y;
      return True;
    case Iop_And64:
    case Iop_And32:
      *to = x & y;
      return True;
    case Iop_Or64:
    case Iop_Or32:
      *to = x | y;
      return True;
    case Iop_Xor64:
    case Iop_Xor32:
      *to = x ^ y;
      return True;
    case Iop_Shl64:
    case Iop_Shl32:
      *to = x << (y & 63);
      return True;
    case Iop_Shr64:
    case Iop_Shr32:
      *to = x >> (y & 63);
      return True;
    case Iop_Sar64:
      *to = (ULong)((Long)x >> (y & 63));
      return True;
    default:
      return False;
  }
}

static Bool get(const IRExpr *e, ULong *to) {
  UInt word = (UInt)e->Iex.Get.offset / WORD;
  *to = (word + 1) * 0x9e3779b97f4a7c15ULL;
  return e->Iex.Get.ty == Ity_I64 && word < REGISTERS && !changed[word];
}

static Bool compute(const IRExpr *e, ULong *to) {
  switch (e->tag) {
    case Iex_Const:
    case Iex_RdTmp:
      *to = is_known(e) ? number_of(e) : 0;
      return is_known(e);
    case Iex_Get:
      return get(e, to);
    case Iex_Unop:
      return compute_unary(e, to);
    case Iex_Binop:
      return compute_binary(e, to);
    default:
      return False;
  }
}

static void change(UInt offset, UInt bytes) {
  UInt end = (offset + bytes + WORD - 1) / WORD;
  for (UInt i = offset / WORD; i < end && i < REGISTERS; i++) changed[i] = True;
}

/* Of each statement, in order. */
static void note(const IRSB *in, const IRStmt *s) {
  struct known *known;
  IRExpr *data;
  switch (s->tag) {
    case Ist_WrTmp:
      data = s->Ist.WrTmp.data;
      known = &temps[s->Ist.WrTmp.tmp];
      if (compute(data, &known->number)) known->value = data;
      break;
    case Ist_Put:
      data = s->Ist.Put.data;
      change((UInt)s->Ist.Put.offset,
             (UInt)sizeofIRType(typeOfIRExpr(in->tyenv, data)));
      break;
    case Ist_PutI:
    case Ist_Dirty:
      change(0, REGISTERS * WORD);
      break;
    default:
      break;
  }
}

/* A known one, computed once more, where the block begins.  Operations are of
 * one or two arguments. */
static IRExpr *copy_of(IRSB *out, IRExpr *e) {
  if (e->tag == Iex_Const) return e;
  struct known *known = &temps[e->Iex.RdTmp.tmp];
  if (known->copy) return known->copy;
  IRExpr *value = known->value;
  if (value->tag == Iex_RdTmp) return known->copy = copy_of(out, value);
  if (value->tag == Iex_Unop)
    value = IRExpr_Unop(value->Iex.Unop.op, copy_of(out, value->Iex.Unop.arg));
  else if (value->tag == Iex_Binop)
    value =
        IRExpr_Binop(value->Iex.Binop.op, copy_of(out, value->Iex.Binop.arg1),
                     copy_of(out, value->Iex.Binop.arg2));
  return known->copy = vt_assign(out, typeOfIRExpr(out->tyenv, e), value);
}

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
  ULong number = number_of(address);
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
    IRExpr *line = copy_of(out, all[i].address);
    vt_store(out, vt_word((Addr)&lines[alone++]), line);
  }
  if (alone)
    vt_put_call(out, "fetch", fetch, mkIRExprVec_1(vt_word(alone)), NULL);
}

static Bool is_mark(const IRStmt *s, Addr instruction) {
  return s->tag == Ist_IMark && s->Ist.IMark.addr == instruction;
}

void vt_ahead_instrument(IRSB *out, const IRSB *in, Addr first) {
  struct access all[ACCESSES_MOST];
  UInt copy = 0, count = 0, copies = 0;
  for (Int i = 0; i < in->stmts_used; i++)
    copies += is_mark(in->stmts[i], first);
  if (copies < 2) return;
  temps =
      VG_(calloc)("vat.known", (SizeT)in->tyenv->types_used + 1, sizeof *temps);
  VG_(memset)(changed, False, sizeof changed);
  for (Int i = 0; i < in->stmts_used; i++) {
    const IRStmt *s = in->stmts[i];
    IRExpr *address = address_of(s);
    copy += is_mark(s, first);
    if (address && address->tag == Iex_RdTmp && is_known(address))
      count = add(all, count, address, copy);
    note(in, s);
  }
  put_in(out, all, count);
  VG_(free)(temps);
}
