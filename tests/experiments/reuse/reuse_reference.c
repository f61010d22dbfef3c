/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/reuse/reuse_reference.h"

#include <config.h>
#include <stdlib.h>

#include "vat/policy.h"

enum { BLOCK = 1000 };

/* All addresses of a stream. */
struct addresses {
  uint64_t *at;
  uint8_t *kind;
  size_t count, capacity;
  uint64_t block[BLOCK];
  uint32_t sizes[BLOCK];
  uint8_t kinds[BLOCK];
};

static int take(void *arg, size_t count, uint64_t accesses) {
  struct addresses *all = arg;
  (void)accesses;
  if (all->count + count > all->capacity) {
    all->capacity = 2 * (all->count + count);
    all->at = realloc(all->at, all->capacity * sizeof *all->at);
    all->kind = realloc(all->kind, all->capacity);
    if (!all->at || !all->kind) return 1;
  }
  for (size_t i = 0; i < count; i++) {
    all->at[all->count] = all->block[i];
    all->kind[all->count++] = all->kinds[i];
  }
  return 0;
}

/* Times are indices of accesses plus 1; 0 is never. */
struct times {
  size_t *last;
  size_t things;
};

static struct times never(size_t things) {
  return (struct times){calloc(things, sizeof(size_t)), things};
}

/* Things accessed after `time`. */
static uint64_t after(const struct times *times, size_t time) {
  uint64_t count = 0;
  for (size_t i = 0; i < times->things; i++) count += times->last[i] > time;
  return count;
}

/* The changes of the line: without repeats, and of x y x y .. x y z only
 * x y z.  places[i] is that of access i. */
static size_t changes_of(const struct addresses *all, uint64_t base,
                         uint64_t *changes, size_t *places) {
  size_t single = 0, count = 0;
  uint64_t *singles = calloc(all->count, sizeof *singles);
  size_t *access = calloc(all->count, sizeof *access);
  for (size_t i = 0; i < all->count; i++) {
    uint64_t line = (all->at[i] - base) / 64;
    if (single && singles[single - 1] == line) continue;
    singles[single] = line;
    access[single++] = i;
  }
  for (size_t i = 0; i < single; i++) {
    bool back = i >= 2 && singles[i] == singles[i - 2];
    bool forth = i >= 1 && i + 1 < single && singles[i + 1] == singles[i - 1];
    if (back && forth) continue;
    if (count && changes[count - 1] == singles[i]) continue;
    places[access[i]] = count;
    changes[count++] = singles[i];
  }
  free(singles);
  free(access);
  return count;
}

static bool was_recent(const uint64_t *changes, size_t place, unsigned window,
                       uint64_t line) {
  for (size_t back = 1; back <= window && back <= place; back++)
    if (changes[place - back] == line) return true;
  return false;
}

static enum reuse_class class_of(const uint64_t *changes, size_t place,
                                 unsigned window) {
  uint64_t line = changes[place];
  bool low = true, high = true;
  for (uint64_t off = 1; off <= 4; off++) {
    low = low && was_recent(changes, place, window, line - off);
    high = high && was_recent(changes, place, window, line + off);
  }
  return low || high ? REUSE_STREAM : REUSE_OTHER;
}

/* What is known of a line, besides when it was accessed last. */
struct line {
  enum reuse_class class; /* of its last access that was not near */
  struct {
    bool open;
    uint64_t longest;
    enum reuse_class class;
  } spans[REUSE_KINDS];
};

static void end_span(struct reuse_profile *profile, const struct line *line,
                     unsigned kind, bool cold) {
  if (!line->spans[kind].open) return;
  struct reuse_histogram *histogram =
      &profile->kinds[kind][line->spans[kind].class];
  if (cold)
    histogram->cold++;
  else if (line->spans[kind].longest >= 2)
    histogram->count[reuse_bucket(line->spans[kind].longest)]++;
}

/* An access at this distance; UINT64_MAX: the first. */
static void spans_of(struct reuse_profile *profile, struct line *line,
                     unsigned kind, uint64_t distance, enum reuse_class class) {
  if (distance >= 2) line->class = class;
  for (unsigned k = 0; k < REUSE_KINDS; k++)
    if (line->spans[k].longest < distance) line->spans[k].longest = distance;
  end_span(profile, line, kind, false);
  line->spans[kind].open = true;
  line->spans[kind].longest = 0;
  line->spans[kind].class = line->class;
}

