/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/numbers.h"
#include "experiments/machine/counter_ladder.h"
#include "experiments/machine/cpu_id.h"
#include "experiments/run/driver.h"
#include "experiments/stream/stream.h"
#include "huge_pages/available_memory.h"
#include "vat/policy.h"

static const char policy[] = "islru";

/* Where the workspace begins: at a multiple of every size of pages. */
#define BASE (UINT64_C(1) << 32)

enum { BLOCK = 4096, ADDRESS_BITS = 48 };

int simulate_check(const struct plan *plan) {
  /* Their records have no generator: it is that of the samples. */
  for (size_t i = 1; i < plan->count; i++)
    if (plan->entries[i].algo == plan->entries[i - 1].algo)
      return fail(VAT_USAGE,
                  "--simulate: works with one --generator only; name one");
  if (plan_threads(plan) > 1)
    return fail(VAT_USAGE,
                "--simulate: works with one thread only; leave out threads=");
#ifdef HAVE_STREAMS
  return VAT_OK;
#else
  return fail(VAT_ABSENT,
              "--simulate: this vat was built without address streams; "
              "./configure says why in its summary");
#endif
}

/* What is known of an algorithm's pace; the first is a guess. */
struct pace {
  double accesses_per_op, s_per_access;
};
static const struct pace first_pace = {2, 50e-9};

/* One size of one algorithm, and a TC for each size of its pages. */
struct job {
  struct simulation *simulation;
  const struct driver *driver;
  struct progress progress;
  const struct algo *algo;
  const char *generator;
  uint64_t n;
  const struct hp_kind *kinds[PAGE_SET_MAX]; /* what is to be simulated */
  size_t kind_count;
  struct vat_tree trees[PAGE_SET_MAX];
  struct vat_tc *tcs[PAGE_SET_MAX];
  size_t tc_count;
  uint64_t tc_nodes, accesses;
  double before, expected; /* accesses of earlier jobs, and from this one on */
  struct pace pace;
  unsigned page_bits; /* of the smallest pages */
  uint64_t came[BLOCK], pages[BLOCK];
};

/* Is the k-th page kind of the plan, which was measured, still to be simulated?
 */
static bool is_missing(const struct job *job, const struct algo *algo,
                       uint64_t n, size_t k) {
  const struct driver *d = job->driver;
  const char *pages = d->plan->pages.kinds[k]->name;
  if (simulated_find(job->simulation->records, job->simulation->count,
                     algo->name, algo->device, n, pages))
    return false;
  for (size_t i = 0; i < d->count; i++) {
    const struct sample *s = &d->samples[i];
    if (s->n == n && !strcmp(s->algo, algo->name) &&
        !strcmp(s->device, algo->device) && !strcmp(s->pages_asked, pages))
      return true;
  }
  return false;
}

static bool any_missing(const struct job *job, const struct algo *algo,
                        uint64_t n) {
  for (size_t k = 0; k < job->driver->plan->pages.count; k++)
    if (is_missing(job, algo, n, k)) return true;
  return false;
}

/* The tree of a machine with such pages: of a preset, or else with tables of
 * 512 entries. */
static struct vat_tree tree_of(const struct hp_kind *kind) {
  unsigned bits = (unsigned)__builtin_ctzll(kind->bytes);
  for (const struct vat_tree_preset *p = vat_tree_presets; p->name; p++)
    if (p->tree.page_bits == bits) return p->tree;
  return (struct vat_tree){9, bits, (ADDRESS_BITS - bits + 8) / 9};
}

/* The TC of a kind of pages; transparent and other huge pages share one. */
static size_t tc_of(const struct job *job, const struct hp_kind *kind) {
  struct vat_tree tree = tree_of(kind);
  size_t i = 0;
  while (i < job->tc_count && job->trees[i].page_bits != tree.page_bits) i++;
  return i;
}

static void add_kind(struct job *job, const struct hp_kind *kind) {
  size_t i = tc_of(job, kind);
  job->kinds[job->kind_count++] = kind;
  if (i < job->tc_count) return;
  job->trees[i] = tree_of(kind);
  job->tcs[i] = vat_tc_create(vat_policy_find(policy), &job->trees[i],
                              job->tc_nodes, NULL);
  if (!job->tcs[i]) memory_exhausted();
  job->tc_count++;
}

