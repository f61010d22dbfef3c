/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/calls.h"

#include "experiments/valgrind/allocators.h"
/* In this order. */
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_xarray.h"

enum {
  THREADS = 512,
  DEEPEST = 200,          /* contexts; calls further down belong to the last */
  CONTEXTS_MOST = 500000, /* then too */
  LG_CHAINS = 16
};

struct frame {
  Addr stack; /* where the return address is */
  struct vt_context *caller;
};

struct thread {
  struct frame *frames;
  UInt depth, room;
  struct vt_context *here;
};

struct vt_context *vt_here;

static struct thread threads[THREADS], *running = &threads[0];
static XArray *contexts;
static struct vt_edge *chains[1 << LG_CHAINS];
static ULong since; /* the time from which on accesses are vt_here's */

static struct vt_context *new_context(struct vt_context *parent,
                                      struct vt_callsite *called, Addr target) {
  struct vt_context *c = VG_(calloc)("vat.context", 1, sizeof *c);
  c->parent = parent;
  c->called = called;
  c->target = target;
  c->depth = parent ? parent->depth + 1 : 0;
  c->number = (UInt)VG_(addToXA)(contexts, &c);
  return c;
}

void vt_calls_init(void) {
  contexts = VG_(newXA)(VG_(malloc), "vat.contexts", VG_(free),
                        sizeof(struct vt_context *));
  vt_here = new_context(NULL, NULL, 0);
}

struct vt_callsite *vt_callsite_new(Addr instruction) {
  struct vt_callsite *site = VG_(malloc)("vat.callsite", sizeof *site);
  *site = (struct vt_callsite){.line = vt_line_of(instruction)};
  return site;
}

/* Where a call leads to: back, if what is called is being executed. */
static struct vt_context *destination(struct vt_callsite *at, Addr target) {
  for (struct vt_context *c = vt_here; c; c = c->parent)
    if (c->target == target) return c;
  if (vt_here->depth >= DEEPEST || VG_(sizeXA)(contexts) >= CONTEXTS_MOST)
    return vt_here;
  return new_context(vt_here, at, target);
}

static struct vt_edge *find_edge(struct vt_callsite *at, Addr target) {
  ULong hash = ((Addr)vt_here * 31 + (Addr)at) * 31 + target;
  hash *= 0x9e3779b97f4a7c15ULL;
  struct vt_edge **chain = &chains[hash >> (64 - LG_CHAINS)], *edge = *chain;
  for (; edge; edge = edge->next)
    if (edge->from == vt_here && edge->at == at && edge->target == target)
      return edge;
  edge = VG_(malloc)("vat.edge", sizeof *edge);
  *edge = (struct vt_edge){.from = vt_here,
                           .to = destination(at, target),
                           .at = at,
                           .target = target,
                           .next = *chain};
  return *chain = edge;
}

static void go_to(struct vt_context *context) {
  vt_here->counts.accesses += vt_clock - since;
  since = vt_clock;
  vt_here = context;
}

/* Calls that ended without returning. */
static inline void drop(Addr stack) {
  while (running->depth && running->frames[running->depth - 1].stack < stack)
    go_to(running->frames[--running->depth].caller);
}

static void grow(void) {
  running->room = running->room ? 2 * running->room : 256;
  running->frames = VG_(realloc)("vat.frames", running->frames,
                                 running->room * sizeof *running->frames);
}

void vt_call(struct vt_callsite *at, Addr target, Addr stack) {
  drop(stack + 1);
  struct vt_edge *edge = at->edge;
  if (!edge || edge->from != vt_here || edge->target != target)
    at->edge = edge = find_edge(at, target);
  if (running->depth == running->room) grow();
  running->frames[running->depth++] = (struct frame){stack, vt_here};
  edge->calls++;
  go_to(edge->to);
}

void vt_return(Addr stack) {
  if (stack > vt_allocator_stack) vt_allocator_returns(stack);
  drop(stack);
}

void vt_thread(ThreadId thread) {
  struct thread *next = &threads[thread % THREADS];
  if (next == running) return;
  running->here = vt_here;
  running = next;
  if (!next->here) next->here = new_context(NULL, NULL, 0);
  go_to(next->here);
}

void vt_thread_ends(ThreadId thread) {
  struct thread *ended = &threads[thread % THREADS];
  ended->depth = 0;
  if (ended != running) ended->here = NULL;
}

void vt_calls_settle(void) { go_to(vt_here); }

void vt_contexts_each(void (*act)(struct vt_context *context)) {
  for (Word i = 0; i < VG_(sizeXA)(contexts); i++)
    act(*(struct vt_context **)VG_(indexXA)(contexts, i));
}

void vt_edges_each(void (*act)(struct vt_edge *edge)) {
  for (UInt i = 0; i < 1 << LG_CHAINS; i++)
    for (struct vt_edge *edge = chains[i]; edge; edge = edge->next) act(edge);
}

static void clear_context(struct vt_context *context) {
  context->counts = (struct vt_counts){0};
}

static void clear_edge(struct vt_edge *edge) { edge->calls = 0; }

void vt_calls_clear(void) {
  vt_contexts_each(clear_context);
  vt_edges_each(clear_edge);
  since = vt_clock;
}
