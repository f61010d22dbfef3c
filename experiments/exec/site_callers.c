/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who called who allocates.
 *
 * Callers are found by unwinding the stack, which costs a microsecond or more.
 * The frames of most functions have one size, some have two, as they align
 * their stack: so how far above a call's return address that of its caller lies
 * is learnt, and the next time the addresses there are looked up, one after the
 * other, until what came before says which rules the chain follows.  Should
 * that be wrong, a block gets the pages of another, and no more than that.
 */
#include <string.h>
#include <unwind.h>

#include "experiments/exec/site.h"

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context,
                                      void *argument) {
  struct site_frames *frames = argument;
  uintptr_t back = _Unwind_GetIP(context);
  if (!frames->count && back != (uintptr_t)frames->first) return 0;
  if (!back || frames->count == SITE_STACK_FRAMES) return _URC_END_OF_STACK;
  frames->back[frames->count] = back;
  frames->at[frames->count++] = _Unwind_GetCFA(context) - sizeof(void *);
  return _URC_NO_REASON;
}

void site_unwind(struct site_frames *frames, const void *back) {
  frames->first = back;
  frames->count = 0;
  _Unwind_Backtrace(note_frame, frames);
}

#if defined __x86_64__
enum { LG_CALLERS = 13, PROBES = 8 };

/* A caller, by its return address and by all that it called. */
static struct caller {
  uintptr_t back; /* 0: free */
  const void *called;
  const struct site_some *rules; /* NULL: its own callers are needed, too */
  struct site_above above;
} callers[1 << LG_CALLERS];

/* The part of the thread's stack that was seen to be there. */
static __thread struct {
  uintptr_t low, top;
} seen __attribute__((tls_model("initial-exec")));

static struct caller *place_of(const void *called, uintptr_t back, size_t i) {
  uint64_t both = (uintptr_t)called * UINT64_C(0xff51afd7ed558ccd) ^ back;
  both *= UINT64_C(0x9e3779b97f4a7c15);
  return &callers[((both >> (64 - LG_CALLERS)) + i) % (1 << LG_CALLERS)];
}

static struct caller *find(const void *called, uintptr_t back) {
  for (size_t i = 0; i < PROBES; i++) {
    struct caller *caller = place_of(called, back, i);
    uintptr_t is = __atomic_load_n(&caller->back, __ATOMIC_ACQUIRE);
    if (!is) return NULL;
    if (is == back && caller->called == called) return caller;
  }
  return NULL;
}

/* May be read: in the page of the call, or where stack was seen. */
static bool is_stack(uintptr_t first, uintptr_t at) {
  return (first ^ at) < 4096 || (at >= seen.low && at <= seen.top);
}

const struct site_some *site_callers(const void *called,
                                     const struct site_above *above,
                                     const void *frame) {
  uintptr_t first = (uintptr_t)frame + sizeof(void *), at = first;
  for (;;) {
    const struct caller *caller = NULL;
    uintptr_t next = 0;
    for (unsigned i = 0; i < SITE_ABOVE && !caller; i++) {
      uint32_t by = __atomic_load_n(&above->by[i], __ATOMIC_RELAXED);
      next = at + by;
      if (by && is_stack(first, next))
        caller = find(called, *(const uintptr_t *)next);
    }
    if (!caller) return NULL;
    const struct site_some *rules =
        __atomic_load_n(&caller->rules, __ATOMIC_ACQUIRE);
    if (rules) return rules;
    called = caller;
    above = &caller->above;
    at = next;
  }
}

/* A return address lies right below the caller's frame. */
static bool are_there(const struct site_frames *frames, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (i >= frames->count ||
        *(const uintptr_t *)frames->at[i] != frames->back[i])
      return false;
  return true;
}

static struct caller *found_or_made(const void *called, uintptr_t back) {
  for (size_t i = 0; i < PROBES; i++) {
    struct caller *caller = place_of(called, back, i);
    if (caller->back == back && caller->called == called) return caller;
    if (caller->back) continue;
    caller->called = called;
    __atomic_store_n(&caller->back, back, __ATOMIC_RELEASE);
    return caller;
  }
  return NULL;
}

/* Beside the one that is known, or in the place of the last. */
static void add(struct site_above *above, uintptr_t by) {
  unsigned i = 0;
  if (!by || by > UINT32_MAX) return;
  while (i < SITE_ABOVE - 1 && above->by[i] && above->by[i] != by) i++;
  __atomic_store_n(&above->by[i], (uint32_t)by, __ATOMIC_RELAXED);
}

static void note_stack(const struct site_frames *frames, unsigned count) {
  uintptr_t first = frames->at[0], last = frames->at[count - 1];
  if (!seen.low || first < seen.low || first > seen.top) {
    seen.low = first;
    seen.top = last;
  } else if (last > seen.top) {
    seen.top = last;
  }
}

/* What finds no place is unwound each time. */
static const struct site_some **place(const void *called,
                                      struct site_above *above,
                                      const struct site_frames *frames,
                                      unsigned count) {
  struct caller *caller = NULL;
  for (unsigned i = 1; i < count; i++) {
    caller = found_or_made(called, frames->back[i]);
    if (!caller) return NULL;
    add(above, frames->at[i] - frames->at[i - 1]);
    called = caller;
    above = &caller->above;
  }
  return caller && !caller->rules ? &caller->rules : NULL;
}

const struct site_some **site_callers_place(const void *called,
                                            struct site_above *above,
                                            const struct site_frames *frames,
                                            unsigned count) {
  static uint8_t learning;
  if (count < 2 || !are_there(frames, count) ||
      __atomic_test_and_set(&learning, __ATOMIC_ACQUIRE))
    return NULL;
  const struct site_some **at = place(called, above, frames, count);
  __atomic_clear(&learning, __ATOMIC_RELEASE);
  note_stack(frames, count);
  return at;
}
#else
const struct site_some *site_callers(const void *called,
                                     const struct site_above *above,
                                     const void *frame) {
  (void)called, (void)above, (void)frame;
  return NULL;
}

const struct site_some **site_callers_place(const void *called,
                                            struct site_above *above,
                                            const struct site_frames *frames,
                                            unsigned count) {
  (void)called, (void)above, (void)frames, (void)count;
  return NULL;
}
#endif