/* The pages of the i-th TC: those that came are the smallest there are. */
static const uint64_t *pages_of(struct job *job, size_t i, size_t count) {
  unsigned shift = job->trees[i].page_bits - job->page_bits;
  if (!shift) return job->came;
  for (size_t j = 0; j < count; j++) job->pages[j] = job->came[j] >> shift;
  return job->pages;
}

static int run_simulate_block(void *arg, size_t count, uint64_t accesses) {
  struct job *job = arg;
  char label[96];
  for (size_t i = 0; i < job->tc_count; i++)
    if (vat_tc_pages(job->tcs[i], pages_of(job, i, count), count))
      memory_exhausted();
  job->accesses += accesses;
  double done = job->before + (double)job->accesses;
  double left = fmax(0, job->expected - (double)job->accesses);
  snprintf(label, sizeof label, "simulating %s n = %llu", job->algo->name,
           (unsigned long long)job->n);
  progress_draw(&job->progress, done / (done + left),
                left * job->pace.s_per_access, label);
  return VAT_OK;
}

static int keep(const struct job *job, const struct hp_kind *kind) {
  struct simulation *simulation = job->simulation;
  size_t i = tc_of(job, kind);
  struct simulated s = {.n = job->n,
                        .seed = job->driver->plan->seed,
                        .tc_nodes = job->tc_nodes,
                        .page_bits = job->trees[i].page_bits,
                        .index_bits = job->trees[i].index_bits,
                        .levels = job->trees[i].levels,
                        .accesses = job->accesses,
                        .misses = vat_tc_counts(job->tcs[i]).misses};
  snprintf(s.algo, sizeof s.algo, "%s", job->algo->name);
  snprintf(s.device, sizeof s.device, "%s", job->algo->device);
  snprintf(s.pages, sizeof s.pages, "%s", kind->name);
  snprintf(s.policy, sizeof s.policy, "%s", policy);
  if (results_write_new(job->driver->writer,
                        record_to_json(simulated_fields, &s)))
    return driver_fail_write(job->driver);
  *ARRAY_ADD(simulation->records, simulation->count) = s;
  return VAT_OK;
}

/* What is free for small pages is so for the large ones they lie in; with as
 * many nodes as a TLB has entries, something always is (vat/tc.h). */
static void choose_pages(struct job *job, struct stream_sink *sink) {
  job->page_bits = STREAM_PAGE_BITS_MAX;
  sink->free = VAT_TC_PAIRS_FREE;
  for (size_t i = 0; i < job->tc_count; i++) {
    enum vat_tc_free free = vat_tc_free(job->tcs[i]);
    if (free < sink->free) sink->free = free;
    if (job->trees[i].page_bits < job->page_bits)
      job->page_bits = job->trees[i].page_bits;
  }
  sink->page_bits = job->page_bits;
}

static int run_job(struct job *job) {
  const struct plan *plan = job->driver->plan;
  const struct stream stream = {.algo = job->algo,
                                .n = job->n,
                                .seed = plan->seed,
                                .base = BASE,
                                .generator = job->generator,
                                .parameters = plan->variant.parameters,
                                .given = plan->given};
  struct stream_sink sink = {.block = {.addresses = job->came},
                             .capacity = BLOCK,
                             .take = run_simulate_block,
                             .arg = job};
  double start_s = progress_now_s();
  job->kind_count = job->tc_count = 0;
  job->accesses = 0;
  for (size_t k = 0; k < plan->pages.count; k++)
    if (is_missing(job, job->algo, job->n, k))
      add_kind(job, plan->pages.kinds[k]);
  choose_pages(job, &sink);
  int code = stream_run(&stream, &sink);
  for (size_t k = 0; !code && k < job->kind_count; k++)
    code = keep(job, job->kinds[k]);
  for (size_t i = 0; i < job->tc_count; i++) vat_tc_destroy(job->tcs[i]);
  if (code || !job->accesses) return code;
  double accesses = (double)job->accesses;
  job->before += accesses;
  job->pace.accesses_per_op =
      accesses / cpu_algo_ops(job->algo, job->n, plan->given);
  job->pace.s_per_access = (progress_now_s() - start_s) / accesses;
  return VAT_OK;
}

