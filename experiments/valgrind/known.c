/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/known.h"

#include "experiments/valgrind/code.h"
/* In this order. */
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

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

ULong vt_known_number(const IRExpr *e) {
  return e->tag == Iex_Const ? number_of_constant(e->Iex.Const.con)
                             : temps[e->Iex.RdTmp.tmp].number;
}

Bool vt_known_is(const IRExpr *e) {
  return e->tag == Iex_Const ||
         (e->tag == Iex_RdTmp && temps[e->Iex.RdTmp.tmp].value);
}

/* False: not an operation that addresses are made of. */
static Bool compute_unary(const IRExpr *e, ULong *to) {
  if (!vt_known_is(e->Iex.Unop.arg)) return False;
  ULong x = vt_known_number(e->Iex.Unop.arg);
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
  if (!vt_known_is(a) || !vt_known_is(b)) return False;
  ULong x = vt_known_number(a), y = vt_known_number(b);
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
      *to = vt_known_is(e) ? vt_known_number(e) : 0;
      return vt_known_is(e);
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

void vt_known_begin(const IRSB *in) {
  temps =
      VG_(calloc)("vat.known", (SizeT)in->tyenv->types_used + 1, sizeof *temps);
  VG_(memset)(changed, False, sizeof changed);
}

void vt_known_end(void) { VG_(free)(temps); }

void vt_known_note(const IRSB *in, const IRStmt *s) {
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

/* Operations are of one or two arguments. */
IRExpr *vt_known_copy(IRSB *out, IRExpr *e) {
  if (e->tag == Iex_Const) return e;
  struct known *known = &temps[e->Iex.RdTmp.tmp];
  if (known->copy) return known->copy;
  IRExpr *value = known->value;
  if (value->tag == Iex_RdTmp) return known->copy = vt_known_copy(out, value);
  if (value->tag == Iex_Unop)
    value = IRExpr_Unop(value->Iex.Unop.op,
                        vt_known_copy(out, value->Iex.Unop.arg));
  else if (value->tag == Iex_Binop)
    value = IRExpr_Binop(value->Iex.Binop.op,
                         vt_known_copy(out, value->Iex.Binop.arg1),
                         vt_known_copy(out, value->Iex.Binop.arg2));
  return known->copy = vt_assign(out, typeOfIRExpr(out->tyenv, e), value);
}
