/* SPDX-License-Identifier: BSD-2-Clause */
/* The stream is recorded, and dealt when it ends, because the length of blocks
 * is known only then.  Private TCs do not see each other, so that they are
 * simulated one after the other, in the memory of one. */
#include "vat/parallel.h"

#include <errno.h>
#include <stdlib.h>

#include "vat/policy.h"
#include "vat/spool.h"
#include "vat/stream_end.h"

enum { PAGES = SPOOL_CHUNK / sizeof(uint64_t), BLOCK = 1024 };

/* Where a processor reads the stream. */
struct reader {
  uint64_t part;         /* of the spool, plus one; 0: none yet */
  const uint64_t *pages; /* its pages */
  uint64_t *buffer;      /* room for a part, when it was spilled */
};

/* The r-th access of processor i. */
struct turn {
  uint64_t r;
  unsigned i;
};

struct vat_parallel {
  struct vat_parallel_options options;
  struct stream_end end;
  struct spool_budget budget;
  struct spool pages;
  uint64_t count;       /* pages recorded */
  uint64_t tail[PAGES]; /* the part being filled */
  uint64_t chunk;       /* accesses */
  struct vat_tc *tc;    /* of the next processor; NULL: to be created */
  void *shared;         /* instead: the policy's state, which counts: */
  uint64_t misses[VAT_LAYERS_MAX];
  struct turn met;       /* the next that a policy replays */
  struct reader *reader; /* of each processor */
  struct vat_tc_counts all;
  struct vat_tc_counts one[]; /* of each processor */
};

/* The stream has the other half. */
static struct vat_tc_options tc_options(const struct vat_parallel_options *o) {
  struct vat_tc_options options = o->tc;
  options.memory_bytes = (options.memory_bytes + 1) / 2;
  if (!o->shared) options.on_progress = NULL; /* of each, not of all */
  return options;
}

static int create_tc(struct vat_parallel *parallel) {
  const struct vat_parallel_options *o = &parallel->options;
  const struct vat_tc_options options = tc_options(o);
  parallel->tc = vat_tc_create(o->policy, &o->tree, o->nodes, &options);
  return parallel->tc ? 0 : -1;
}

static int translated(void *context, bool repeated);

static int create_shared(struct vat_parallel *parallel) {
  const struct vat_parallel_options *o = &parallel->options;
  const struct vat_tc_options options = tc_options(o);
  const struct vat_observer observer = {translated, parallel};
  parallel->shared =
      o->policy->create(&o->tree, o->nodes, &options, parallel->misses);
  if (!parallel->shared) return -1;
  if (o->policy->observe) o->policy->observe(parallel->shared, &observer);
  return 0;
}

static bool is_valid(const struct vat_parallel_options *o) {
  return o->policy && !o->tc.layout && !vat_tree_check(&o->tree) &&
         o->processors && o->processors <= VAT_PROCESSORS_MAX &&
         o->nodes >= vat_policy_least_nodes(o->policy, &o->tree);
}

struct vat_parallel *vat_parallel_create(
    const struct vat_parallel_options *options) {
  if (!is_valid(options)) {
    errno = EINVAL;
    return NULL;
  }
  struct vat_parallel *parallel =
      calloc(1, sizeof *parallel + options->processors * sizeof *parallel->one);
  if (!parallel) return NULL;
  parallel->options = *options;
  parallel->budget =
      (struct spool_budget){.limit = (options->tc.memory_bytes + 1) / 2,
                            .on_spill = options->tc.on_spill,
                            .arg = options->tc.arg};
  vat_spool_init(&parallel->pages, &parallel->budget);
  parallel->reader = calloc(options->processors, sizeof *parallel->reader);
  if (parallel->reader &&
      !(options->shared ? create_shared : create_tc)(parallel))
    return parallel;
  vat_parallel_destroy(parallel);
  return NULL;
}

