/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what experiments/valgrind/output.c writes: lines of a key and what
 * belongs to it.  "object", "file" and "function" hold for the lines below. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/profile_reading.h"

/* Accesses; then, of each tree, those that missed 1, 2, ... nodes. */
static int read_counts(struct reading *r, struct profile_counts *counts) {
  uint64_t missed[PROFILE_LAYERS];
  memset(counts, 0, sizeof *counts);
  if (reading_number(r, 10, &counts->accesses)) return -1;
  for (unsigned t = 0; t < r->own.trees; t++) {
    for (unsigned i = 0; i < r->own.tree[t].layers; i++)
      if (reading_number(r, 10, &missed[i])) return -1;
    uint64_t sum = 0;
    for (unsigned i = r->own.tree[t].layers; i-- > 0;)
      counts->misses[t][i] = sum += missed[i];
  }
  return *r->text ? reading_wrong(r, "more numbers than trees have layers") : 0;
}

static int read_tree(struct reading *r) {
  struct profile_tree *tree = &r->own.tree[r->own.trees];
  int used = 0;
  if (r->own.trees == PROFILE_TREES) return reading_wrong(r, "too many trees");
  if (sscanf(r->text, "%7s %u %u%n", tree->name, &tree->layers, &tree->nodes,
             &used) < 3 ||
      r->text[used] || !tree->layers || tree->layers > PROFILE_LAYERS)
    return reading_wrong(r, "no tree");
  r->own.trees++;
  return 0;
}

static int read_totals(struct reading *r) {
  return read_counts(r, &r->own.totals);
}

static int read_second_hits(struct reading *r) {
  r->own.has_second_hits = true;
  for (unsigned t = 0; t < r->own.trees; t++)
    if (reading_number(r, 10, &r->own.second_hits[t])) return -1;
  return *r->text ? reading_wrong(r, "more numbers than trees") : 0;
}

static int read_unit(struct reading *r) {
  r->own.unit = r->number[0];
  return r->own.unit == PROFILE_UNIT ? 0
                                     : reading_wrong(r, "another unit of heat");
}

static int read_heap(struct reading *r) {
  r->own.nameless = !strcmp(r->text, "nameless");
  r->own.unknown = !strcmp(r->text, "unknown");
  return r->own.nameless || r->own.unknown || !strcmp(r->text, "told")
             ? 0
             : reading_wrong(r, "no such heap");
}

/* The same of each process; one call is enough. */
static int read_allocator(struct reading *r) {
  struct profile *p = r->profile;
  const char *name = profile_intern(p, r->text);
  unsigned i = 0;
  while (i < p->allocators && p->allocator[i].name != name) i++;
  if (i == PROFILE_NAMED) return reading_wrong(r, "too many allocators");
  if (i == p->allocators) p->allocator[p->allocators++].name = name;
  p->allocator[i].called |= !strcmp(r->key, "called");
  return 0;
}

static int read_line(struct reading *r) {
  struct profile_rows *rows = &r->profile->lines;
  struct profile_row *row = ARRAY_ADD(rows->row, rows->count);
  *row = (struct profile_row){.at = reading_place(r)};
  return read_counts(r, &row->counts);
}

static int read_site(struct reading *r) {
  struct profile_sites *sites = &r->profile->sites;
  struct profile_site *site = r->site = ARRAY_ADD(sites->site, sites->count);
  *site = (struct profile_site){.name = r->nothing};
  size_t length = strcspn(r->text, " ");
  if (!length || length >= PROFILE_KIND)
    return reading_wrong(r, "no kind of site");
  memcpy(site->kind, r->text, length);
  r->text += length;
  if (reading_number(r, 10, &site->blocks) ||
      reading_number(r, 10, &site->bytes) || reading_number(r, 10, &site->peak))
    return -1;
  site->at_peak = site->peak;
  for (unsigned t = 0; t < r->own.trees; t++)
    if (reading_number(r, 10, &site->pages[t])) return -1;
  return read_counts(r, &site->counts);
}

static int read_name(struct reading *r) {
  r->site->name = profile_intern(r->profile, r->text);
  return 0;
}

static int read_caller(struct reading *r) {
  if (r->site->callers == PROFILE_CALLERS)
    return reading_wrong(r, "too many callers");
  r->site->caller[r->site->callers++] = reading_place(r);
  return 0;
}

