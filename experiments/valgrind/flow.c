/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows tags through what is executed during a burst.  Tags are numbers of
 * misses, which only grow: that tells those of bursts before.  A burst is of
 * one thread: what registers hold is not the next one's. */
#include "experiments/valgrind/flow.h"

#include "experiments/valgrind/trace_pipe.h"
/* In this order. */
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

enum {
  REGISTERS = 256,
  LG_MEMORY = 13, /* words whose tags are kept */
  LG_PAGES = 10,  /* pages whose last misses are kept */
  LG_PAGE = 12,
  LG_CACHE = 13, /* lines: 512 KiB, a second-level cache */
  LG_LINE = 6,
  BURST = 64,           /* misses */
  PARTS_MOST = 1 << 15, /* of code in a burst */
  PERIOD = 1024,        /* misses from one burst to the next, at first */
  EVENTS_MOST = 1 << 16 /* of a period; then it is doubled */
};

ULong vt_flow_on;
Addr vt_flow_addresses[VT_FLOW_ADDRESSES];

static struct {
  Addr word;
  ULong tag;
} memory[1 << LG_MEMORY];
static struct {
  Addr page;
  ULong tag;
} missed_pages[1 << LG_PAGES];
static Addr cache[1 << LG_CACHE]; /* lines; those of bursts before, too */
static ULong registers[REGISTERS], temps[VT_FLOW_TEMPS + 1], loaded;

static ULong misses;                  /* in bursts */
static ULong begun;                   /* of them, before this burst */
static ULong barrier;                 /* what a wrong guess waited for */
static ULong executed, at_miss, from; /* instructions */
static ULong accesses, fills;         /* of the burst */
static UInt parts;

static UInt period = PERIOD, countdown = PERIOD, random_state = 1;
static UWord period_from; /* events when it was changed */

/* Those of the part that is being executed. */
static struct vt_flow_event pending[VT_FLOW_ADDRESSES];
static ULong pending_times[VT_FLOW_ADDRESSES];
static UInt pending_count;

XArray *vt_flow_events, *vt_flow_bursts;

static void begin_burst(void) {
  if (!vt_flow_events) {
    vt_flow_events = VG_(newXA)(VG_(malloc), "vat.events", VG_(free),
                                sizeof(struct vt_flow_event));
    vt_flow_bursts = VG_(newXA)(VG_(malloc), "vat.bursts", VG_(free),
                                sizeof(struct vt_flow_burst));
  }
  vt_flow_on = 1;
  begun = barrier = misses;
  at_miss = from = executed;
  accesses = fills = 0;
  parts = pending_count = 0;
}

static void end_burst(void) {
  UWord events = (UWord)VG_(sizeXA)(vt_flow_events);
  struct vt_flow_burst burst = {.period = period,
                                .events = (UInt)(misses - begun),
                                .instructions = executed - from,
                                .accesses = accesses,
                                .fills = fills};
  vt_flow_on = 0;
  VG_(addToXA)(vt_flow_bursts, &burst);
  if (events - period_from > EVENTS_MOST && period < 1u << 30) {
    period *= 2;
    period_from = events;
  }
  random_state = random_state * 1664525 + 1013904223;
  countdown = period / 2 + (UInt)((ULong)random_state * period >> 32) + 1;
}

void vt_flow_note(ULong time, struct vt_flow_event event) {
  if (!vt_flow_on) {
    if (!--countdown) begin_burst();
    return;
  }
  if (pending_count == VT_FLOW_ADDRESSES) return;
  pending_times[pending_count] = time;
  pending[pending_count++] = event;
}

static inline ULong tag_of(UShort temp) {
  return temp == VT_FLOW_NONE ? 0 : temps[temp];
}

static inline ULong later(ULong a, ULong b) { return a > b ? a : b; }

/* Between bursts nothing is seen: what is used again and again is there then,
 * and what is not was not, so the share of misses is about that of all. */
static inline void look_up(Addr a) {
  Addr line = a >> LG_LINE;
  Addr *at = &cache[line * 0x9e3779b97f4a7c15ULL >> (64 - LG_CACHE)];
  fills += *at != line;
  *at = line;
}

