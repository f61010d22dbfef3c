/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rule takes a block, by the call that returns to a given address.
 *
 * An address is looked at once; what came of it is in a table by a hash of the
 * address.  Nearly all are of no rule.  Where a rule has a chain of calls, the
 * callers decide (site_callers.c).  The table begins as one page of its memory,
 * as most programs call from few places.
 */
#include <errno.h>
#include <string.h>

#include "experiments/exec/look.h"
#include "experiments/exec/site.h"

enum {
  LG_CALLS = 14, /* at most */
  PROBES = 8,
  SET = RULES_TEXT / 20 / 64, /* no chain is written in less than 20 bytes */
  LARGE = 128 << 10           /* a block worth unwinding for */
};

/* What begins at a call. */
struct match {
  struct site_some *certain, *others; /* whose callers decide */
  uint64_t sizes; /* of those: a bit for each power of two */
  struct site_above above;
};

static struct site_some none;
static const struct match nothing = {&none, &none, 0, {{0}}};

static struct call {
  uintptr_t back;
  const struct match *match;
} calls[1 << LG_CALLS];

static unsigned lg_calls = 8; /* now */

static struct site_rules rules;
bool site_in_parts;
const struct site_rule *site_parts_of[RULES_CHOICES];
size_t site_least; /* 0 until the rules are known */
size_t site_large;
static bool heap; /* takes large blocks, whoever asks for them */
uintptr_t site_passed[1 << SITE_LG_PASSED];

/* A thread that is here already, by what it calls, is only passed on. */
static __thread bool busy __attribute__((tls_model("initial-exec")));

static unsigned lg(uint64_t x) { return 63 - (unsigned)__builtin_clzll(x | 1); }

static size_t hash(uintptr_t back) {
  unsigned lg = __atomic_load_n(&lg_calls, __ATOMIC_RELAXED);
  return (size_t)((back * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - lg));
}

static struct call *call_at(size_t place) {
  return &calls[place % (1 << LG_CALLS)];
}

/* While a place is written, its address is BUSY. */
enum { FREE = 0, BUSY = 1 };

static const struct match *known(uintptr_t back) {
  size_t at = hash(back);
  for (size_t i = 0; i < PROBES; i++) {
    struct call *call = call_at(at + i);
    if (__atomic_load_n(&call->back, __ATOMIC_ACQUIRE) != back) continue;
    const struct match *match = __atomic_load_n(&call->match, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&call->back, __ATOMIC_RELAXED) == back) return match;
  }
  return NULL;
}

