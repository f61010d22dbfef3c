/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/tc_curves.h"

#include <config.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/progress.h"
#include "experiments/results/sample.h"
#include "experiments/reuse/reuse_cache.h"
#include "experiments/reuse/reuse_json.h"
#include "experiments/stream/stream.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/page_kind.h"

/* The workspace begins at a multiple of every size of pages. */
#define BASE (UINT64_C(1) << 32)

enum { BLOCK = 4096, ADDRESS_BITS = 48, SEED = 1, LATE = 1 };

size_t tc_curves_sizes(const struct survey *survey,
                       size_t sizes[TC_CURVES_SIZES]) {
  size_t count = 0;
  for (size_t i = 0; i < survey->kind_count && count < TC_CURVES_SIZES; i++) {
    size_t bytes = hp_kind_usual_bytes(survey->kinds[i]), j = 0;
    while (j < count && sizes[j] != bytes) j++;
    if (j == count) sizes[count++] = bytes;
  }
  return count;
}

static bool same_name(const char *a, const char *b) {
  return !strcmp(a ? a : "", b ? b : "");
}

/* 0: none can be simulated. */
static uint64_t size_of(const struct survey *survey,
                        const struct summary *program,
                        const struct algo *algo) {
  uint64_t largest = 0, n = 0;
  for (uint64_t next = 0; (next = survey_next_size(survey, program, next));)
    largest = next;
  for (uint64_t power = 1; power && power <= largest; power *= 2) {
    size_t bytes = algo->bytes(power);
    if (!bytes || bytes >> 20 > TC_CURVES_BYTES >> 20 ||
        algo->ram_ops(power) > TC_CURVES_OPS)
      break;
    n = power;
  }
  return n;
}

/* That of the same program on the same input and pages. */
static const struct tc_curve *find(const struct tc_curves *curves,
                                   const struct tc_curve *like) {
  for (size_t i = 0; i < curves->count; i++) {
    const struct tc_curve *curve = &curves->curve[i];
    if (curve->algo == like->algo && curve->n == like->n &&
        curve->page_bytes == like->page_bytes &&
        same_name(curve->generator, like->generator))
      return curve;
  }
  return NULL;
}

static bool identify(struct tc_curve *curve, const struct survey *survey,
                     size_t program, size_t page_bytes) {
  const struct summary *row = survey->programs[program];
  const char *generator = row->variant->generator;
  const struct algo *algo = cpu_algo_find(row->algo);
  if (!algo || strcmp(row->device, algo->device) || *row->variant->file)
    return false;
  *curve = (struct tc_curve){
      .algo = algo,
      .generator = *generator ? cpu_algo_generator(algo, generator) : NULL,
      .n = size_of(survey, row, algo),
      .page_bytes = page_bytes};
  if (curve->n) curve->ops = algo->ram_ops(curve->n);
  return curve->n;
}

const struct tc_curve *tc_curves_find(const struct tc_curves *curves,
                                      const struct survey *survey,
                                      size_t program, size_t page_bytes) {
  struct tc_curve like;
  if (!curves || !identify(&like, survey, program, page_bytes)) return NULL;
  return find(curves, &like);
}

uint64_t tc_curve_misses(const struct tc_curve *curve, uint64_t nodes) {
  size_t i = curve->count;
  while (i > 1 && curve->points[i - 1].nodes > nodes) i--;
  return curve->points[i - 1].misses;
}

/* One program, and a curve for each size of pages. */
struct job {
  struct tc_curve program; /* of any pages, without points */
  struct tc_curve made[TC_CURVES_SIZES];
  struct vat_curve *curves[TC_CURVES_SIZES];
  size_t count;
  unsigned page_bits; /* of the smallest */
  double until_s;
  struct progress progress;
  double done, part; /* of all programs; what this one is */
  double accesses;
  bool failed; /* for want of memory */
  uint64_t came[BLOCK], pages[BLOCK];
};

/* Tables of 512 entries, as amd64 has. */
static struct vat_tree tree_of(size_t page_bytes) {
  unsigned bits = (unsigned)__builtin_ctzll(page_bytes);
  return (struct vat_tree){9, bits, (ADDRESS_BITS - bits + 8) / 9};
}

static struct stream stream_of(const struct tc_curve *curve) {
  return (struct stream){.algo = curve->algo,
                         .n = curve->n,
                         .seed = SEED,
                         .base = BASE,
                         .generator = curve->generator};
}

/* Raise it when what is written means something else than before. */
enum { FORMAT = 1, NAME = 128 };

/* As of a profile (experiments/reuse/reuse_cache.h), which changes with all
 * that simulates. */
static json_t *key_of(const struct tc_curve *curve, char name[NAME]) {
  static const struct reuse_params none;
  const struct vat_tree tree = tree_of(curve->page_bytes);
  const struct stream stream = stream_of(curve);
  json_t *key = reuse_key_to_json(&stream, &none);
  json_object_set_new(
      key, "curve",
      json_pack("{si ss si si si}", "format", FORMAT, "policy",
                vat_policies[0]->name, "index_bits", (int)tree.index_bits,
                "page_bits", (int)tree.page_bits, "levels", (int)tree.levels));
  snprintf(name, NAME, "%s-%" PRIu64 "-curve", curve->algo->name, curve->n);
  return key;
}

/* False: there are none of this program and tree.  The first W is that of
 * vat_curve_points(), and from there on each next one is larger and misses
 * less.
 */
