/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what experiments/valgrind/output.c writes: lines of a key and what
 * belongs to it.  "object", "file" and "function" hold for the lines below. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/array.h"
#include "experiments/cli/memory.h"
#include "experiments/profile/profile.h"
#include "experiments/profile/profile_flow.h"

struct reading {
  struct profile *profile;
  struct profile_place at; /* that holds for what comes next */
  struct profile_tree tree[PROFILE_TREES];
  unsigned trees;
  struct profile_counts totals;
  uint64_t threads, sampled;
  unsigned nameless, unknown;
  /* That there were before. */
  size_t lines, sites, contexts, edges, waits, bursts;
  const char *nothing; /* "" */
  const char *wrong;
  int ended;
};

static int wrong(struct reading *r, const char *why) {
  r->wrong = why;
  return -1;
}

/* The next number at *text, which moves behind it. */
static int profile_read_number(struct reading *r, char **text, int base,
                               uint64_t *value) {
  char *end;
  errno = 0;
  *text += strspn(*text, " ");
  if (**text == '-' || **text == '+') return wrong(r, "a number is negative");
  *value = strtoull(*text, &end, base);
  if (end == *text || errno) return wrong(r, "a number is missing");
  if (*end != ' ' && *end) return wrong(r, "this is no number");
  *text = end;
  return 0;
}

/* Accesses; then, of each tree, those that missed 1, 2, ... nodes. */
static int take_counts(struct reading *r, char *text,
                       struct profile_counts *counts) {
  uint64_t missed[PROFILE_LAYERS];
  memset(counts, 0, sizeof *counts);
  if (profile_read_number(r, &text, 10, &counts->accesses)) return -1;
  for (unsigned t = 0; t < r->trees; t++) {
    for (unsigned i = 0; i < r->tree[t].layers; i++)
      if (profile_read_number(r, &text, 10, &missed[i])) return -1;
    uint64_t sum = 0;
    for (unsigned i = r->tree[t].layers; i-- > 0;)
      counts->misses[t][i] = sum += missed[i];
  }
  return *text ? wrong(r, "more numbers than trees have layers") : 0;
}

static int read_tree(struct reading *r, char *text) {
  struct profile_tree *tree = &r->tree[r->trees];
  int used = 0;
  if (r->trees == PROFILE_TREES) return wrong(r, "too many trees");
  if (sscanf(text, "%7s %u %u%n", tree->name, &tree->layers, &tree->nodes,
             &used) < 3 ||
      text[used] || !tree->layers || tree->layers > PROFILE_LAYERS)
    return wrong(r, "no tree");
  r->trees++;
  return 0;
}

static int read_totals(struct reading *r, char *text) {
  return take_counts(r, text, &r->totals);
}

static int read_threads(struct reading *r, char *text) {
  return profile_read_number(r, &text, 10, &r->threads);
}

static int read_sampled(struct reading *r, char *text) {
  return profile_read_number(r, &text, 10, &r->sampled);
}

static int read_heap(struct reading *r, char *text) {
  r->nameless = !strcmp(text, "nameless");
  r->unknown = !strcmp(text, "unknown");
  return r->nameless || r->unknown || !strcmp(text, "told")
             ? 0
             : wrong(r, "no such heap");
}

/* The same of each process; one call is enough. */
static int read_allocator(struct reading *r, const char *text, int called) {
  struct profile *p = r->profile;
  const char *name = profile_intern(p, text);
  unsigned i = 0;
  while (i < p->allocators && p->allocator[i].name != name) i++;
  if (i == PROFILE_NAMED) return wrong(r, "too many allocators");
  if (i == p->allocators) p->allocator[p->allocators++].name = name;
  p->allocator[i].called |= called;
  return 0;
}

static int read_called(struct reading *r, char *text) {
  return read_allocator(r, text, 1);
}

static int read_uncalled(struct reading *r, char *text) {
  return read_allocator(r, text, 0);
}

static int read_text(struct reading *r, char *text, const char **to) {
  *to = profile_intern(r->profile, text);
  return 0;
}

static int read_object(struct reading *r, char *text) {
  return read_text(r, text, &r->at.object);
}

static int read_file(struct reading *r, char *text) {
  return read_text(r, text, &r->at.file);
}

