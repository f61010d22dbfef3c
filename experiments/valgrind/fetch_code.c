/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/code.h"
#include "experiments/valgrind/fetch.h"

/* Of the superblock that is being instrumented: the page that is fetched from
 * last, and instructions since the last branch. */
static ULong page;
static UInt instructions;
#define NO_PAGE (~0ULL) /* any may be: the superblock begins */

static ULong page_of(Addr a) { return a >> VT_LG_PAGE; }

void vt_fetch_begin(void) {
  page = NO_PAGE;
  instructions = 0;
}

Bool vt_fetch_leaves(Addr instruction, UInt bytes) {
  return page_of(instruction) != page ||
         page_of(instruction + bytes - (bytes > 0)) != page;
}

/* A fetch from where the byte `a` is, if no other was from there before. */
static void put(IRSB *out, struct vt_line *line, Addr a) {
  IRExpr *guard = NULL;
  if (page_of(a) == page) return;
  if (page == NO_PAGE) {
    IRExpr *last = vt_load(out, vt_word((Addr)&vt_fetch_page));
    guard = vt_assign(out, Ity_I1,
                      IRExpr_Binop(Iop_CmpNE64, last, vt_word(page_of(a))));
  }
  vt_put_call(out, "vt_fetch", vt_fetch,
              mkIRExprVec_2(vt_word((Addr)line), vt_word(a)), guard);
  page = page_of(a);
}

void vt_fetch_instruction(IRSB *out, Addr instruction, UInt bytes) {
  struct vt_line *line;
  instructions++;
  if (!vt_fetch_leaves(instruction, bytes)) return;
  line = vt_line_of(instruction);
  put(out, line, instruction);
  put(out, line, instruction + bytes - (bytes > 0));
}

void vt_fetch_count(IRSB *out) {
  IRExpr *counter = vt_word((Addr)&vt_fetch_instructions);
  if (!instructions) return;
  vt_store(
      out, counter,
      vt_binop(out, Iop_Add64, vt_load(out, counter), vt_word(instructions)));
  instructions = 0;
}