static double expected_accesses(const struct plan *plan,
                                const struct algo *algo, uint64_t n,
                                const struct pace *pace) {
  return cpu_algo_ops(algo, n, plan->given) * pace->accesses_per_op;
}

/* Accesses of all that is to come, from size `from` of entry `index` on. */
static double all_expected(const struct job *job, size_t index, size_t from) {
  const struct plan *plan = job->driver->plan;
  double sum = 0;
  for (size_t i = index; i < plan->count; i++) {
    const struct plan_entry *e = &plan->entries[i];
    const struct pace *pace = i == index ? &job->pace : &first_pace;
    for (size_t j = i == index ? from : 0; j < e->sizes.count; j++) {
      double accesses = expected_accesses(plan, e->algo, e->sizes.at[j], pace);
      if (accesses > (double)plan->simulate) break;
      if (any_missing(job, e->algo, e->sizes.at[j])) sum += accesses;
    }
  }
  return sum;
}

/* Why the job is not to be done, and what fixes it; NULL: it is. */
static const char *why_not(const struct job *job, double deadline) {
  double accesses =
      expected_accesses(job->driver->plan, job->algo, job->n, &job->pace);
  if (accesses > (double)job->driver->plan->simulate)
    return "more accesses than the limit; fix: a larger --simulate=N";
  if (progress_now_s() + accesses * job->pace.s_per_access > deadline)
    return "its share of the time budget is spent; fix: a larger "
           "--time-budget";
  if (cpu_algo_bytes(job->algo, job->n, job->driver->plan->given) >
      hp_memory_available())
    return "too little memory is free";
  return NULL;
}

/* A stream has no allocator. */
static void note_nodes(struct job *job) {
  const struct alloc_way *way = job->driver->plan->alloc;
  if (!job->algo->allocates || !way || !strcmp(way->name, "workspace")) return;
  progress_clear(&job->progress);
  fprintf(stderr,
          "vat: note: the simulation of %s has its nodes in the workspace, in "
          "order, not where --alloc %s puts them\n",
          job->algo->name, way->name);
}

static int simulate_entry(struct job *job, size_t index, double end) {
  const struct plan *plan = job->driver->plan;
  const struct plan_entry *e = &plan->entries[index];
  double now = progress_now_s();
  double deadline = now + (end - now) / (double)(plan->count - index);
  job->algo = e->algo;
  job->generator = e->generator;
  job->pace = first_pace;
  bool noted = false;
  for (size_t j = 0; j < e->sizes.count; j++) {
    job->n = e->sizes.at[j];
    if (!any_missing(job, job->algo, job->n)) continue;
    const char *why = why_not(job, deadline);
    if (why) {
      progress_clear(&job->progress);
      fprintf(stderr,
              "vat: note: %s: no simulation for n = %llu and larger: %s\n",
              job->algo->name, (unsigned long long)job->n, why);
      return VAT_OK;
    }
    if (!noted) note_nodes(job);
    noted = true;
    job->expected = all_expected(job, index, j);
    int code = run_job(job);
    if (code) return code;
  }
  return VAT_OK;
}

int simulate_run(struct simulation *simulation, const struct driver *driver) {
  double budget = driver->plan->time_budget_s;
  double end = budget > 0 ? progress_now_s() + budget : INFINITY;
  struct cpu_id id;
  int code = VAT_OK;
  struct job *job = memory_zeroed(1, sizeof *job);
  cpu_id_read(&id);
  progress_init(&job->progress);
  job->simulation = simulation;
  job->driver = driver;
  job->tc_nodes = tlb_entries(&id);
  for (size_t i = 0; !code && i < driver->plan->count; i++)
    code = simulate_entry(job, i, end);
  progress_clear(&job->progress);
  free(job);
  return code;
}
