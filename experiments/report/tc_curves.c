/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/tc_curves.h"

#include <config.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/progress.h"
#include "experiments/report/tc_curve_cache.h"
#include "experiments/results/sample.h"
#include "experiments/stream/stream.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/page_kind.h"

/* The workspace begins at a multiple of every size of pages. */
#define BASE (UINT64_C(1) << 32)

enum { BLOCK = 4096, SIZES_MAX = 8, ADDRESS_BITS = 48, SEED = 1, LATE = 1 };

/* One program, and a curve for each size of pages. */
struct job {
  const struct algo *algo;
  const char *generator;
  uint64_t n;
  size_t page_bytes[SIZES_MAX];
  struct vat_tree trees[SIZES_MAX];
  struct vat_curve *curves[SIZES_MAX];
  size_t count;
  unsigned page_bits; /* of the smallest */
  double until_s;
  struct progress progress;
  double done, part; /* of all programs; what this one is */
  double accesses;
  bool failed; /* for lack of memory */
  uint64_t came[BLOCK], pages[BLOCK];
};

static const char *generator_of(const struct algo *algo,
                                const struct summary *program) {
  const char *generator = program->variant->generator;
  return *generator ? cpu_algo_generator(algo, generator) : NULL;
}

static bool same_name(const char *a, const char *b) {
  return !strcmp(a ? a : "", b ? b : "");
}

/* 0: none can be simulated. */
static uint64_t size_of(const struct survey *survey, size_t program,
                        const struct algo *algo) {
  uint64_t largest = 0, n = 0;
  for (uint64_t next = 0; (next = survey_next_size(survey, program, next));)
    largest = next;
  for (uint64_t power = 1; power && power <= largest; power *= 2) {
    size_t bytes = algo->bytes(power);
    if (!bytes || bytes > TC_CURVES_BYTES ||
        algo->ram_ops(power) > TC_CURVES_OPS)
      break;
    n = power;
  }
  return n;
}

static const struct tc_curve *find(const struct tc_curves *curves,
                                   const struct job *job, size_t page_bytes) {
  for (size_t i = 0; i < curves->count; i++) {
    const struct tc_curve *curve = &curves->curve[i];
    if (curve->algo == job->algo && curve->n == job->n &&
        curve->page_bytes == page_bytes &&
        same_name(curve->generator, job->generator))
      return curve;
  }
  return NULL;
}

static bool identify(struct job *job, const struct survey *survey,
                     size_t program) {
  const struct summary *row = survey->programs[program];
  job->algo = cpu_algo_find(row->algo);
  if (!job->algo || strcmp(row->device, job->algo->device) ||
      *row->variant->file)
    return false;
  job->generator = generator_of(job->algo, row);
  job->n = size_of(survey, program, job->algo);
  return job->n;
}

const struct tc_curve *tc_curves_find(const struct tc_curves *curves,
                                      const struct survey *survey,
                                      size_t program, size_t page_bytes) {
  struct job *job = memory_zeroed(1, sizeof *job);
  const struct tc_curve *found = NULL;
  if (curves && identify(job, survey, program))
    found = find(curves, job, page_bytes);
  free(job);
  return found;
}

uint64_t tc_curve_misses(const struct tc_curve *curve, uint64_t nodes) {
  size_t i = curve->count;
  while (i > 1 && curve->points[i - 1].nodes > nodes) i--;
  return curve->points[i - 1].misses;
}

#ifdef HAVE_STREAMS
/* Tables of 512 entries, as amd64 has. */
static struct vat_tree tree_of(size_t page_bytes) {
  unsigned bits = (unsigned)__builtin_ctzll(page_bytes);
  return (struct vat_tree){9, bits, (ADDRESS_BITS - bits + 8) / 9};
}

/* An algorithm's accesses are some two an operation; more do not draw it
 * beyond its end. */
static void show_progress(struct job *job, uint64_t accesses) {
  char label[96];
  double of = 2 * job->algo->ram_ops(job->n);
  job->accesses += (double)accesses;
  snprintf(label, sizeof label, "simulating %s for the report",
           job->algo->name);
  progress_draw_part(&job->progress,
                     job->done + job->part * fmin(1, job->accesses / of),
                     job->progress.start_s, label);
}

static int take_block(void *arg, size_t count, uint64_t accesses) {
  struct job *job = arg;
  for (size_t i = 0; i < job->count; i++) {
    unsigned shift = job->trees[i].page_bits - job->page_bits;
    for (size_t k = 0; k < count; k++) job->pages[k] = job->came[k] >> shift;
    job->failed = vat_curve_pages(job->curves[i], job->pages, count);
    if (job->failed) return LATE;
  }
  if (job->progress.shown) show_progress(job, accesses);
  return progress_now_s() > job->until_s ? LATE : 0;
}