static void end_spans(struct reuse_profile *profile, const struct line *known,
                      size_t lines) {
  for (size_t i = 0; i < lines; i++)
    for (unsigned kind = 0; kind < REUSE_KINDS; kind++)
      end_span(profile, &known[i], kind, true);
}

static void lines_of(struct reuse_profile *profile, const struct addresses *all,
                     uint64_t base, size_t lines, unsigned window) {
  struct times times = never(lines);
  struct line *known = calloc(lines, sizeof *known);
  uint64_t *changes = calloc(all->count, sizeof *changes);
  size_t *places = calloc(all->count, sizeof *places);
  changes_of(all, base, changes, places);
  for (size_t i = 0; i < all->count; i++) {
    uint64_t line = (all->at[i] - base) / 64;
    size_t last = times.last[line];
    uint64_t distance = last ? after(&times, last) : UINT64_MAX;
    enum reuse_class class =
        distance < 2 ? REUSE_OTHER : class_of(changes, places[i], window);
    if (last)
      profile->lines[class].count[reuse_bucket(distance)]++;
    else
      profile->lines[class].cold++;
    spans_of(profile, &known[line], all->kind[i], distance, class);
    times.last[line] = i + 1;
  }
  end_spans(profile, known, lines);
  free(known);
  free(times.last);
  free(changes);
  free(places);
}

static void note(struct reuse_histogram *histogram, bool cold,
                 uint64_t distance) {
  if (cold)
    histogram->cold++;
  else
    histogram->count[reuse_bucket(distance)]++;
}

static void pages_of(struct reuse_pages *result, const struct addresses *all,
                     uint64_t base, size_t lines) {
  uint64_t page_bytes = UINT64_C(1) << result->page_bits;
  size_t most = lines * 64 / page_bytes + 1;
  struct times line_times = never(lines), page_times = never(most);
  struct times tables = never(most);
  for (size_t i = 0; i < all->count; i++) {
    uint64_t line = (all->at[i] - base) / 64;
    uint64_t page = (all->at[i] - base) / page_bytes;
    size_t last = page_times.last[page], used = tables.last[page / 8];
    uint64_t distance = last ? after(&page_times, last) : UINT64_MAX;
    note(&result->pages, !last, distance);
    if (distance >= 2) note(&result->tables, !used, after(&line_times, used));
    if (distance >= 2)
      result->joint[last ? reuse_coarse(distance) : REUSE_COARSE]
                   [used ? reuse_coarse(after(&line_times, used))
                         : REUSE_COARSE]++;
    if (distance >= 2)
      result->tables_joint[used ? reuse_coarse(after(&line_times, used))
                                : REUSE_COARSE]
                          [used ? reuse_coarse(after(&tables, used))
                                : REUSE_COARSE]++;
    line_times.last[line] = page_times.last[page] = i + 1;
    tables.last[page / 8] = i + 1;
  }
  free(line_times.last);
  free(page_times.last);
  free(tables.last);
}

static uint64_t misses_of(const struct reuse_tc *asked,
                          const struct addresses *all) {
  struct vat_tree tree = {9, asked->page_bits, asked->levels};
  struct vat_tc *tc =
      vat_tc_create(vat_policy_find("islru"), &tree, asked->nodes, NULL);
  if (!tc || vat_tc_addresses(tc, all->at, all->count)) abort();
  uint64_t misses = vat_tc_counts(tc).misses;
  vat_tc_destroy(tc);
  return misses;
}

int reuse_reference(struct reuse_profile *profile, const struct stream *stream,
                    const struct reuse_params *params) {
  struct addresses *all = calloc(1, sizeof *all);
  struct stream_sink sink = {.block = {all->block, all->sizes, all->kinds},
                             .capacity = BLOCK,
                             .take = take,
                             .arg = all};
  int code = stream_run(stream, &sink);
  size_t lines = cpu_algo_bytes(stream->algo, stream->n, NULL) / 64 + 1;
  *profile = (struct reuse_profile){.accesses = all->count,
                                    .pages_count = params->page_bits_count,
                                    .tc_count = params->tc_count};
  lines_of(profile, all, stream->base, lines, params->window);
  for (unsigned i = 0; i < params->page_bits_count; i++) {
    profile->pages[i].page_bits = params->page_bits[i];
    pages_of(&profile->pages[i], all, stream->base, lines);
  }
  for (unsigned i = 0; i < params->tc_count; i++)
    profile->tc_misses[i] = misses_of(&params->tcs[i], all);
  free(all->at);
  free(all->kind);
  free(all);
  return code;
}