/* The tag of the miss that an access is; 0: none. */
static ULong miss(ULong time, ULong waits_for, ULong instruction, UInt kind,
                  UInt *next) {
  while (*next < pending_count && pending_times[*next] < time) ++*next;
  if (*next == pending_count || pending_times[*next] != time) return 0;
  struct vt_flow_event event = pending[*next];
  waits_for = later(waits_for, barrier);
  misses++;
  event.gap = (UInt)(instruction - at_miss);
  event.back = waits_for > begun ? (UShort)(misses - waits_for) : 0;
  if (kind != VT_LOAD) event.flags |= VT_FLOW_STORE;
  at_miss = instruction;
  VG_(addToXA)(vt_flow_events, &event);
  return misses;
}

/* What a page has is there when its walk has ended: also for what is no miss,
 * as another one has begun the walk. */
static ULong miss_of_page(Addr a, ULong missed) {
  Addr page = a >> LG_PAGE;
  UWord i = page * 0x9e3779b97f4a7c15ULL >> (64 - LG_PAGES);
  if (missed) {
    missed_pages[i].page = page;
    missed_pages[i].tag = missed;
  }
  return missed_pages[i].page == page ? missed_pages[i].tag : 0;
}

static void access(const struct vt_flow_op *op, Addr a, ULong time,
                   UInt *next) {
  Addr word = a >> 3;
  UWord i = word * 0x9e3779b97f4a7c15ULL >> (64 - LG_MEMORY);
  ULong tag = tag_of(op->a);
  look_up(a);
  ULong missed = miss(time, tag, executed + op->to, op->kind, next);
  ULong walked = miss_of_page(a, missed);
  if (op->kind != VT_LOAD) {
    memory[i].word = word;
    memory[i].tag = tag_of(op->b);
  } else {
    if (memory[i].word == word) tag = later(tag, memory[i].tag);
    loaded = missed ? missed : later(tag, walked);
  }
}

/* Two bits, as branch predictors begin with (J. Smith, 1981). */
static void branch(struct vt_flow_part *part, Bool taken) {
  if (taken != (part->predicted > 1))
    barrier = later(barrier, temps[part->guard]);
  if (taken && part->predicted < 3) part->predicted++;
  if (!taken && part->predicted > 0) part->predicted--;
}

void vt_flow_run(struct vt_flow_part *part, ULong taken) {
  vt_look_up();
  ULong time = vt_clock - part->accesses;
  const Addr *address = vt_flow_addresses;
  UInt next = 0;
  for (UInt i = 0; i < part->ops; i++) {
    const struct vt_flow_op *op = &part->op[i];
    switch (op->code) {
      case VT_FLOW_GET:
        temps[op->to] = registers[op->a];
        break;
      case VT_FLOW_PUT:
        registers[op->to] = tag_of(op->a);
        break;
      case VT_FLOW_JOIN:
        temps[op->to] = later(tag_of(op->a), tag_of(op->b));
        break;
      case VT_FLOW_ACCESS:
        access(op, *address++, time++, &next);
        break;
      default:
        temps[op->to] = loaded;
    }
  }
  executed += part->instructions;
  accesses += part->accesses;
  pending_count = 0;
  if (part->guard != VT_FLOW_NONE) branch(part, taken != 0);
  if (misses - begun >= BURST || ++parts == PARTS_MOST) end_burst();
}

void vt_flow_switch(void) {
  if (vt_flow_on && executed > from) end_burst();
}

void vt_flow_clear(void) {
  vt_flow_on = 0;
  period = PERIOD;
  countdown = PERIOD;
  period_from = 0;
  pending_count = 0;
  if (vt_flow_events) {
    VG_(dropTailXA)(vt_flow_events, VG_(sizeXA)(vt_flow_events));
    VG_(dropTailXA)(vt_flow_bursts, VG_(sizeXA)(vt_flow_bursts));
  }
  VG_(memset)(cache, 0, sizeof cache);
}
