/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/tool.h -- the parts of the Valgrind tool `vat`.
 *
 * The tool runs inside Valgrind, without a C library.  instrument.c puts a few
 * instructions before the loads and stores of the program; engine.c simulates
 * what these do not settle, by vat/lazy_tc.h; lines.c knows what to count for,
 * and output.c writes it to a file for `vat profile` (experiments/profile/).
 * Valgrind runs one thread at a time, and so does all of this.
 */
#pragma once
/* Valgrind's headers want this one first. */
#include "pub_tool_basics.h"
/* And then: */
#include "vat/lazy_tc.h"

enum { VT_MISSED_MOST = 6 }; /* nodes of a path, and none */

/* Accesses, and how many of them missed n nodes of tree t. */
struct vt_counts {
  ULong accesses;
  ULong missed[LAZY_TC_TREES][VT_MISSED_MOST + 1];
};

/* A line of source, or an instruction where there are no lines. */
struct vt_line {
  const HChar *object, *file, *function; /* interned; file: NULL is none */
  UInt number;                           /* 0: none */
  Addr offset; /* in the object, where there is no function; else 0 */
  struct vt_counts counts;
  struct vt_fetches *fetches; /* fetch.h; NULL: none */
};

/* lines.c */
void vt_lines_init(void);
struct vt_line *vt_line_of(Addr instruction);
/* The function that an instruction is in and those that it was inlined into,
 * innermost first, at the lines they were called from: how many, 1 to most. */
UInt vt_lines_inlined(Addr instruction, struct vt_line **to, UInt most);
const HChar *vt_intern(const HChar *text);
void vt_lines_each(void (*act)(struct vt_line *line));
void vt_lines_clear(void);

/* Who makes an access, in one word: a line, and whether it stores. */
static inline void *vt_who(struct vt_line *line, Bool stores) {
  return (void *)((Addr)line | (stores ? 1 : 0));
}
static inline struct vt_line *vt_who_line(const void *who) {
  return (struct vt_line *)((Addr)who & ~(Addr)1);
}
static inline Bool vt_who_stores(const void *who) { return (Addr)who & 1; }

/* Accesses that are made together, in code without a branch.  What they do to
 * counts is how often they are made. */
struct vt_segment {
  ULong *runs; /* counters are next to each other, for caches */
  struct vt_segment *next;
  UInt lines;
  struct {
    struct vt_line *line;
    UInt accesses;
  } line[];
};

/* Accesses of a segment that are looked at together.  Functions are told the
 * address of the first of each group (experiments/valgrind/batch.h). */
enum { VT_GROUPS = 4 };
struct vt_batch {
  UInt first; /* how many accesses of the segment are before it */
  UInt count, groups;
  struct {
    Int low;   /* the lowest address, from that of the first access */
    UInt last; /* access of the batch */
  } group[VT_GROUPS];
  struct {
    void *who; /* vt_who() */
    UInt group;
    Int offset; /* from the first access of the group */
  } access[];
};

/* simulation.c */
extern struct lazy_tcs vt_tcs; /* of the thread that runs */
extern ULong vt_clock; /* accesses so far; during a segment, before it */
extern struct vt_counts vt_totals;
void vt_look_up(void); /* all deferred accesses */
/* Of other threads, by what engine.c does; NULL: none, or it runs. */
enum { VT_THREADS = 512 };
extern struct lazy_tcs *vt_resting[VT_THREADS];
extern UInt vt_running;
/* Of no thread is an access from `start` to `end` taken for one to a recent
 * page, until there was another one. */
void vt_forget(Addr start, Addr end);
/* Generated code writes the time of its last access to a recent page for a
 * whole group of accesses.  If the group lies across the end of the page, that
 * time is not the page's, and the right one replaces it before it is read. */
struct vt_correction {
  struct recent_page *page;
  ULong wrong, right;
};
extern struct vt_correction vt_corrections[VT_GROUPS];
extern UInt vt_corrections_due;
void vt_correct_times(void);
static inline void vt_correct(void) {
  if (UNLIKELY(vt_corrections_due)) vt_correct_times();
}
/* What generated code has to name is in the tool's own data, as far as it fits:
 * addresses of 32 bits make shorter code. */