static int read_sizes(struct reading *r) {
  r->site->smallest = r->number[0];
  r->site->largest = r->number[1];
  r->site->large = r->number[2];
  r->site->large_peak = r->number[3];
  if (r->site->smallest > r->site->largest || r->site->largest >> 48)
    return reading_wrong(r, "no such sizes of blocks");
  return 0;
}

static int read_live(struct reading *r) {
  r->site->small = r->number[0], r->site->small_peak = r->number[1];
  r->site->small_rounded = r->number[2], r->site->at_peak = r->number[3];
  return 0;
}

static int read_small(struct reading *r) {
  r->site->small_chunks = r->number[0], r->site->small_bytes = r->number[1];
  return 0;
}

/* Faults that were counted otherwise: unknown. */
static int read_older(struct reading *r) {
  (void)r;
  return 0;
}

/* Number 3 is bytes of small blocks that glibc mapped, which nothing needs. */
static int read_faulted(struct reading *r) {
  r->site->faults = r->number[0], r->site->large_faults = r->number[1];
  r->site->mapped_large = r->number[2];
  r->site->begin_faults = r->number[4], r->site->read_first = r->number[5];
  r->profile->has_faults = true;
  if (r->site->large_faults > r->site->faults ||
      r->site->begin_faults > r->site->faults ||
      r->site->read_first > r->site->faults)
    return reading_wrong(r, "more faults of some memory than of all");
  return 0;
}

/* Frame 0 begins a chain. */
static int read_frame(struct reading *r) {
  struct profile_chains *all = &r->profile->chains;
  size_t site = r->profile->sites.count - 1;
  if (!r->number[0]) {
    if (r->site->chains++ == PROFILE_CHAINS)
      return reading_wrong(r, "too many chains");
    *ARRAY_ADD(all->chain, all->count) = (struct profile_chain){.site = site};
  }
  if (!r->site->chains) return reading_wrong(r, "no chain begins so");
  struct profile_chain *chain = &all->chain[all->count - 1];
  if (r->number[0] != chain->frames || chain->frames == PROFILE_FRAMES)
    return reading_wrong(r, "no such frame");
  chain->frame[chain->frames++] =
      (struct profile_frame){r->at.object, r->number[1]};
  return 0;
}

static int read_more_chains(struct reading *r) {
  r->site->more_chains = r->number[0];
  return 0;
}

/* Block, unit, pages; leaf misses of each tree. */
static int read_heat(struct reading *r) {
  enum { UNITS = 1 << (48 - 21) };
  struct profile_heats *all = &r->profile->heats;
  const uint64_t *n = r->number;
  if (!r->own.unit || n[0] > PROFILE_SMALL || n[1] >= UNITS ||
      n[2] > UINT32_MAX)
    return reading_wrong(r, "no such unit");
  struct profile_heat *heat = ARRAY_ADD(all->heat, all->count);
  *heat = (struct profile_heat){.site = r->profile->sites.count - 1,
                                .block = (uint32_t)n[0],
                                .unit = (uint32_t)n[1],
                                .pages = (uint32_t)n[2]};
  for (unsigned t = 0; t < r->own.trees; t++)
    if (reading_number(r, 10, &heat->misses[t])) return -1;
  return *r->text ? reading_wrong(r, "more numbers than trees") : 0;
}

static int read_context(struct reading *r) {
  struct profile_contexts *all = &r->profile->contexts;
  size_t before = r->before.contexts.count;
  uint64_t number = r->number[0], parent = r->number[1];
  if (number != all->count - before || parent > number)
    return reading_wrong(r, "contexts are out of order");
  struct profile_context *context = ARRAY_ADD(all->context, all->count);
  *context = (struct profile_context){.at = r->at};
  context->at.offset = r->number[2];
  context->parent = parent ? before + parent - 1 : PROFILE_ROOT;
  if (!parent)
    context->at =
        (struct profile_place){r->nothing, r->nothing, r->nothing, 0, 0};
  return read_counts(r, &context->counts);
}