static int read_function(struct reading *r, char *text) {
  return read_text(r, text, &r->at.function);
}

static int read_line(struct reading *r, char *text) {
  struct profile_rows *rows = &r->profile->lines;
  uint64_t number, offset;
  if (profile_read_number(r, &text, 10, &number) ||
      profile_read_number(r, &text, 16, &offset))
    return -1;
  struct profile_row *row = ARRAY_ADD(rows->row, rows->count);
  *row = (struct profile_row){.at = r->at};
  row->at.line = (unsigned)number;
  row->at.offset = offset;
  return take_counts(r, text, &row->counts);
}

static int read_site(struct reading *r, char *text) {
  struct profile_sites *sites = &r->profile->sites;
  struct profile_site *site = ARRAY_ADD(sites->site, sites->count);
  memset(site, 0, sizeof *site);
  size_t length = strcspn(text, " ");
  if (!length || length >= PROFILE_KIND) return wrong(r, "no kind of site");
  memcpy(site->kind, text, length);
  text += length;
  site->name = r->nothing;
  if (profile_read_number(r, &text, 10, &site->blocks) ||
      profile_read_number(r, &text, 10, &site->bytes) ||
      profile_read_number(r, &text, 10, &site->peak))
    return -1;
  for (unsigned t = 0; t < r->trees; t++)
    if (profile_read_number(r, &text, 10, &site->pages[t])) return -1;
  return take_counts(r, text, &site->counts);
}

/* The site that these belong to is the last one. */
static struct profile_site *last_site(struct reading *r) {
  struct profile_sites *sites = &r->profile->sites;
  if (sites->count > r->sites) return &sites->site[sites->count - 1];
  wrong(r, "it belongs to no site");
  return NULL;
}

static int read_name(struct reading *r, char *text) {
  struct profile_site *site = last_site(r);
  return site ? read_text(r, text, &site->name) : -1;
}

static int read_caller(struct reading *r, char *text) {
  struct profile_site *site = last_site(r);
  uint64_t number, offset;
  if (!site || profile_read_number(r, &text, 10, &number) ||
      profile_read_number(r, &text, 16, &offset))
    return -1;
  if (site->callers == PROFILE_CALLERS) return wrong(r, "too many callers");
  struct profile_place *at = &site->caller[site->callers++];
  *at = r->at;
  at->line = (unsigned)number;
  at->offset = offset;
  return 0;
}

static int read_context(struct reading *r, char *text) {
  struct profile_contexts *all = &r->profile->contexts;
  uint64_t number, parent, offset;
  if (profile_read_number(r, &text, 10, &number) ||
      profile_read_number(r, &text, 10, &parent) ||
      profile_read_number(r, &text, 16, &offset))
    return -1;
  if (number != all->count - r->contexts || parent > number)
    return wrong(r, "contexts are out of order");
  struct profile_context *context = ARRAY_ADD(all->context, all->count);
  *context = (struct profile_context){.at = r->at};
  context->at.offset = offset;
  context->parent = parent ? r->contexts + parent - 1 : PROFILE_ROOT;
  if (!parent)
    context->at =
        (struct profile_place){r->nothing, r->nothing, r->nothing, 0, 0};
  return take_counts(r, text, &context->counts);
}

static int read_edge(struct reading *r, char *text) {
  struct profile_edges *all = &r->profile->edges;
  uint64_t from, to, calls, line;
  if (profile_read_number(r, &text, 10, &from) ||
      profile_read_number(r, &text, 10, &to) ||
      profile_read_number(r, &text, 10, &calls) ||
      profile_read_number(r, &text, 10, &line))
    return -1;
  size_t contexts = r->profile->contexts.count - r->contexts;
  if (from >= contexts || to >= contexts) return wrong(r, "no such context");
  struct profile_edge *edge = ARRAY_ADD(all->edge, all->count);
  *edge =
      (struct profile_edge){r->at, r->contexts + from, r->contexts + to, calls};
  edge->at.line = (unsigned)line;
  return 0;
}

static int read_number(struct reading *r, char *text) {
  return last_site(r) ? profile_flow_number(r->profile, text, &r->wrong) : -1;
}