struct vt_nearby {
  ULong *next, *end;
};
void *vt_nearby_new(struct vt_nearby *nearby, SizeT bytes);

/* engine.c */
struct vt_segment *vt_segment_new(UInt lines);
struct vt_batch *vt_batch_new(UInt accesses);
/* The accesses of a batch, each in a group of its own. */
void vt_defer_1(struct vt_batch *batch, Addr a);
void vt_defer_2(struct vt_batch *batch, Addr a, Addr b);
void vt_defer_3(struct vt_batch *batch, Addr a, Addr b, Addr c);
void vt_defer_4(struct vt_batch *batch, Addr a, Addr b, Addr c, Addr d);
/* Some groups have several accesses; by the first of each. */
void vt_group_1(struct vt_batch *batch, Addr a);
void vt_group_2(struct vt_batch *batch, Addr a, Addr b);
void vt_group_3(struct vt_batch *batch, Addr a, Addr b, Addr c);
void vt_group_4(struct vt_batch *batch, Addr a, Addr b, Addr c, Addr d);
void vt_access(void *who, Addr a); /* one that may not be made */
/* The kernel wrote there; code there is executed first. */
void vt_engine_written(Addr a, SizeT bytes);
void vt_engine_fetched(Addr a, SizeT bytes);
void vt_engine_init(void);
void vt_engine_settle(void); /* bring the lines' counts up to date */
void vt_engine_clear(void);  /* as if the program began here */
/* Each thread has TCs of its own, which vt_tcs are while it runs. */
void vt_processor_of(ThreadId thread); /* runs from now on */
UInt vt_processor(void);               /* that of the thread that runs */
UInt vt_processors(void);
void vt_processors_clear(void); /* but that of the thread that runs */
/* Of data, on pages of the first size, if all code were on large ones. */
ULong vt_walks_beside_large(void);

/* samples.c: how many accesses sites have, of which some are looked at. */
extern ULong vt_sample_after; /* accesses before that time need no look */
/* One behind it; now and then it is counted for its site. */
void vt_sample(Addr a, ULong now);
ULong vt_samples_looked_at(void);
/* Of a site's counts: about how many there were in all. */
ULong vt_samples_accesses(const struct vt_counts *counts);
void vt_samples_clear(void);

/* huge_blocks.c: blocks of 2 MiB that could be huge pages, for the what-if
 * (flow.h). */
Bool vt_huge_is(Addr a);
void vt_huge_mapped(Addr a, SizeT bytes, Bool anonymous);
void vt_huge_grown(Addr a, SizeT bytes); /* memory of brk() */
void vt_huge_moved(Addr from, Addr to, SizeT bytes);

/* What the command line asked for. */
struct vt_options {
  const HChar *out;   /* files for the output begin with it */
  const HChar *pages; /* names of the trees */
  Long nodes;         /* W */
  Bool lru;           /* keeps them; otherwise ISLRU does */
  /* Instead of a TC; no entries in the first level: a TC. */
  struct tlb_shape tlb;
  /* And those of fetches; no entries in the first level: these are not looked
   * at. */
  struct mixed_tlb_shape itlb;
  const HChar *plan;  /* file (plan.h); NULL: none */
  const HChar *trace; /* pipe for accesses; NULL: none */
  Bool flow;          /* what waits for what: experiments/valgrind/flow.h */
};
extern struct vt_options vt_options;
static inline Bool vt_code_is_simulated(void) {
  return vt_options.itlb.all.level[0].entries > 0;
}
extern const HChar *vt_tree_names[LAZY_TC_TREES];

/* trace.c */
void vt_trace_init(void);
void vt_trace(Addr a, UWord bytes_and_kind);
void vt_trace_flush(void);  /* before another thread runs, too */
void vt_trace_forget(void); /* what was not flushed */

/* output.c */
void vt_output(void);
/* A mark that this process began: vat misses its output where there is none. */
void vt_output_begins(void);
/* Another program takes the process over: its page faults so far are left.  It
 * does not after all. */
void vt_output_leaves(void);
void vt_output_stays(void);