static struct stream stream_of(const struct job *job) {
  return (struct stream){.algo = job->algo,
                         .n = job->n,
                         .seed = SEED,
                         .base = BASE,
                         .generator = job->generator};
}

static struct tc_curve empty_curve(const struct job *job, size_t page_bytes) {
  return (struct tc_curve){.algo = job->algo,
                           .generator = job->generator,
                           .n = job->n,
                           .page_bytes = page_bytes,
                           .ops = job->algo->ram_ops(job->n)};
}

/* Takes over its points. */
static bool append(struct tc_curves *curves, const struct tc_curve *curve) {
  struct tc_curve *grown =
      reallocarray(curves->curve, curves->count + 1, sizeof *grown);
  if (!grown) {
    free(curve->points);
    return false;
  }
  grown[curves->count++] = *curve;
  curves->curve = grown;
  return true;
}

static bool is_kept(const struct job *job, struct tc_curves *curves,
                    size_t page_bytes) {
  struct stream stream = stream_of(job);
  struct vat_tree tree = tree_of(page_bytes);
  struct tc_curve curve = empty_curve(job, page_bytes);
  return tc_curve_cache_read(&curve, &stream, &tree) && append(curves, &curve);
}

/* Page sizes that were measured of it and are not yet simulated. */
static bool prepare(struct job *job, struct tc_curves *curves,
                    const struct survey *survey) {
  const struct vat_policy *islru = vat_policies[0];
  job->count = 0;
  job->page_bits = STREAM_PAGE_BITS_MAX;
  for (size_t i = 0; i < survey->kind_count && job->count < SIZES_MAX; i++) {
    size_t bytes = hp_kind_usual_bytes(survey->kinds[i]), j = 0;
    if (bytes >> STREAM_PAGE_BITS_MAX > 1) continue;
    while (j < job->count && job->page_bytes[j] != bytes) j++;
    if (j < job->count || find(curves, job, bytes)) continue;
    if (is_kept(job, curves, bytes)) continue;
    job->page_bytes[j] = bytes;
    job->trees[j] = tree_of(bytes);
    job->curves[j] = vat_curve_create(islru, &job->trees[j], NULL);
    job->failed = !job->curves[j];
    if (job->failed) return false;
    job->count++;
    if (job->trees[j].page_bits < job->page_bits)
      job->page_bits = job->trees[j].page_bits;
  }
  return job->count && progress_now_s() < job->until_s &&
         job->algo->bytes(job->n) < hp_memory_available() / 2;
}

/* A page right after itself is free from W = d + 1 on, where curves begin. */
static int simulate(struct job *job) {
  const struct stream stream = stream_of(job);
  const struct stream_sink sink = {.block = {.addresses = job->came},
                                   .capacity = BLOCK,
                                   .take = take_block,
                                   .arg = job,
                                   .free = VAT_TC_REPEATS_FREE,
                                   .page_bits = job->page_bits};
  return stream_run(&stream, &sink);
}

static void keep(struct tc_curves *curves, struct job *job) {
  const struct stream stream = stream_of(job);
  for (size_t i = 0; i < job->count; i++) {
    struct tc_curve curve = empty_curve(job, job->page_bytes[i]);
    if (vat_curve_finish(job->curves[i]) ||
        vat_curve_points(job->curves[i], &curve.points, &curve.count)) {
      job->failed = true;
      continue;
    }
    tc_curve_cache_write(&curve, &stream, &job->trees[i]);
    job->failed |= !append(curves, &curve);
  }
}

static void note_left_out(const char *whose) {
  fprintf(stderr, "vat: note: %s: misses by W are left out: %s\n", whose,
          strerror(ENOMEM));
}

void tc_curves_add(struct tc_curves *curves, const struct survey *survey,
                   double until_s) {
  struct job *job = memory_zeroed(1, sizeof *job);
  job->until_s = until_s;
  job->part = 1.0 / (double)(survey->program_count + 1);
  progress_init(&job->progress);
  for (size_t i = 0; i < survey->program_count; i++) {
    job->done = (double)i * job->part;
    job->accesses = 0;
    job->failed = false;
    if (!identify(job, survey, i)) continue;
    if (prepare(job, curves, survey) && !simulate(job)) keep(curves, job);
    if (job->failed) note_left_out(job->algo->name);
    for (size_t j = 0; j < SIZES_MAX; j++) {
      vat_curve_destroy(job->curves[j]);
      job->curves[j] = NULL;
    }
  }
  progress_clear(&job->progress);
  free(job);
}
#else
void tc_curves_add(struct tc_curves *curves, const struct survey *survey,
                   double until_s) {
  (void)curves;
  (void)survey;
  (void)until_s;
}
#endif

void tc_curves_fini(struct tc_curves *curves) {
  for (size_t i = 0; i < curves->count; i++) free(curves->curve[i].points);
  free(curves->curve);
  *curves = (struct tc_curves){0};
}
