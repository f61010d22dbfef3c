/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/tool.h -- the parts of the Valgrind tool `vat`.
 *
 * The tool runs inside Valgrind, without a C library.  instrument.c puts a few
 * instructions before the loads and stores of the program; engine.c simulates
 * what these do not settle, by vat/fan.h; lines.c knows what to count for, and
 * output.c writes it to a file for `vat profile` (experiments/profile/).
 * Valgrind runs one thread at a time, and so does all of this.
 */
#ifndef EXPERIMENTS_VALGRIND_TOOL_H
#define EXPERIMENTS_VALGRIND_TOOL_H
/* Valgrind's headers want this one first. */
#include "pub_tool_basics.h"
/* And then: */
#include "vat/fan.h"

enum { VT_MISSED_MOST = 6 }; /* nodes of a path, and none */

/* Accesses, and how many of them missed n nodes of tree t. */
struct vt_counts {
  ULong accesses;
  ULong missed[FAN_TREES][VT_MISSED_MOST + 1];
};

/* A line of source, or an instruction where there are no lines. */
struct vt_line {
  const HChar *object, *file, *function; /* interned; file: NULL is none */
  UInt number;                           /* 0: none */
  Addr offset; /* in the object, where there is no function; else 0 */
  struct vt_counts counts;
};

/* lines.c */
void vt_lines_init(void);
struct vt_line *vt_line_of(Addr instruction);
const HChar *vt_intern(const HChar *text);
void vt_lines_each(void (*act)(struct vt_line *line));
void vt_lines_clear(void);

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
 * address of the first of each visit (experiments/valgrind/batch.h). */
enum { VT_VISITS = 4 };
struct vt_batch {
  UInt first; /* how many accesses of the segment are before it */
  UInt count, visits;
  struct {
    Int low;   /* the lowest address, from that of the first access */
    UInt last; /* access of the batch */
  } visit[VT_VISITS];
  struct {
    struct vt_line *line;
    UInt visit;
    Int offset; /* from the first access of the visit */
  } access[];
};

/* engine.c */
extern struct fan vt_fan;
extern ULong vt_clock; /* accesses so far; during a segment, before it */
extern struct vt_counts vt_totals;
struct vt_segment *vt_segment_new(UInt lines);
/* What generated code has to name is in the tool's own data, as far as it fits:
 * addresses of 32 bits make shorter code. */
struct vt_nearby {
  ULong *next, *end;
};
void *vt_nearby_new(struct vt_nearby *nearby, SizeT bytes);
struct vt_batch *vt_batch_new(UInt accesses);
/* Each access is a visit of its own. */
void vt_knock_1(struct vt_batch *batch, Addr a);
void vt_knock_2(struct vt_batch *batch, Addr a, Addr b);
void vt_knock_3(struct vt_batch *batch, Addr a, Addr b, Addr c);
void vt_knock_4(struct vt_batch *batch, Addr a, Addr b, Addr c, Addr d);
/* Some are not. */
void vt_visit_1(struct vt_batch *batch, Addr a);
void vt_visit_2(struct vt_batch *batch, Addr a, Addr b);
void vt_visit_3(struct vt_batch *batch, Addr a, Addr b, Addr c);
void vt_visit_4(struct vt_batch *batch, Addr a, Addr b, Addr c, Addr d);
void vt_answer(void);                         /* all who knocked */
void vt_access(struct vt_line *line, Addr a); /* one that may not be made */
void vt_engine_init(void);
void vt_engine_settle(void); /* bring the lines' counts up to date */
void vt_engine_clear(void);  /* as if the program began here */

/* processors.c: each thread has a fan, which vt_fan is while it runs. */
void vt_processor_of(ThreadId thread); /* runs from now on */
UInt vt_processor(void);               /* that of the thread that runs */
UInt vt_processors(void);
void vt_processors_clear(void); /* but that of the thread that runs */

/* options.c: what the command line asked for. */
struct vt_options {
  const HChar *out;   /* files for the output begin with it */
  const HChar *pages; /* names of the trees */
  Long nodes;         /* W */
  Bool lru;           /* keeps them; otherwise ISLRU does */
  /* Instead of a TC; no entries in the first level: a TC. */
  struct tlb_shape tlb;
  const HChar *trace; /* pipe for accesses; NULL: none */
  Bool flow;          /* what waits for what: experiments/valgrind/flow.h */
};
extern struct vt_options vt_options;
extern const HChar *vt_tree_names[FAN_TREES];
Bool vt_options_take(const HChar *arg);
void vt_options_usage(void);
void vt_options_debug(void);

/* trace.c */
void vt_trace_init(void);
void vt_trace(Addr a, UWord bytes_and_kind);
void vt_trace_flush(void);  /* before another thread runs, too */
void vt_trace_forget(void); /* what was not flushed */

/* output.c */
void vt_write(const HChar *format, ...) PRINTF_CHECK(1, 2);
void vt_write_text(const HChar *key, const HChar *text);
/* Object, file and function of a line hold for what is written next. */
void vt_write_place(const struct vt_line *line);
void vt_write_counts(const struct vt_counts *counts);
void vt_output(void);
/* output_sites.c */
void vt_output_sites(void);
void vt_output_calls(void);
#endif
