/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/calls.h -- which calls led here.
 *
 * A context is a path of calls from where a thread began, without recursion: a
 * call of what is on the path already leads back there.  What is missed counts
 * for the context that a thread is in, from which output.c makes inclusive
 * costs.  Where a stack is changed in other ways than by calls and returns
 * (longjmp(), exceptions, coroutines), the stack pointer tells which calls are
 * over.
 */
#pragma once
#include "experiments/valgrind/tool.h"

struct vt_site;

struct vt_context {
  struct vt_context *parent;  /* NULL: a thread began here */
  struct vt_callsite *called; /* from there */
  Addr target;                /* what was called */
  UInt number;                /* in the order in which they came up */
  UInt depth;
  struct vt_site *site; /* of what is allocated here; NULL: not known yet */
  struct vt_counts counts;
};

struct vt_edge {
  ULong calls;
  ULong accesses; /* while they went on, those of calls from there included;
                     while one does, less the time at which it began */
  struct vt_context *from, *to;
  struct vt_callsite *at;
  Addr target;
  struct vt_edge *next; /* in a chain of a hash */
};

/* An instruction that calls, and what it called the last time: all that the
 * next call has to wait for is here. */
struct vt_callsite {
  struct vt_context *from; /* NULL: it never did */
  Addr target;
  struct vt_context *to;
  struct vt_edge *edge;
  struct vt_line *line;
  Addr instruction, back; /* where it returns to */
  Bool known;             /* what follows is; site_calls.c */
  UChar lines, in_main;
};

extern struct vt_context *vt_here;

void vt_calls_init(void);
struct vt_callsite *vt_callsite_new(Addr instruction, Addr back);
void vt_call(struct vt_callsite *at, Addr target, Addr stack);
void vt_calls_return(Addr stack); /* allocators.h: what else a return does */
/* The calls that go on, innermost first; how many, at most so many. */
UInt vt_calls_frames(struct vt_callsite **to, UInt most);
Bool vt_calls_recur(void); /* so that they are not the path of the context */
void vt_thread(ThreadId thread); /* runs from now on */
void vt_thread_ends(ThreadId thread);
void vt_calls_settle(void); /* bring counts up to date */
void vt_calls_clear(void);  /* after that, when the clock is at 0 */
/* In the order of their numbers: parents come before children. */
void vt_contexts_each(void (*act)(struct vt_context *context));
void vt_edges_each(void (*act)(struct vt_edge *edge));
