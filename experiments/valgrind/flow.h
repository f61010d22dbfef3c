/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/flow.h -- which misses wait for which, for the what-if.
 *
 * Walks overlap where the address of one does not depend on what another found.
 * So from time to time, for a burst of misses, data are followed: code that is
 * put in beside that of instrument.c tells what each superblock does with
 * registers, temporaries and memory, and a tag goes with each value: the last
 * miss that it depends on.  A branch that was guessed wrong and waits for a
 * miss holds up all that follows it.  Only `vat profile --what-if` asks for it.
 *
 * Besides, of every miss it is counted how far the page table's line is away,
 * and whether a huge page could be there.  Trees: the first is of base pages.
 */
#pragma once
#include "experiments/valgrind/sites.h"
/* In this order. */
#include "pub_tool_tooliface.h"
#include "pub_tool_xarray.h"

enum {
  VT_FLOW_OCTAVES = 32,
  VT_FLOW_FIRST = 1, /* flags of a miss: of the page that is touched first */
  VT_FLOW_STORE = 2,
  VT_FLOW_HUGE = 4, /* a huge page could be there */
  VT_FLOW_PLAN = 8  /* with the plan it is on a larger page, or no miss */
};

/* Misses of a site: [where no huge page can be, where one can, those that a
 * plan takes away or puts on a larger page], by how many misses ago any of its
 * table line's pages was missed: [i] is for 2^(i-1) to 2^i - 1, [0] for never.
 */
struct vt_flow_walks {
  ULong count[3][VT_FLOW_OCTAVES];
};

/* What an operation reads and writes are temporaries, by number, or registers:
 * words of the guest state. */
enum vt_flow_code {
  VT_FLOW_GET,    /* to <- register a */
  VT_FLOW_PUT,    /* register to <- a */
  VT_FLOW_JOIN,   /* to <- the later of a and b */
  VT_FLOW_ACCESS, /* at address a, of what b holds if it stores */
  VT_FLOW_LOADED  /* to <- what was loaded last */
};

struct vt_flow_op {
  UChar code, kind;
  UShort to, a, b;
};

/* Code up to a branch. */
struct vt_flow_part {
  UInt instructions, accesses, ops;
  UShort guard;    /* of the branch; VT_FLOW_NONE */
  UChar predicted; /* 2 and 3: it will be taken */
  struct vt_flow_op op[];
};
enum { VT_FLOW_NONE = 0xffff, VT_FLOW_TEMPS = 8192, VT_FLOW_ADDRESSES = 2048 };

/* What bursts leave. */
struct vt_flow_event {
  UInt gap;    /* instructions since the miss before */
  UShort back; /* waits for so many misses before; 0: for none */
  UChar octave, flags;
  UInt site; /* number */
};

struct vt_flow_burst {
  UInt period; /* misses, events of it included, that it stands for */
  UInt events;
  ULong instructions, accesses;
  ULong fills; /* lines of data that a cache had not */
};

extern XArray *vt_flow_events, *vt_flow_bursts; /* NULL: none yet */

extern ULong vt_flow_on;                          /* a burst goes on */
extern Addr vt_flow_addresses[VT_FLOW_ADDRESSES]; /* of a part's accesses */

/* flow_code.c: while a superblock is instrumented. */
void vt_flow_begin(IRSB *out);
void vt_flow_access(IRSB *out, IRExpr *address, UInt kind, Bool guarded);
void vt_flow_statement(IRSB *out, IRStmt *statement); /* after its accesses */
void vt_flow_end(IRSB *out);

/* flow.c: while it runs. */
void vt_flow_run(struct vt_flow_part *part, ULong taken);
void vt_flow_note(ULong time, struct vt_flow_event event);
void vt_flow_switch(void); /* another thread runs from now on */
void vt_flow_clear(void);

/* flow_walks.c */
void vt_flow_missed(const struct deferred_access *access, struct vt_site *site,
                    Bool planned); /* VT_FLOW_PLAN */
UInt vt_flow_octave(Addr a);       /* of a miss that is none of data */
void vt_flow_walks_clear(void);