/* From, to, calls, line. */
static int read_edge(struct reading *r) {
  struct profile_edges *all = &r->profile->edges;
  size_t before = r->before.contexts.count;
  size_t contexts = r->profile->contexts.count - before;
  if (r->number[0] >= contexts || r->number[1] >= contexts)
    return reading_wrong(r, "no such context");
  struct profile_edge *edge = ARRAY_ADD(all->edge, all->count);
  *edge = (struct profile_edge){r->at, before + r->number[0],
                                before + r->number[1], r->number[2]};
  edge->at.line = (unsigned)r->number[3];
  return 0;
}

static int read_end(struct reading *r) {
  r->ended = true;
  return 0;
}

static int read_left(struct reading *r) {
  r->is_left = true;
  r->profile->left += r->number[0];
  return 0;
}

/* Where a key has no function, its number or text goes to `to`, or nowhere. */
static const struct {
  const char *key;
  int (*read)(struct reading *r);
  size_t to;                 /* in struct reading; 0: nowhere */
  unsigned numbers;          /* that the line begins with */
  bool hexadecimal, no_more; /* the last of them is; nothing follows it */
  bool of_site;              /* the last one */
} keys[] = {
    {.key = "argument"},
    {"burst", .read = profile_read_burst, .numbers = 5, .no_more = true},
    {"called", .read = read_allocator},
    {"caller", .read = read_caller, .numbers = 2, .hexadecimal = true,
     .of_site = true},
    {"code", .read = profile_read_code, .numbers = 3, .no_more = true},
    {"context", .read = read_context, .numbers = 3, .hexadecimal = true},
    {"edge", .read = read_edge, .numbers = 4},
    {"end", .read = read_end},
    {"faulted", .read = read_faulted, .numbers = 6, .no_more = true,
     .of_site = true},
    {"faults", .read = read_older, .numbers = 2, .of_site = true},
    {"fetch_walks", .read = profile_read_fetch_walks,
     .numbers = READING_NUMBERS, .no_more = true},
    {"fetched", .read = profile_read_fetched, .numbers = 2,
     .hexadecimal = true},
    {"file", .to = offsetof(struct reading, at.file)},
    {"function", .to = offsetof(struct reading, at.function)},
    {"frame", .read = read_frame, .numbers = 2, .hexadecimal = true,
     .no_more = true, .of_site = true},
    {"heap", .read = read_heap},
    {"heat", .read = read_heat, .numbers = 3, .of_site = true},
    {"left", .read = read_left, .numbers = 1, .no_more = true},
    {"large", .read = profile_read_large, .numbers = PROFILE_LAYERS,
     .no_more = true},
    {"line", .read = read_line, .numbers = 2, .hexadecimal = true},
    {"live", .read = read_live, .numbers = 4, .no_more = true, .of_site = true},
    {"more_chains", .read = read_more_chains, .numbers = 1, .no_more = true,
     .of_site = true},
    {"name", .read = read_name, .of_site = true},
    {"number", .read = profile_read_site_number, .numbers = 1, .no_more = true,
     .of_site = true},
    {"object", .to = offsetof(struct reading, at.object)},
    {.key = "parent"},
    {"plan", .read = profile_read_plan, .numbers = 2, .no_more = true},
    {"process", .to = offsetof(struct reading, own.process), .numbers = 1},
    {.key = "program"},
    {"range", .read = profile_read_range},
    {"sampled", .to = offsetof(struct reading, own.sampled), .numbers = 1},
    {"second_hits", .read = read_second_hits},
    {"site", .read = read_site},
    {"sizes", .read = read_sizes, .numbers = 4, .no_more = true,
     .of_site = true},
    {"small", .read = read_small, .numbers = 2, .no_more = true,
     .of_site = true},
    {"threads", .to = offsetof(struct reading, own.threads), .numbers = 1},
    {"totals", .read = read_totals},
    {"tree", .read = read_tree},
    {"uncalled", .read = read_allocator},
    {"unit", .read = read_unit, .numbers = 1, .no_more = true},
    {"wait", .read = profile_read_wait, .numbers = 5, .no_more = true},
    {"walks", .read = profile_read_walks, .numbers = READING_NUMBERS,
     .no_more = true, .of_site = true},
};

