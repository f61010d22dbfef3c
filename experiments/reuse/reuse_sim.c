/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/reuse/line_uses.h"
#include "experiments/reuse/page_uses.h"
#include "experiments/reuse/reuse.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/size_text.h"
#include "vat/policy.h"

enum {
  /* Whose slots are fetched, and half as far their marks: random_scan of 19
   * million keys takes 1.7 s with it and 3.4 without (Zen 5).  Here and not in
   * a function of its own: gcc 12 drops calls of what does nothing else. */
  LINES_AHEAD = 16,
  INDEX_BITS = 9, /* of a page table */
};

struct simulator {
  struct reuse_profile *profile;
  const struct reuse_params *params;
  const struct reuse_watch *watch;
  struct line_uses lines;
  uint64_t first, second; /* the last two lines that came, newest first, */
  bool on_second;         /* and which of them is accessed now */
  uint64_t last, before;  /* the last two that were gone through */
  struct page_uses pages[REUSE_PAGES_MAX];
  struct vat_tc *tcs[REUSE_TCS_MAX];
  uint64_t came[REUSE_BLOCK];
  uint8_t kinds[REUSE_BLOCK];
};

/* Lines whose distances are all looked up: 4 MiB.  With more memory runs are
 * long, and a look-up takes some 50 ns, a use some 8: heapsort of 2.5 million
 * keys takes three times as long where all are looked up as with one in 16, and
 * 1.15 times as long with that as with one in 64 (Zen 5).
 */
enum { LOOK_UP_ALL = 1 << 16, EVERY_MOST = 16 };

static void destroy(struct simulator *s) {
  for (unsigned i = 0; i < s->params->tc_count; i++) vat_tc_destroy(s->tcs[i]);
  for (unsigned i = 0; i < s->params->page_bits_count; i++)
    page_uses_fini(&s->pages[i]);
  line_uses_fini(&s->lines);
  free(s);
}

static struct simulator *create(struct reuse_profile *profile,
                                const struct reuse_params *params,
                                const struct reuse_watch *watch) {
  struct simulator *s = memory_zeroed(1, sizeof *s);
  uint64_t lines = (profile->workspace_bytes >> REUSE_LINE_BITS) + 1;
  unsigned every = lines <= LOOK_UP_ALL ? 1 : EVERY_MOST;
  if (params->every) every = params->every;
  s->profile = profile;
  s->params = params;
  s->watch = watch;
  s->last = s->before = UINT64_MAX;
  s->first = s->second = lines; /* none of them */
  line_uses_init(&s->lines, lines,
                 params->window ? params->window : REUSE_WINDOW, every,
                 profile);
  for (unsigned i = 0; i < params->page_bits_count; i++)
    page_uses_init(&s->pages[i], params->page_bits[i], lines, every,
                   &profile->pages[i]);
  for (unsigned i = 0; i < params->tc_count; i++) {
    const struct reuse_tc *tc = &params->tcs[i];
    struct vat_tree tree = {INDEX_BITS, tc->page_bits, tc->levels};
    s->tcs[i] = memory_need(
        vat_tc_create(vat_policy_find("islru"), &tree, tc->nodes, NULL));
    if (s->tcs[i]) continue;
    destroy(s);
    return NULL;
  }
  return s;
}

static void make_room(struct simulator *s) {
  for (unsigned i = 0; i < s->params->page_bits_count; i++)
    page_uses_make_room(&s->pages[i], REUSE_BLOCK + 1);
  struct last_uses *lines = &s->lines.uses;
  if (last_uses_has_room(lines, REUSE_BLOCK + 1)) return;
  last_uses_renumber_begin(lines);
  for (unsigned i = 0; i < s->params->page_bits_count; i++)
    page_uses_move(&s->pages[i], lines);
  last_uses_renumber_end(lines);
}

static inline void use_line(struct simulator *s, uint64_t line) {
  if (line == s->last) return;
  struct last_uses *uses = &s->lines.uses;
  uint32_t old = last_uses_put(uses, line);
  if (line != s->before) line_uses_far(&s->lines, line, old);
  for (unsigned k = 0; k < s->params->page_bits_count; k++) {
    uint64_t page = line >> s->pages[k].shift;
    if (page != s->pages[k].last) page_uses_change(&s->pages[k], uses, page);
  }
  s->before = s->last;
  s->last = line;
}

