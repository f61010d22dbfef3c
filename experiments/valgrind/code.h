/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/code.h -- what all that is put into superblocks is made
 * of. */
#pragma once
/* Valgrind's headers want this order. */
#include "pub_tool_basics.h"
/* And then: */
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