void vat_parallel_destroy(struct vat_parallel *parallel) {
  if (!parallel) return;
  int error = errno; /* of what failed before */
  for (unsigned i = 0; parallel->reader && i < parallel->options.processors;
       i++)
    free(parallel->reader[i].buffer);
  free(parallel->reader);
  vat_tc_destroy(parallel->tc);
  if (parallel->shared) parallel->options.policy->destroy(parallel->shared);
  vat_spool_fini(&parallel->pages);
  free(parallel);
  errno = error;
}

static int record(struct vat_parallel *parallel, uint64_t page) {
  if (!vat_tree_holds(&parallel->options.tree, page)) {
    errno = ERANGE;
    return -1;
  }
  size_t at = parallel->count % PAGES;
  if (parallel->count && !at &&
      vat_spool_put(&parallel->pages, parallel->count / PAGES - 1,
                    parallel->tail))
    return -1;
  parallel->tail[at] = page;
  parallel->count++;
  return 0;
}

int vat_parallel_addresses(struct vat_parallel *parallel,
                           const uint64_t *addresses, size_t count) {
  if (stream_end_check(&parallel->end)) return -1;
  for (size_t i = 0; i < count; i++)
    if (record(parallel, addresses[i] >> parallel->options.tree.page_bits))
      return vat_stream_end_fail(&parallel->end);
  return 0;
}

/* Access `at` of the stream, for processor i.  0, or -1 with errno. */
static int read_page(struct vat_parallel *parallel, unsigned i, uint64_t at,
                     uint64_t *page) {
  struct reader *reader = &parallel->reader[i];
  uint64_t part = at / PAGES;
  if (reader->part != part + 1) {
    if (!reader->buffer && !(reader->buffer = malloc(SPOOL_CHUNK))) return -1;
    reader->pages = part == (parallel->count - 1) / PAGES
                        ? parallel->tail
                        : vat_spool_get(&parallel->pages, part, reader->buffer);
    if (!reader->pages) return -1;
    reader->part = part + 1;
  }
  *page = reader->pages[at % PAGES];
  return 0;
}

/* Which access of the stream is the r-th of processor i; beyond its end where
 * there is none. */
static uint64_t place(const struct vat_parallel *parallel, unsigned i,
                      uint64_t r) {
  uint64_t chunk = parallel->chunk, turn = r / chunk;
  return (turn * parallel->options.processors + i) * chunk + r % chunk;
}

static void add(struct vat_tc_counts *sum, const struct vat_tc_counts *counts) {
  sum->translations += counts->translations;
  sum->misses += counts->misses;
  for (unsigned layer = 0; layer < VAT_LAYERS_MAX; layer++)
    sum->misses_by_layer[layer] += counts->misses_by_layer[layer];
}

/* All accesses of processor i, in its own TC. */
static int run_private(struct vat_parallel *parallel, unsigned i) {
  uint64_t pages[BLOCK];
  size_t filled = 0;
  if (!parallel->tc && create_tc(parallel)) return -1;
  for (uint64_t r = 0, at; (at = place(parallel, i, r)) < parallel->count;
       r++) {
    if (read_page(parallel, i, at, &pages[filled])) return -1;
    if (++filled < BLOCK) continue;
    if (vat_tc_pages(parallel->tc, pages, filled)) return -1;
    filled = 0;
  }
  if (vat_tc_pages(parallel->tc, pages, filled) || vat_tc_finish(parallel->tc))
    return -1;
  parallel->one[i] = vat_tc_counts(parallel->tc);
  vat_tc_destroy(parallel->tc);
  parallel->tc = NULL;
  return 0;
}

static int deal_private(struct vat_parallel *parallel) {
  const struct vat_parallel_options *o = &parallel->options;
  for (unsigned i = 0; i < o->processors; i++) {
    if (run_private(parallel, i)) return -1;
    add(&parallel->all, &parallel->one[i]);
    if (o->tc.on_progress)
      o->tc.on_progress(o->tc.arg, (i + 1.0) / o->processors);
  }
  return 0;
}