static bool seize(struct call *call, uintptr_t had) {
  return __atomic_compare_exchange_n(&call->back, &had, (uintptr_t)BUSY, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static struct call *seize_free(uintptr_t back) {
  size_t at = hash(back);
  for (size_t i = 0; i < PROBES; i++)
    if (seize(call_at(at + i), FREE)) return call_at(at + i);
  return NULL;
}

static bool grow(void) {
  unsigned lg = __atomic_load_n(&lg_calls, __ATOMIC_RELAXED);
  return lg < LG_CALLS &&
         __atomic_compare_exchange_n(&lg_calls, &lg, lg + 1, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* In a free place of a table that grows, or over another: calls that are not
 * where they belong any more are looked at again. */
static void remember(uintptr_t back, const struct match *match) {
  struct call *call = seize_free(back);
  if (!call && grow()) call = seize_free(back);
  if (!call) {
    call = call_at(hash(back) + back % PROBES);
    uintptr_t had = __atomic_load_n(&call->back, __ATOMIC_RELAXED);
    if (had == BUSY || !seize(call, had)) return;
  }
  __atomic_store_n(&call->match, match, __ATOMIC_RELEASE);
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

/* With room for `count` rules. */
static struct site_some *make_some(unsigned count) {
  struct site_some *some;
  return site_carve(sizeof *some + count * sizeof *some->rule);
}

static void include(struct match *match, const struct site_rule *rule) {
  struct site_some *some = rule->frames < 2 ? match->certain : match->others;
  some->rule[some->count++] = rule;
  if (rule->frames < 2) return;
  uint64_t upto = UINT64_MAX >> (63 - lg(rule->most));
  match->sizes |= upto & (UINT64_MAX << lg(rule->least));
}

static const struct match *examine(uintptr_t back) {
  struct site_place place;
  unsigned certain = 0, count = 0;
  if (!site_place_of(back, &place)) return &nothing;
  for (unsigned i = 0; i < rules.rules; i++) {
    if (!begins_at(&rules.rule[i], back, &place)) continue;
    count++;
    certain += rules.rule[i].frames < 2;
  }
  if (!count || count - certain > SET * 64) return &nothing;
  struct match *match = site_carve(sizeof *match);
  if (!match || !(match->certain = make_some(certain)) ||
      !(match->others = make_some(count - certain)))
    return &nothing;
  for (unsigned i = 0; i < rules.rules; i++)
    if (begins_at(&rules.rule[i], back, &place)) include(match, &rules.rule[i]);
  return match;
}

/* Does the chain go on as the stack does?  `*needed`: frames that it takes to
 * tell. */
static bool follows(const struct site_rule *rule,
                    const struct site_frames *frames, unsigned *needed) {
  struct site_place place;
  for (unsigned i = 1; i < rule->frames; i++) {
    if (*needed < i + 1) *needed = i + 1;
    if (i >= frames->count || !site_place_of(frames->back[i], &place) ||
        !is_at(rule, i, frames->back[i], &place))
      return false;
  }
  return true;
}

static const struct site_rule *fitting(const struct site_some *some,
                                       size_t bytes) {
  for (unsigned i = 0; i < some->count; i++)
    if (bytes >= some->rule[i]->least && bytes <= some->rule[i]->most)
      return some->rule[i];
  return NULL;
}

static bool has(const uint64_t *set, unsigned i) {
  return set[i / 64] >> (i % 64) & 1;
}

/* Those of the set; NULL: there is no memory. */
static const struct site_some *some_of(const struct site_some *all,
                                       const uint64_t *set, unsigned count) {
  if (!count) return &none;
  struct site_some *some = make_some(count);
  for (unsigned i = 0; some && i < all->count; i++)
    if (has(set, i)) some->rule[some->count++] = all->rule[i];
  return some;
}

/* Not inlined: other calls are to take no stack for the set. */
__attribute__((noinline)) static const struct site_rule *choose_by_chain(
    struct match *match, size_t bytes, const void *back) {
  const struct site_some *all = match->others;
  const struct site_rule *rule = NULL;
  struct site_frames frames;
  unsigned needed = 0, count = 0;
  uint64_t set[SET] = {0};
  site_unwind(&frames, back);
  for (unsigned i = 0; i < all->count; i++) {
    const struct site_rule *one = all->rule[i];
    if (!follows(one, &frames, &needed)) continue;
    set[i / 64] |= UINT64_C(1) << (i % 64);
    count++;
    if (!rule && bytes >= one->least && bytes <= one->most) rule = one;
  }
  const struct site_some **place =
      site_callers_place(match, &match->above, &frames, needed);
  if (place)
    __atomic_store_n(place, some_of(all, set, count), __ATOMIC_RELEASE);
  return rule;
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
  struct site_frames frames;
  site_unwind(&frames, back);
  for (unsigned i = 1; i < frames.count; i++) {
    const struct site_some *some = match_of(frames.back[i])->certain;
    for (unsigned j = 0; j < some->count; j++)
      if (!some->rule[j]->frames && bytes >= some->rule[j]->least &&
          bytes <= some->rule[j]->most)
        return some->rule[j];
  }
  return NULL;
}

/* Only where the sizes fit are the callers worth a look. */
static bool needs_callers(const struct match *match, size_t bytes) {
  return match->sizes >> lg(bytes) & 1;
}

static bool needs_functions(size_t bytes) {
  return rules.by_function && bytes >= LARGE;
}

/* By what is known; false: that does not suffice. */
static bool choose_quickly(const struct match *match, size_t bytes,
                           const void *frame, const struct site_rule **rule) {
  const struct site_some *some;
  *rule = fitting(match->certain, bytes);
  if (*rule) return true;
  if (needs_callers(match, bytes)) {
    if (!(some = site_callers(match, &match->above, frame))) return false;
    *rule = fitting(some, bytes);
  }
  return *rule || !needs_functions(bytes);
}

static const struct site_rule *choose(size_t bytes, const void *back,
                                      const void *frame) {
  const struct site_rule *rule;
  const struct match *match = match_of((uintptr_t)back);
  if (choose_quickly(match, bytes, frame, &rule)) return rule;
  if (needs_callers(match, bytes))
    rule = choose_by_chain((struct match *)match, bytes, back);
  if (!rule && needs_functions(bytes)) rule = choose_by_function(bytes, back);
  return rule;
}

const struct site_rule *site_choose(size_t bytes, const void *back,
                                    const void *frame) {
  const struct site_rule *rule = NULL;
  if (shim.sandboxed) return NULL;
  const struct match *match = known((uintptr_t)back);
  if (match == &nothing)
    __atomic_store_n(site_passed_place(back), (uintptr_t)back,
                     __ATOMIC_RELAXED);
  if (match && choose_quickly(match, bytes, frame, &rule)) return rule;
  if (busy) return NULL;
  busy = true;
  int error = errno;
  rule = site_begin() ? choose(bytes, back, frame) : NULL;
  errno = error;
  busy = false;
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

/* The least block that a rule still takes. */
static size_t least_of_all(void) {
  size_t least = SIZE_MAX;
  for (unsigned i = 0; i < rules.rules; i++) {
    const struct site_rule *rule = &rules.rule[i];
    if (rule->most && !rule->mapped && rule->least < least) least = rule->least;
  }
  if (rules.by_function && rules.rules && least > LARGE) least = LARGE;
  if (heap && least > THP) least = THP;
  return least ? least : 1;
}

/* By a function further up, or the heap. */
static size_t large_of_all(void) {
  if (rules.by_function && rules.rules) return LARGE;
  return heap ? THP : SIZE_MAX;
}

/* What they would take is not looked up any more, unless another would. */
void site_rules_spend(int choice) {
  for (unsigned i = 0; i < rules.rules; i++)
    if (rules.rule[i].choice == choice && site_rule_is_limited(&rules.rule[i]))
      rules.rule[i].most = 0;
  __atomic_store_n(&site_least, least_of_all(), __ATOMIC_RELEASE);
}

bool site_begin(void) {
  static uint8_t reading;
  if (site_least) return rules.rules || heap;
  if (!shim_begin() || __atomic_test_and_set(&reading, __ATOMIC_ACQUIRE))
    return false;
  if (!gnu_get_libc_version || site_rules_read(&rules, shim.text))
    rules.rules = 0;
  heap = gnu_get_libc_version && site_heap_begin();
  site_modules_begin(&rules);
  if (rules.rules && !site_is_malloc()) give_up();
  for (unsigned i = 0; i < rules.rules; i++) {
    const struct site_rule *rule = &rules.rule[i];
    if (!site_rule_is_part(rule)) continue;
    site_in_parts = true;
    site_parts_of[rule->choice] = rule;
  }
  site_large = large_of_all();
  __atomic_store_n(&site_least, least_of_all(), __ATOMIC_RELEASE);
  return rules.rules || heap;
}

/* Is any code of its chain loaded, but for what all programs have? */
static bool is_near(const struct site_rule *rule) {
  bool everywhere = true;
  for (unsigned i = 0; i < rule->frames; i++) {
    if (site_is_of_libc(rule->frame[i].object)) continue;
    if (site_is_loaded(rule->frame[i].object)) return true;
    everywhere = false;
  }
  return everywhere;
}

/* Can a block be chosen that has no mapping of its own, by what is loaded? */
static bool needs_arena(void) {
  for (unsigned i = 0; i < rules.rules; i++) {
    const struct site_rule *rule = &rules.rule[i];
    if (rule->mapped || !is_near(rule)) continue;
    if (rule->least < THP || (!shim.lg_huge && !rule->to)) return true;
  }
  return false;
}

/* A program that allocates nothing is to be reported, too. */
__attribute__((constructor)) static void begin(void) {
  int error = errno;
  site_real(); /* while there is one thread */
  if (site_begin()) site_new_begin();
  if (rules.rules) {
    site_modules_learn();
    shim.map_site = site_mapping;
    shim.choose_site = site_shared;
    site_forks_begin();
    if (needs_arena()) arena_begin();
  }
  errno = error;
}
