/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rule takes a block, by the call that returns to a given address.
 *
 * An address is looked at once; what came of it is in a table by a hash of the
 * address.  Nearly all are of no rule.  Where a rule has a chain of calls, the
 * callers are found by unwinding the stack, which costs a microsecond or more.
 * The frames of most functions have one size, so where the return addresses lay
 * above the first is learnt, and next time they are only compared.  Should that
 * be wrong, a block gets the pages of another, and no more than that.
 */
#include <errno.h>
#include <string.h>
#include <unwind.h>

#include "experiments/exec/look.h"
#include "experiments/exec/site.h"

enum {
  LG_CALLS = 14,
  PROBES = 8,
  SET = RULES_TEXT / 20 / 64, /* no chain is written in less than 20 bytes */
  PATTERNS = 16,
  STACK_FRAMES = 24, /* that a function is looked for in */
  LARGE = 128 << 10  /* a block worth unwinding for */
};

/* The callers above the first, where they lay and what that says. */
struct pattern {
  unsigned frames;
  uint64_t *candidates; /* a bit each: its chain is this one */
  uint32_t at[RULES_FRAMES];
  uintptr_t value[RULES_FRAMES];
};

struct match {
  unsigned count, words;
  const struct site_rule **rule;
  uint64_t *certain; /* a bit each: the first frame decides */
  uint8_t learning;
  unsigned patterns;
  struct pattern pattern[PATTERNS];
};

static const struct match nothing;

static struct call {
  uintptr_t back;
  const struct match *match;
} calls[1 << LG_CALLS];

static struct site_rules rules;
size_t site_least; /* 0 until the rules are known */

/* A thread that is here already, by what it calls, is only passed on; and the
 * part of its stack that was seen to be there. */
static __thread struct {
  bool busy;
  uintptr_t low, top;
} here __attribute__((tls_model("initial-exec")));

static size_t hash(uintptr_t back) {
  return (size_t)((back * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - LG_CALLS));
}

static const struct match *known(uintptr_t back) {
  size_t at = hash(back);
  for (size_t i = 0; i < PROBES; i++) {
    struct call *call = &calls[(at + i) % (1 << LG_CALLS)];
    if (__atomic_load_n(&call->back, __ATOMIC_ACQUIRE) == back)
      return __atomic_load_n(&call->match, __ATOMIC_RELAXED);
  }
  return NULL;
}

/* In a free place, or over another: that one is looked at again. */
static void remember(uintptr_t back, const struct match *match) {
  size_t at = hash(back), place = at + back % PROBES;
  for (size_t i = 0; i < PROBES; i++)
    if (!__atomic_load_n(&calls[(at + i) % (1 << LG_CALLS)].back,
                         __ATOMIC_RELAXED)) {
      place = at + i;
      break;
    }
  struct call *call = &calls[place % (1 << LG_CALLS)];
  __atomic_store_n(&call->back, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&call->match, match, __ATOMIC_RELAXED);
  __atomic_store_n(&call->back, back, __ATOMIC_RELEASE);
}

/* Of another build: in the function that the frame names; a frame without a
 * name is any call from its object, but the first. */
static bool is_at(const struct site_rule *rule, unsigned i, uintptr_t back,
                  const struct site_place *place) {
  const struct site_frame *frame = &rule->frame[i];
  if (place->object != frame->object) return false;
  if (place->same_build) return place->offset == frame->offset;
  shim.ranges.flags[rule->choice] |= LOOK_OTHER_BUILD;
  if (!i && !rule->named) return false;
  return frame->function < 0 || site_in_function(back, frame->function, -1);
}

static bool begins_at(const struct site_rule *rule, uintptr_t back,
                      const struct site_place *place) {
  if (!rule->frames)
    return site_in_function(back, rule->frame->function, rule->frame->object);
  return is_at(rule, 0, back, place);
}

static bool has(const uint64_t *set, unsigned i) {
  return set[i / 64] >> (i % 64) & 1;
}

static void include(uint64_t *set, unsigned i) {
  set[i / 64] |= UINT64_C(1) << (i % 64);
}

/* For `count` rules, and its sets. */
static struct match *make_match(unsigned count) {
  unsigned words = (count + 63) / 64;
  struct match *match =
      site_memory(sizeof *match + count * sizeof *match->rule +
                  (1 + PATTERNS) * words * sizeof *match->certain);
  if (!match) return NULL;
  match->words = words;
  match->rule = (const struct site_rule **)(match + 1);
  match->certain = (uint64_t *)(match->rule + count);
  for (unsigned i = 0; i < PATTERNS; i++)
    match->pattern[i].candidates = match->certain + (1 + i) * words;
  return match;
}

