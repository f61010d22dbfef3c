/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/calls.h"
/* In this order. */
#include "pub_tool_mallocfree.h"
#include "pub_tool_xarray.h"

enum {
  THREADS = 512,
  FRAMES = 256,           /* of a thread at first */
  DEEPEST = 200,          /* contexts; calls further down belong to the last */
  CONTEXTS_MOST = 500000, /* then too */
  LG_CHAINS = 16
};

struct frame {
  Addr stack; /* where the return address is */
  struct vt_edge *edge;
};

/* The first frame is one that is never over. */
struct thread {
  struct frame *frames, *top, *last; /* last: there is no room behind it */
  struct vt_context *here;           /* NULL: there is no such thread */
  struct vt_edge root;               /* that leads to where it began */
  ULong rests;                       /* since that time */
};

struct vt_context *vt_here;

static struct thread threads[THREADS], *running = &threads[0];
static struct frame *top, *last; /* of the thread that runs */
static XArray *contexts;
static struct vt_edge *chains[1 << LG_CHAINS];

/* Found by generated code, and accessed by each call. */
static ULong callsite_words[1 << 19], edge_words[1 << 19];
static struct vt_nearby callsites = {callsite_words,
                                     callsite_words + (1 << 19)},
                        edges = {edge_words, edge_words + (1 << 19)};

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

static void begin(struct thread *thread) {
  if (!thread->frames) {
    thread->frames = VG_(malloc)("vat.frames", FRAMES * sizeof(struct frame));
    thread->last = thread->frames + FRAMES - 1;
  }
  thread->here = new_context(NULL, NULL, 0);
  thread->root = (struct vt_edge){.to = thread->here, .accesses = -vt_clock};
  thread->top = thread->frames;
  *thread->top = (struct frame){~(Addr)0, &thread->root};
}

static void go_on(struct thread *thread) {
  running = thread;
  top = thread->top;
  last = thread->last;
  vt_here = thread->here;
}

static void stop(void) {
  running->top = top;
  running->here = vt_here;
  running->rests = vt_clock;
}

void vt_calls_init(void) {
  contexts = VG_(newXA)(VG_(malloc), "vat.contexts", VG_(free),
                        sizeof(struct vt_context *));
  begin(running);
  go_on(running);
}

struct vt_callsite *vt_callsite_new(Addr instruction, Addr back) {
  struct vt_callsite *site = vt_nearby_new(&callsites, sizeof *site);
  *site = (struct vt_callsite){.line = vt_line_of(instruction),
                               .instruction = instruction,
                               .back = back};
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

static struct vt_edge *edge_of(struct vt_callsite *at, Addr target) {
  ULong hash = ((Addr)vt_here * 31 + (Addr)at) * 31 + target;
  hash *= 0x9e3779b97f4a7c15ULL;
  struct vt_edge **chain = &chains[hash >> (64 - LG_CHAINS)], *edge = *chain;
  for (; edge; edge = edge->next)
    if (edge->from == vt_here && edge->at == at && edge->target == target)
      return edge;
  edge = vt_nearby_new(&edges, sizeof *edge);
  *edge = (struct vt_edge){.from = vt_here,
                           .to = destination(at, target),
                           .at = at,
                           .target = target,
                           .next = *chain};
  return *chain = edge;
}

static __attribute__((noinline)) void find_edge(struct vt_callsite *at,
                                                Addr target) {
  at->edge = edge_of(at, target);
  at->from = vt_here;
  at->to = at->edge->to;
  at->target = target;
}

/* Calls that ended, also without returning. */
static inline void drop(Addr stack) {
  for (; top->stack < stack; top--) {
    top->edge->accesses += vt_clock;
    vt_here = top->edge->from;
  }
}

static __attribute__((noinline)) void grow(void) {
  UWord used = (UWord)(top - running->frames), room = 2 * (used + 1);
  running->frames =
      VG_(realloc)("vat.frames", running->frames, room * sizeof *top);
  top = running->frames + used;
  last = running->last = running->frames + room - 1;
}

void vt_call(struct vt_callsite *at, Addr target, Addr stack) {
  drop(stack + 1);
  if (at->from != vt_here || at->target != target) find_edge(at, target);
  if (top == last) grow();
  struct vt_edge *edge = at->edge;
  *++top = (struct frame){stack, edge};
  edge->calls++;
  edge->accesses -= vt_clock;
  vt_here = at->to;
}

UInt vt_calls_frames(struct vt_callsite **to, UInt most) {
  UInt count = 0;
  for (const struct frame *f = top; f > running->frames && count < most; f--)
    to[count++] = f->edge->at;
  return count;
}

Bool vt_calls_recur(void) {
  return top - running->frames != (Word)vt_here->depth;
}

void vt_calls_return(Addr stack) { drop(stack); }

/* The time that it rested is not that of where it is. */
void vt_thread(ThreadId thread) {
  struct thread *next = &threads[thread % THREADS];
  if (next == running) return;
  stop();
  if (next->here)
    next->here->counts.accesses -= vt_clock - next->rests;
  else
    begin(next);
  go_on(next);
}

/* The calls of a thread that are open end now, or begin. */
static void end_calls(const struct thread *thread, ULong now) {
  for (struct frame *f = thread->frames; f <= thread->top; f++)
    f->edge->accesses += now;
}

/* What calls took is that of where they led to, and not of where they came
 * from. */
static void settle(struct vt_edge *edge) {
  if (edge->to) edge->to->counts.accesses += edge->accesses;
  if (edge->from) edge->from->counts.accesses -= edge->accesses;
  edge->accesses = 0;
}

void vt_thread_ends(ThreadId thread) {
  struct thread *ended = &threads[thread % THREADS];
  if (ended == running) {
    drop(~(Addr)0);
  } else if (ended->here) {
    end_calls(ended, ended->rests);
    settle(&ended->root);
    ended->here = NULL;
  }
}

void vt_calls_settle(void) {
  stop();
  for (UInt i = 0; i < THREADS; i++)
    if (threads[i].here) end_calls(&threads[i], threads[i].rests);
  vt_edges_each(settle);
  for (UInt i = 0; i < THREADS; i++) {
    if (!threads[i].here) continue;
    settle(&threads[i].root);
    end_calls(&threads[i], -vt_clock);
    threads[i].rests = vt_clock;
  }
}

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

static void clear_edge(struct vt_edge *edge) {
  edge->calls = edge->accesses = 0;
}

void vt_calls_clear(void) {
  vt_contexts_each(clear_context);
  vt_edges_each(clear_edge);
  for (UInt i = 0; i < THREADS; i++)
    threads[i].root.accesses = threads[i].rests = 0;
}
