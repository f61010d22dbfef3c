/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/plan.h -- memory that a plan puts on larger pages, for
 * `vat profile --plan`: one more tree, in which that memory has pages of the
 * plan's size and all other memory has base pages.
 *
 * Memory is chosen when it is allocated, by base pages: each that a chosen
 * block has a part of.  A base page stays so until a block, or a mapping, that
 * is not chosen covers all of it.  What cannot be moved (static data, files,
 * the stack) is chosen only where whole larger pages lie in it.  Addresses are
 * those that the program has, so that a block is on all larger pages that it
 * has a part of.
 *
 * `vat exec` gives chosen memory places of its own.  So where a larger page of
 * addresses has base pages of both kinds, those of the kind that was used first
 * there are simulated where they are, and the others in a second address space
 * behind the first.
 */
#pragma once
#include "experiments/valgrind/site.h"

/*
 * The file of a plan: lines of words, the numbers are hexadecimal.
 *
 *   page_bits BITS          of the larger pages
 *   chain CHOICE LEAST MOST FROM TO   of blocks of LEAST to MOST bytes that are
 *                           allocated by the calls of the `frame` lines that
 *                           follow: bytes FROM to TO - 1; where MOST is not
 *                           2^64 - 1, the first TO bytes of all such blocks;
 *                           TO is 0: all of them.  Those of one CHOICE follow
 *                           each other
 *   frame OFFSET OBJECT     innermost first; OBJECT without folders
 *   heap | data | stack     all of it
 *   mappings LEAST          of no file, of LEAST bytes and more
 *   shared LEAST            shared memory of LEAST bytes and more
 *   file NAME               mappings of it
 */
void vt_plan_read(const HChar *path);

enum vt_plan_what {
  VT_PLAN_CHAIN,
  VT_PLAN_HEAP,
  VT_PLAN_DATA,
  VT_PLAN_STACK,
  VT_PLAN_MAPPINGS,
  VT_PLAN_SHARED,
  VT_PLAN_FILE,
  VT_PLAN_WHATS
};

/* A line of it, but for `frame`. */
struct vt_plan_rule {
  struct vt_plan_rule *next;
  enum vt_plan_what what;
  UInt choice, frames;
  ULong least, most, from, to;
  ULong *taken; /* bytes of small blocks, by all rules of the choice */
  const HChar *name;
  struct vt_frame frame[VT_FRAMES]; /* objects without folders */
};
extern struct vt_plan_rule *vt_plan_all;

/* Those for what is allocated by some calls. */
enum { VT_PLAN_RULES = 16 };
struct vt_plan_rules {
  struct vt_plan_rules *next;
  UInt count;
  struct vt_plan_rule *rule[VT_PLAN_RULES];
};

/* plan_calls.c: those of the calls that led here.  NULL: there is no plan. */
const struct vt_plan_rules *vt_plan_rules_here(void);

/* The program has it from now on.  `name`: of a file.  `rules` may be NULL. */
void vt_plan_allocated(Addr a, SizeT bytes, enum vt_plan_what what,
                       const HChar *name, const struct vt_plan_rules *rules);