static int read_value(struct reading *r, size_t key) {
  unsigned count = keys[key].numbers;
  char *to = (char *)r + keys[key].to;
  for (unsigned i = 0; i < count; i++)
    if (reading_number(r, keys[key].hexadecimal && i + 1 == count ? 16 : 10,
                       &r->number[i]))
      return -1;
  if (keys[key].no_more && *r->text)
    return reading_wrong(r, "more numbers than there should be");
  if (keys[key].of_site && !r->site)
    return reading_wrong(r, "it belongs to no site");
  if (keys[key].read) return keys[key].read(r);
  if (keys[key].to && count)
    *(uint64_t *)to = r->number[0];
  else if (keys[key].to)
    *(const char **)to = profile_intern(r->profile, r->text);
  return 0;
}

static int read_any(struct reading *r, char *line) {
  r->text = strchrnul(line, ' ');
  if (*r->text) *r->text++ = '\0';
  r->key = line;
  if (r->ended) return reading_wrong(r, "something follows the end");
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (*line == *keys[i].key && !strcmp(line, keys[i].key))
      return read_value(r, i);
  return reading_wrong(r, "no such key");
}

static int read_all(struct reading *r, FILE *file, unsigned *at) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  int code = 0;
  while (!code && (length = getline(&line, &room, file)) >= 0) {
    if (length && line[length - 1] == '\n') line[length - 1] = '\0';
    if ((*at)++)
      code = read_any(r, line);
    else if (strcmp(line, "vat-profile 1"))
      code = reading_wrong(r, "not what the tool writes");
  }
  if (!code && !r->ended && !feof(file)) memory_exhausted();
  if (!code && !r->ended) code = reading_wrong(r, "it ends too soon");
  free(line);
  return code;
}

static int accept(struct profile *profile, const struct reading *r) {
  if (r->is_left) return 0;
  if (!profile->processes++) {
    profile->trees = r->own.trees;
    memcpy(profile->tree, r->own.tree, sizeof profile->tree);
  }
  if (r->own.unit) profile->unit = r->own.unit;
  profile->threads += r->own.threads;
  profile->sampled += r->own.sampled;
  profile->nameless += r->own.nameless;
  profile->unknown += r->own.unknown;
  profile_add(&profile->totals, &r->own.totals);
  profile->has_second_hits |= r->own.has_second_hits;
  for (unsigned t = 0; t < PROFILE_TREES; t++)
    profile->second_hits[t] += r->own.second_hits[t];
  profile->plan.page_bits = r->own.plan.page_bits;
  profile->plan.both += r->own.plan.both;
  for (unsigned n = 0; n < PROFILE_LAYERS; n++)
    profile->plan.large[n] += r->own.plan.large[n];
  profile->code.instructions += r->own.code.instructions;
  profile->code.changes += r->own.code.changes;
  profile->code.data_walks_2m += r->own.code.data_walks_2m;
  return 0;
}

int profile_read(struct profile *profile, FILE *file, const char *name,
                 char error[PROFILE_ERROR_SIZE]) {
  struct reading r = {.profile = profile, .before = *profile};
  unsigned at = 0;
  r.nothing = profile_intern(profile, "");
  r.at.object = r.at.file = r.at.function = r.nothing;
  int code = read_all(&r, file, &at);
  if (!code && profile->processes && !r.is_left &&
      (r.own.trees != profile->trees ||
       memcmp(r.own.tree, profile->tree, sizeof r.own.tree)))
    code = reading_wrong(&r, "other trees than of the process before");
  if (!code) return accept(profile, &r);
  profile->left = r.before.left;
  profile->lines.count = r.before.lines.count;
  profile->sites.count = r.before.sites.count;
  profile->contexts.count = r.before.contexts.count;
  profile->edges.count = r.before.edges.count;
  profile->heats.count = r.before.heats.count;
  profile->chains.count = r.before.chains.count;
  profile->walks.count = r.before.walks.count;
  profile->plan.ranges = r.before.plan.ranges;
  profile->plan.processes = r.before.plan.processes;
  profile->flow.waits = r.before.flow.waits;
  profile->code.rows = r.before.code.rows;
  profile->code.objects = r.before.code.objects;
  profile->flow.bursts = r.before.flow.bursts;
  snprintf(error, PROFILE_ERROR_SIZE, "%s:%u: %s", name, at, r.wrong);
  errno = EINVAL;
  return -1;
}
