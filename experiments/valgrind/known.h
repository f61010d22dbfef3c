/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/known.h -- what a superblock computes from registers
 * alone, as they are when it begins, by operations that addresses are made of.
 */
#pragma once
/* Valgrind's headers want this order. */
#include "pub_tool_basics.h"
/* And then: */
#include "pub_tool_tooliface.h"

void vt_known_begin(const IRSB *in);
void vt_known_note(const IRSB *in, const IRStmt *s); /* of each, in order */
/* A constant or temporary. */
Bool vt_known_is(const IRExpr *e);
/* What a known one would be if registers held certain numbers of no meaning. */
ULong vt_known_number(const IRExpr *e);
/* A known one, computed once more, where the block begins. */
IRExpr *vt_known_copy(IRSB *out, IRExpr *e);
void vt_known_end(void);