static const struct match *examine(uintptr_t back) {
  struct site_place place;
  unsigned count = 0;
  if (!site_place_of(back, &place)) return &nothing;
  for (unsigned i = 0; i < rules.rules; i++)
    count += begins_at(&rules.rule[i], back, &place);
  if (count > SET * 64) count = SET * 64;
  struct match *match = count ? make_match(count) : NULL;
  for (unsigned i = 0; match && match->count < count; i++) {
    if (!begins_at(&rules.rule[i], back, &place)) continue;
    if (rules.rule[i].frames < 2) include(match->certain, match->count);
    match->rule[match->count++] = &rules.rule[i];
  }
  return match ? match : &nothing;
}

struct frames {
  const void *first; /* return address to begin at */
  unsigned count;
  uintptr_t back[STACK_FRAMES], at[STACK_FRAMES]; /* and where that lies */
};

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context,
                                      void *argument) {
  struct frames *frames = argument;
  uintptr_t back = _Unwind_GetIP(context);
  if (!frames->count && back != (uintptr_t)frames->first) return 0;
  if (!back || frames->count == STACK_FRAMES) return _URC_END_OF_STACK;
  frames->back[frames->count] = back;
  frames->at[frames->count++] = _Unwind_GetCFA(context) - sizeof(void *);
  return _URC_NO_REASON;
}

static void unwind(struct frames *frames, const void *back) {
  frames->first = back;
  frames->count = 0;
  _Unwind_Backtrace(note_frame, frames);
}

/* Does the chain go on as the stack does?  `*needed`: frames that it takes to
 * tell. */
static bool follows(const struct site_rule *rule, const struct frames *frames,
                    unsigned *needed) {
  struct site_place place;
  for (unsigned i = 1; i < rule->frames; i++) {
    if (*needed < i + 1) *needed = i + 1;
    if (i >= frames->count || !site_place_of(frames->back[i], &place) ||
        !is_at(rule, i, frames->back[i], &place))
      return false;
  }
  return true;
}

#if defined __x86_64__
/* A return address lies right below the caller's frame. */
static bool are_there(const struct frames *frames, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (i >= frames->count ||
        *(const uintptr_t *)frames->at[i] != frames->back[i])
      return false;
  return true;
}

static void learn(struct match *match, const struct frames *frames,
                  unsigned needed, const uint64_t *candidates) {
  unsigned next = __atomic_load_n(&match->patterns, __ATOMIC_RELAXED);
  if (needed < 2 || needed > RULES_FRAMES || !are_there(frames, needed) ||
      __atomic_test_and_set(&match->learning, __ATOMIC_ACQUIRE))
    return;
  if (next < PATTERNS) {
    struct pattern *pattern = &match->pattern[next];
    pattern->frames = needed;
    memcpy(pattern->candidates, candidates, match->words * sizeof *candidates);
    for (unsigned i = 1; i < needed; i++) {
      pattern->at[i] = (uint32_t)(frames->at[i] - frames->at[0]);
      pattern->value[i] = frames->back[i];
    }
    __atomic_store_n(&match->patterns, next + 1, __ATOMIC_RELEASE);
  }
  __atomic_clear(&match->learning, __ATOMIC_RELEASE);
  if (here.low == 0 || frames->at[0] < here.low || frames->at[0] > here.top) {
    here.low = frames->at[0];
    here.top = frames->at[needed - 1];
  } else if (frames->at[needed - 1] > here.top) {
    here.top = frames->at[needed - 1];
  }
}

/* May be read: in the page of the frame, or where stack was seen. */
static bool is_stack(uintptr_t first, uintptr_t at) {
  return (first ^ at) < 4096 || (at >= here.low && at <= here.top);
}

static bool is_like(const struct pattern *pattern, uintptr_t first) {
  for (unsigned i = 1; i < pattern->frames; i++) {
    uintptr_t at = first + pattern->at[i];
    if (!is_stack(first, at) || *(const uintptr_t *)at != pattern->value[i])
      return false;
  }
  return true;
}

static const struct pattern *learnt(const struct match *match,
                                    const void *frame) {
  unsigned count = __atomic_load_n(&match->patterns, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < count; i++)
    if (is_like(&match->pattern[i], (uintptr_t)frame + sizeof(void *)))
      return &match->pattern[i];
  return NULL;
}
#else
static void learn(struct match *match, const struct frames *frames,
                  unsigned needed, const uint64_t *candidates) {
  (void)match, (void)frames, (void)needed, (void)candidates;
}
static const struct pattern *learnt(const struct match *match,
                                    const void *frame) {
  (void)match, (void)frame;
  return NULL;
}
#endif