/* The place of this turn, or of the next that there is; false: at the end. */
static bool find_turn(const struct vat_parallel *parallel, struct turn *turn,
                      uint64_t *at) {
  while ((*at = place(parallel, turn->i, turn->r)) >= parallel->count) {
    if (!turn->i) return false; /* the others have no more accesses */
    *turn = (struct turn){turn->r + 1, 0};
  }
  return true;
}

static void end_turn(const struct vat_parallel *parallel, struct turn *turn) {
  if (++turn->i == parallel->options.processors)
    *turn = (struct turn){turn->r + 1, 0};
}

/* Processor i has missed what the policy counted meanwhile. */
static void attribute(struct vat_parallel *parallel, unsigned i) {
  struct vat_tc_counts *one = &parallel->one[i], *all = &parallel->all;
  for (unsigned layer = 0; layer <= parallel->options.tree.levels; layer++) {
    uint64_t missed = parallel->misses[layer] - all->misses_by_layer[layer];
    all->misses_by_layer[layer] += missed;
    all->misses += missed;
    one->misses_by_layer[layer] += missed;
    one->misses += missed;
  }
}

/* The observer of a policy that knows the future: it has replayed the turn
 * `met` and, if `repeated`, those after it on the same page, which miss
 * nothing.
 */
static int translated(void *context, bool repeated) {
  struct vat_parallel *parallel = context;
  uint64_t at, page, next;
  if (!find_turn(parallel, &parallel->met, &at) ||
      read_page(parallel, parallel->met.i, at, &page))
    return -1;
  attribute(parallel, parallel->met.i);
  do {
    end_turn(parallel, &parallel->met);
    if (!find_turn(parallel, &parallel->met, &at)) return 0;
    if (read_page(parallel, parallel->met.i, at, &next)) return -1;
  } while (repeated && next == page);
  return 0;
}

static int deal_shared(struct vat_parallel *parallel) {
  const struct vat_policy *policy = parallel->options.policy;
  struct turn turn = {0};
  for (uint64_t at, page; find_turn(parallel, &turn, &at);
       end_turn(parallel, &turn)) {
    if (read_page(parallel, turn.i, at, &page) ||
        policy->translate(parallel->shared, &page, 1))
      return -1;
    parallel->one[turn.i].translations++;
    if (!policy->offline) attribute(parallel, turn.i);
  }
  parallel->all.translations = parallel->count;
  if (policy->finish && policy->finish(parallel->shared)) return -1;
  /* Of a policy that cannot be observed. */
  if (!vat_parallel_attributes(parallel))
    for (unsigned layer = 0; layer <= parallel->options.tree.levels; layer++) {
      parallel->all.misses_by_layer[layer] = parallel->misses[layer];
      parallel->all.misses += parallel->misses[layer];
    }
  return 0;
}

static int deal(void *state) {
  struct vat_parallel *parallel = state;
  const struct vat_parallel_options *o = &parallel->options;
  uint64_t block = (parallel->count + o->processors - 1) / o->processors;
  parallel->chunk = o->chunk ? o->chunk : block;
  if (parallel->chunk > parallel->count) parallel->chunk = parallel->count;
  if (!parallel->count) return 0;
  return (o->shared ? deal_shared : deal_private)(parallel);
}

int vat_parallel_finish(struct vat_parallel *parallel) {
  return vat_stream_end_finish(&parallel->end, deal, parallel);
}

struct vat_tc_counts vat_parallel_counts(const struct vat_parallel *parallel) {
  return parallel->all;
}

struct vat_tc_counts vat_parallel_processor(const struct vat_parallel *parallel,
                                            unsigned i) {
  return parallel->one[i];
}

uint64_t vat_parallel_chunk(const struct vat_parallel *parallel) {
  return parallel->chunk;
}

bool vat_parallel_attributes(const struct vat_parallel *parallel) {
  const struct vat_parallel_options *o = &parallel->options;
  return !o->shared || !o->policy->offline || o->policy->observe;
}