static bool read_points(struct tc_curve *curve) {
  const struct vat_tree tree = tree_of(curve->page_bytes);
  char name[NAME];
  json_t *key = key_of(curve, name), *value = reuse_cache_read(name, key);
  size_t count = json_array_size(value);
  struct vat_curve_point *points = memory_zeroed(count + 1, sizeof *points);
  bool good = count > 0;
  for (size_t i = 0; good && i < count; i++) {
    const json_t *pair = json_array_get(value, i);
    json_int_t nodes = json_integer_value(json_array_get(pair, 0));
    json_int_t misses = json_integer_value(json_array_get(pair, 1));
    points[i].nodes = (uint64_t)nodes;
    points[i].misses = (uint64_t)misses;
    good = nodes > 0 && misses > 0 &&
           (i ? points[i].nodes > points[i - 1].nodes &&
                    points[i].misses < points[i - 1].misses
              : points[i].nodes == tree.levels + 1);
  }
  json_decref(value);
  json_decref(key);
  if (good) {
    curve->points = points;
    curve->count = count;
  } else {
    free(points);
  }
  return good;
}

static void write_points(const struct tc_curve *curve) {
  char name[NAME];
  json_t *key = key_of(curve, name), *value = json_array();
  for (size_t i = 0; i < curve->count; i++)
    json_array_append_new(value,
                          json_pack("[II]", (json_int_t)curve->points[i].nodes,
                                    (json_int_t)curve->points[i].misses));
  reuse_cache_write(name, key, value);
  json_decref(value);
  json_decref(key);
}

/* An algorithm's accesses are some two an operation; more do not draw it
 * beyond its end. */
static void show_progress(struct job *job, uint64_t accesses) {
  char label[96];
  double of = 2 * job->program.ops;
  job->accesses += (double)accesses;
  snprintf(label, sizeof label, "simulating %s for the report",
           job->program.algo->name);
  progress_draw_part(&job->progress,
                     job->done + job->part * fmin(1, job->accesses / of),
                     job->progress.start_s, label);
}

static int add_block(void *arg, size_t count, uint64_t accesses) {
  struct job *job = arg;
  for (size_t i = 0; i < job->count; i++) {
    unsigned shift =
        tree_of(job->made[i].page_bytes).page_bits - job->page_bits;
    for (size_t k = 0; k < count; k++) job->pages[k] = job->came[k] >> shift;
    job->failed = vat_curve_pages(job->curves[i], job->pages, count);
    if (job->failed) return LATE;
  }
  show_progress(job, accesses);
  return progress_now_s() > job->until_s ? LATE : 0;
}

/* Page sizes that were measured of it and are not yet simulated. */
static bool prepare(struct job *job, struct tc_curves *curves,
                    const struct survey *survey) {
  size_t sizes[TC_CURVES_SIZES], size_count = tc_curves_sizes(survey, sizes);
  job->count = 0;
  job->page_bits = STREAM_PAGE_BITS_MAX;
  for (size_t i = 0; i < size_count; i++) {
    struct tc_curve curve = job->program;
    curve.page_bytes = sizes[i];
    if (sizes[i] >> STREAM_PAGE_BITS_MAX > 1 || find(curves, &curve)) continue;
    if (read_points(&curve)) {
      *ARRAY_ADD(curves->curve, curves->count) = curve;
      continue;
    }
    const struct vat_tree tree = tree_of(sizes[i]);
    job->made[job->count] = curve;
    job->curves[job->count] = vat_curve_create(vat_policies[0], &tree, NULL);
    job->failed = !job->curves[job->count++];
    if (job->failed) return false;
    if (tree.page_bits < job->page_bits) job->page_bits = tree.page_bits;
  }
  return job->count && progress_now_s() < job->until_s &&
         job->program.algo->bytes(job->program.n) < hp_memory_available() / 2;
}

/* A page right after itself is free from W = d + 1 on, where curves begin. */
static int simulate(struct job *job) {
  const struct stream stream = stream_of(&job->program);
  const struct stream_sink sink = {.block = {.addresses = job->came},
                                   .capacity = BLOCK,
                                   .take = add_block,
                                   .arg = job,
                                   .free = VAT_TC_REPEATS_FREE,
                                   .page_bits = job->page_bits};
  return stream_run(&stream, &sink);
}

static void keep(struct tc_curves *curves, struct job *job) {
  for (size_t i = 0; i < job->count; i++) {
    struct tc_curve *curve = &job->made[i];
    if (vat_curve_finish(job->curves[i]) ||
        vat_curve_points(job->curves[i], &curve->points, &curve->count)) {
      job->failed = true;
      continue;
    }
    write_points(curve);
    *ARRAY_ADD(curves->curve, curves->count) = *curve;
  }
}

void tc_curves_add(struct tc_curves *curves, const struct survey *survey,
                   double until_s) {
#ifndef HAVE_STREAMS
  return; /* no algorithm has a twin that is traced */
#endif
  struct job *job = memory_zeroed(1, sizeof *job);
  job->until_s = until_s;
  job->part = 1.0 / (double)(survey->program_count + 1);
  progress_init(&job->progress);
  for (size_t i = 0; i < survey->program_count; i++) {
    job->done = (double)i * job->part;
    job->accesses = 0;
    job->failed = false;
    if (!identify(&job->program, survey, i, 0)) continue;
    if (prepare(job, curves, survey) && !simulate(job)) keep(curves, job);
    if (job->failed)
      fprintf(stderr, "vat: note: %s: misses by W are left out: %s\n",
              job->program.algo->name, strerror(ENOMEM));
    for (size_t j = 0; j < TC_CURVES_SIZES; j++) {
      vat_curve_destroy(job->curves[j]);
      job->curves[j] = NULL;
    }
  }
  progress_clear(&job->progress);
  free(job);
}

void tc_curves_fini(struct tc_curves *curves) {
  for (size_t i = 0; i < curves->count; i++) free(curves->curve[i].points);
  free(curves->curve);
  *curves = (struct tc_curves){0};
}
