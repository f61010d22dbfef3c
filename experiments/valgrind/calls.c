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

/* Below the first frame is one that is never over. */
struct thread {
  struct frame *frames, *top, *last; /* last: there is no room behind it */
  struct vt_context *here;
};

struct vt_context *vt_here;

static struct thread threads[THREADS], *running = &threads[0];
static struct frame *top; /* of the thread that runs */
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

static void grow(struct thread *thread) {
  UWord used = (UWord)(thread->top - thread->frames);
  UWord room = thread->frames ? 2 * (used + 1) : 256;
  thread->frames =
      VG_(realloc)("vat.frames", thread->frames, room * sizeof *thread->frames);
  thread->top = thread->frames + used;
  thread->last = thread->frames + room - 1;
}

static void begin(struct thread *thread) {
  if (!thread->frames) grow(thread);
  thread->top = thread->frames;
  thread->top->stack = ~(Addr)0;
}

void vt_calls_init(void) {
  begin(running);
  top = running->top;
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

static __attribute__((noinline)) struct vt_edge *find_edge(
    struct vt_callsite *at, Addr target) {
  ULong hash = ((Addr)vt_here * 31 + (Addr)at) * 31 + target;
  hash *= 0x9e3779b97f4a7c15ULL;
  struct vt_edge **chain = &chains[hash >> (64 - LG_CHAINS)], *edge = *chain;
  for (; edge; edge = edge->next)
    if (edge->from == vt_here && edge->at == at && edge->target == target)
      return at->edge = edge;
  edge = VG_(malloc)("vat.edge", sizeof *edge);
  *edge = (struct vt_edge){.from = vt_here,
                           .to = destination(at, target),
                           .at = at,
                           .target = target,
                           .next = *chain};
  return at->edge = *chain = edge;
}

static void go_to(struct vt_context *context) {
  vt_here->counts.accesses += vt_clock - since;
  since = vt_clock;
  vt_here = context;
}

/* Calls that ended, also without returning. */
static inline void drop(Addr stack) {
  for (; top->stack < stack; top--) go_to(top->caller);
}

static __attribute__((noinline)) void grow_running(void) {
  running->top = top;
  grow(running);
  top = running->top;
}

void vt_call(struct vt_callsite *at, Addr target, Addr stack) {
  drop(stack + 1);
  struct vt_edge *edge = at->edge;
  if (!edge || edge->from != vt_here || edge->target != target)
    edge = find_edge(at, target);
  if (top == running->last) grow_running();
  *++top = (struct frame){stack, vt_here};
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
  running->top = top;
  running = next;
  if (!next->here) {
    next->here = new_context(NULL, NULL, 0);
    begin(next);
  }
  top = next->top;
  go_to(next->here);
}

void vt_thread_ends(ThreadId thread) {
  struct thread *ended = &threads[thread % THREADS];
  if (ended == running)
    top = ended->frames;
  else
    ended->here = NULL;
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