/* What goes to one of the last two lines, in turns or not, waits until another
 * comes, before which it is known which of them was last: a stream may have
 * left them out or not (stream.h). */
static void use_lines(struct simulator *s, size_t count) {
  uint64_t first = s->first, second = s->second;
  bool on_second = s->on_second;
  struct line_life *lives = s->lines.lives;
  for (size_t i = 0; i < count; i++) {
    uint64_t line = s->came[i];
    lives[first].used |= stream_used(s->kinds[i], STREAM_NEWEST);
    lives[second].used |= stream_used(s->kinds[i], STREAM_OTHER);
    if (line == first || line == second) {
      on_second = line != first;
      continue;
    }
    if (i + LINES_AHEAD < count) {
      __builtin_prefetch(&s->lines.uses.at[s->came[i + LINES_AHEAD]]);
      __builtin_prefetch(&lives[s->came[i + LINES_AHEAD]], 1);
      uint32_t slot = s->lines.uses.at[s->came[i + LINES_AHEAD / 2]];
      __builtin_prefetch(&s->lines.uses.marks[slot / 64]);
    }
    if (on_second)
      use_line(s, second);
    else
      second = first;
    use_line(s, first = line);
    on_second = false;
  }
  s->first = first;
  s->second = second;
  s->on_second = on_second;
}

static void translate(struct simulator *s) {
  for (unsigned k = 0; k < s->params->page_bits_count; k++) {
    struct page_uses *pages = &s->pages[k];
    for (unsigned i = 0; i < s->params->tc_count; i++)
      if (s->params->tcs[i].page_bits == s->params->page_bits[k] &&
          vat_tc_pages(s->tcs[i], pages->changed, pages->changes))
        memory_exhausted();
    pages->changes = 0;
  }
}

static int reuse_simulate_block(void *arg, size_t count, uint64_t accesses) {
  struct simulator *s = arg;
  make_room(s);
  use_lines(s, count);
  translate(s);
  s->profile->accesses += accesses;
  if (s->watch) s->watch->told(s->watch->arg, s->profile->accesses);
  return VAT_OK;
}

static void finish(struct simulator *s) {
  struct reuse_profile *profile = s->profile;
  line_uses_finish(&s->lines, profile->accesses);
  for (unsigned i = 0; i < s->params->page_bits_count; i++)
    page_uses_finish(&s->pages[i], profile->accesses);
  for (unsigned i = 0; i < s->params->tc_count; i++)
    profile->tc_misses[i] = vat_tc_counts(s->tcs[i]).misses;
}

uint64_t reuse_memory(const struct stream *stream) {
  uint64_t bytes = cpu_algo_bytes(stream->algo, stream->n, stream->given);
  return bytes + bytes / 6;
}

int reuse_simulate(struct reuse_profile *profile, const struct stream *stream,
                   const struct reuse_params *params,
                   const struct reuse_watch *watch) {
  *profile = (struct reuse_profile){
      .workspace_bytes = cpu_algo_bytes(stream->algo, stream->n, stream->given),
      .ram_ops = cpu_algo_ops(stream->algo, stream->n, stream->given),
      .pages_count = params->page_bits_count,
      .tc_count = params->tc_count};
  if (reuse_memory(stream) > hp_memory_available())
    return fail(VAT_ABSENT,
                "%s of n = %" PRIu64
                " needs %s and a sixth more to be simulated, more than is "
                "free; fix: a smaller n",
                stream->algo->name, stream->n,
                HP_SIZE_SHOWN(profile->workspace_bytes));
  struct simulator *s = create(profile, params, watch);
  if (!s)
    return fail(VAT_USAGE, "a reuse profile cannot be simulated: %s",
                strerror(EINVAL));
  struct stream based = *stream;
  based.base = 0; /* as good as any that all tables are aligned to */
  struct stream_sink sink = {.block = {.addresses = s->came, .kinds = s->kinds},
                             .capacity = REUSE_BLOCK,
                             .take = reuse_simulate_block,
                             .arg = s,
                             .free = VAT_TC_PAIRS_FREE,
                             .by_kind = true,
                             .page_bits = REUSE_LINE_BITS};
  int code = stream_run(&based, &sink);
  if (!code) finish(s);
  destroy(s);
  return code;
}