static int read_walks(struct reading *r, char *text) {
  return last_site(r) ? profile_flow_walks(r->profile, text, &r->wrong) : -1;
}

static int read_burst(struct reading *r, char *text) {
  return profile_flow_burst(r->profile, text, &r->wrong);
}

static int read_wait(struct reading *r, char *text) {
  return profile_flow_wait(r->profile, text, &r->wrong);
}

static int read_nothing(struct reading *r, char *text) {
  (void)r, (void)text;
  return 0;
}

static int read_end(struct reading *r, char *text) {
  (void)text;
  r->ended = 1;
  return 0;
}

static const struct {
  const char *key;
  int (*read)(struct reading *r, char *text);
} keys[] = {
    {"argument", read_nothing},  {"burst", read_burst},
    {"called", read_called},     {"caller", read_caller},
    {"context", read_context},   {"edge", read_edge},
    {"end", read_end},           {"file", read_file},
    {"function", read_function}, {"heap", read_heap},
    {"line", read_line},         {"name", read_name},
    {"number", read_number},     {"object", read_object},
    {"parent", read_nothing},    {"process", read_nothing},
    {"program", read_nothing},   {"sampled", read_sampled},
    {"site", read_site},         {"threads", read_threads},
    {"totals", read_totals},     {"tree", read_tree},
    {"uncalled", read_uncalled}, {"wait", read_wait},
    {"walks", read_walks},
};

static int read_any(struct reading *r, char *line) {
  char *text = line + strcspn(line, " ");
  if (*text) *text++ = '\0';
  if (r->ended) return wrong(r, "something follows the end");
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (!strcmp(line, keys[i].key)) return keys[i].read(r, text);
  return wrong(r, "no such key");
}

static int read_all(struct reading *r, FILE *file, unsigned *at) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  int code = 0;
  while (!code && (length = getline(&line, &room, file)) >= 0) {
    if (length && line[length - 1] == '\n') line[length - 1] = '\0';
    if (!(*at)++)
      code = strcmp(line, "vat-profile 1")
                 ? wrong(r, "not what the tool writes")
                 : 0;
    else
      code = read_any(r, line);
  }
  if (!code && !r->ended && !feof(file)) memory_exhausted();
  if (!code && !r->ended) code = wrong(r, "it ends too soon");
  free(line);
  return code;
}

static void accept(struct profile *profile, const struct reading *r) {
  if (!profile->processes++) {
    profile->trees = r->trees;
    memcpy(profile->tree, r->tree, sizeof profile->tree);
  }
  profile->threads += r->threads;
  profile->sampled += r->sampled;
  profile->nameless += r->nameless;
  profile->unknown += r->unknown;
  profile->totals.accesses += r->totals.accesses;
  for (unsigned t = 0; t < PROFILE_TREES; t++)
    for (unsigned i = 0; i < PROFILE_LAYERS; i++)
      profile->totals.misses[t][i] += r->totals.misses[t][i];
}

int profile_read(struct profile *profile, FILE *file, const char *name,
                 char error[PROFILE_ERROR_SIZE]) {
  struct reading r = {.profile = profile,
                      .lines = profile->lines.count,
                      .sites = profile->sites.count,
                      .contexts = profile->contexts.count,
                      .edges = profile->edges.count,
                      .waits = profile->flow.waits,
                      .bursts = profile->flow.bursts};
  unsigned at = 0;
  r.nothing = profile_intern(profile, "");
  r.at.object = r.at.file = r.at.function = r.nothing;
  int code = read_all(&r, file, &at);
  if (!code && profile->processes &&
      (r.trees != profile->trees ||
       memcmp(r.tree, profile->tree, sizeof r.tree)))
    code = wrong(&r, "other trees than of the process before");
  if (!code) {
    accept(profile, &r);
    return 0;
  }
  profile->lines.count = r.lines;
  profile->sites.count = r.sites;
  profile->contexts.count = r.contexts;
  profile->edges.count = r.edges;
  profile->flow.waits = r.waits;
  profile->flow.bursts = r.bursts;
  snprintf(error, PROFILE_ERROR_SIZE, "%s:%u: %s", name, at, r.wrong);
  errno = EINVAL;
  return -1;
}