/* In `set`, or where it was learnt. */
static const uint64_t *candidates_of(const struct match *match,
                                     const void *back, const void *frame,
                                     uint64_t set[SET]) {
  const struct pattern *pattern = learnt(match, frame);
  if (pattern) return pattern->candidates;
  struct frames frames;
  unsigned needed = 0;
  memset(set, 0, match->words * sizeof *set);
  unwind(&frames, back);
  for (unsigned i = 0; i < match->count; i++)
    if (!has(match->certain, i) && follows(match->rule[i], &frames, &needed))
      include(set, i);
  learn((struct match *)match, &frames, needed, set);
  return set;
}

/* One of those that are in the set, or are not. */
static const struct site_rule *fitting(const struct match *match,
                                       const uint64_t *set, bool in,
                                       size_t bytes) {
  for (unsigned i = 0; i < match->count; i++)
    if (has(set, i) == in && bytes >= match->rule[i]->least &&
        bytes <= match->rule[i]->most)
      return match->rule[i];
  return NULL;
}

/* Not inlined: other calls are to take no stack for the set. */
__attribute__((noinline)) static const struct site_rule *choose_by_chain(
    const struct match *match, size_t bytes, const void *back,
    const void *frame) {
  uint64_t set[SET];
  return fitting(match, candidates_of(match, back, frame, set), true, bytes);
}

static const struct match *match_of(uintptr_t back) {
  const struct match *match = known(back);
  if (match) return match;
  match = examine(back);
  remember(back, match);
  return match;
}

/* A large block counts for the functions further up, too. */
static const struct site_rule *choose_by_function(size_t bytes,
                                                  const void *back) {
  struct frames frames;
  unwind(&frames, back);
  for (unsigned i = 1; i < frames.count; i++) {
    const struct match *match = match_of(frames.back[i]);
    for (unsigned j = 0; j < match->count; j++)
      if (!match->rule[j]->frames && bytes >= match->rule[j]->least &&
          bytes <= match->rule[j]->most)
        return match->rule[j];
  }
  return NULL;
}

static const struct site_rule *choose(size_t bytes, const void *back,
                                      const void *frame) {
  const struct match *match = match_of((uintptr_t)back);
  const struct site_rule *rule = fitting(match, match->certain, true, bytes);
  /* Only where the sizes fit are the callers worth a look. */
  if (!rule && fitting(match, match->certain, false, bytes))
    rule = choose_by_chain(match, bytes, back, frame);
  if (!rule && rules.by_function && bytes >= LARGE)
    rule = choose_by_function(bytes, back);
  return rule;
}

const struct site_rule *site_choose(size_t bytes, const void *back,
                                    const void *frame) {
  if (shim.sandboxed) return NULL;
  const struct match *match = known((uintptr_t)back);
  if (match == &nothing && !(rules.by_function && bytes >= LARGE)) return NULL;
  if (here.busy) return NULL;
  here.busy = true;
  int error = errno;
  const struct site_rule *rule =
      site_begin() ? choose(bytes, back, frame) : NULL;
  errno = error;
  here.busy = false;
  return rule;
}

/* A program with a malloc of its own keeps it. */
static void give_up(void) {
  for (uint32_t i = 0; i < shim.ranges.choices; i++)
    shim.ranges.flags[i] |= LOOK_OWN_MALLOC;
  rules.rules = 0;
}

/* The program may execute one that is linked to another C library. */
extern const char *gnu_get_libc_version(void) __attribute__((weak));

bool site_begin(void) {
  static uint8_t reading;
  if (site_least) return rules.rules > 0;
  if (!shim_begin() || __atomic_test_and_set(&reading, __ATOMIC_ACQUIRE))
    return false;
  size_t least = SIZE_MAX;
  if (!gnu_get_libc_version || site_rules_read(&rules, shim.text))
    rules.rules = 0;
  site_modules_begin(&rules);
  if (rules.rules && !site_is_malloc()) give_up();
  for (unsigned i = 0; i < rules.rules; i++)
    if (rules.rule[i].least < least) least = rules.rule[i].least;
  if (rules.by_function && rules.rules && least > LARGE) least = LARGE;
  __atomic_store_n(&site_least, least ? least : 1, __ATOMIC_RELEASE);
  return rules.rules > 0;
}

/* Can a block be chosen that has no mapping of its own? */
static bool needs_arena(void) {
  for (unsigned i = 0; i < rules.rules; i++)
    if (rules.rule[i].least < THP || (!shim.lg_huge && !rules.rule[i].to))
      return true;
  return false;
}

/* A program that allocates nothing is to be reported, too. */
__attribute__((constructor)) static void begin(void) {
  int error = errno;
  if (site_begin()) {
    site_modules_learn();
    shim.map_site = site_mapping;
    shim.choose_site = site_shared;
    site_new_begin();
    if (needs_arena()) arena_begin();
  }
  errno = error;
}
