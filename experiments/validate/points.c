/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"
#include "experiments/cli/progress.h"
#include "experiments/reuse/reuse_ahead.h"
#include "experiments/validate/judge.h"

const char *points_missing(const struct summary *row) {
  const struct sample_variant *variant = row->variant;
  if (strcmp(row->device, "cpu") != 0)
    return "only runs with --device cpu are predicted";
  if (!cpu_algo_find(row->algo))
    return "this vat has no CPU algorithm of their name";
  if (variant->alloc[0] || variant->file[0] || variant->generator[0])
    return "only the usual input and allocation are predicted";
  if (!row->reps)
    return "no repetition passed its check on the requested pages";
  return row->n ? NULL : "there is nothing in them";
}

/* Programs in the order of the table, sizes ascending, base pages first. */
static size_t place(const struct summary *row) {
  size_t i = 0;
  while (strcmp(cpu_algos[i]->name, row->algo)) i++;
  return i;
}

static int compare(const void *a, const void *b) {
  const struct summary *x = ((const struct point *)a)->row;
  const struct summary *y = ((const struct point *)b)->row;
  int order = order_words(place(x), place(y));
  if (!order) order = order_words(x->n, y->n);
  if (!order) order = y->base - x->base;
  return order ? order : order_words(x->pages_rank, y->pages_rank);
}

static void fill(struct point *point, const struct summary *row) {
  const struct algo *algo = cpu_algo_find(row->algo);
  double n = (double)row->n;
  bool matrix = algo->data && !strcmp(algo->data, "matrix");
  *point = (struct point){.row = row,
                          .ns = row->ns_per_op_min,
                          .spread = row->ns_per_op_median / row->ns_per_op_min,
                          .bytes = (double)cpu_algo_bytes(algo, row->n, NULL),
                          .elements = matrix ? n * n : n,
                          .base = SIZE_MAX};
}

static bool same_size(const struct point *a, const struct point *b) {
  return a->row->n == b->row->n && !strcmp(a->row->algo, b->row->algo);
}

static void find_base(struct points *points, struct point *point) {
  const struct point *base = point;
  while (base > points->points && same_size(base - 1, point)) base--;
  if (base != point && base->row->base)
    point->base = (size_t)(base - points->points);
}

static bool is_sized(const struct point *point, double cache_bytes) {
  return point->row->base && point->bytes >= cache_bytes / 2;
}

/* The median of the program's sizes on base pages, of those that are used. */
static uint64_t median_size(const struct points *points,
                            const struct program *program, double cache_bytes) {
  size_t sizes = 0, seen = 0;
  const struct point *first = points->points + program->first;
  for (size_t i = 0; i < program->count; i++)
    sizes += is_sized(&first[i], cache_bytes);
  for (size_t i = 0; i < program->count; i++)
    if (is_sized(&first[i], cache_bytes) && ++seen == (sizes + 1) / 2)
      return first[i].row->n;
  return 0;
}

static void assign(struct points *points, struct program *program,
                   const struct points_sizes *sizes) {
  size_t uses[4] = {0};
  uint64_t median = median_size(points, program, sizes->cache_bytes);
  for (size_t i = 0; i < program->count; i++) {
    struct point *point = &points->points[program->first + i];
    /* What overlaps must have been seen waiting for each cache and memory. */
    bool fits =
        point->row->base && point->elements < POINTS_LARGE &&
        (point->row->n <= median || point->bytes <= sizes->memory_bytes);
    point->program = program;
    if (point->bytes < sizes->cache_bytes / 2)
      point->use = POINT_SMALL;
    else if (!fits)
      point->use = POINT_HELD_OUT;
    else if (point->bytes <= sizes->cache_bytes)
      point->use = POINT_FITS_C;
    else
      point->use = POINT_FITS_OVERLAP;
    uses[point->use]++;
  }
  if (!uses[POINT_FITS_C])
    program->left_out =
        "no size on base pages fills between half and all of the second-level "
        "cache";
  else if (uses[POINT_FITS_OVERLAP] < 2)
    program->left_out =
        "fewer than two sizes on base pages lie between the second-level cache "
        "and the median size";
  else if (!uses[POINT_HELD_OUT])
    program->left_out = "no size is left to predict";
  for (size_t i = 0; program->left_out && i < program->count; i++)
    points->points[program->first + i].use = POINT_SMALL;
}

static void find_programs(struct points *points,
                          const struct points_sizes *sizes) {
  for (size_t i = 0; i < points->count; i++) {
    const struct algo *algo = cpu_algo_find(points->points[i].row->algo);
    size_t *count = &points->program_count;
    if (!i || points->programs[*count - 1].algo != algo)
      points->programs[(*count)++] = (struct program){.algo = algo, .first = i};
    points->programs[*count - 1].count++;
  }
  for (size_t i = 0; i < points->program_count; i++) {
    assign(points, &points->programs[i], sizes);
    points->used_programs += !points->programs[i].left_out;
  }
}

void points_init(struct points *points, const struct summary *rows,
                 size_t count, const struct points_sizes *sizes) {
  *points = (struct points){
      .points = memory_zeroed(count + 1, sizeof *points->points),
      .programs = memory_zeroed(count + 1, sizeof *points->programs)};
  for (size_t i = 0; i < count; i++)
    if (!points_missing(&rows[i]))
      fill(&points->points[points->count++], &rows[i]);
  qsort(points->points, points->count, sizeof *points->points, compare);
  for (size_t i = 0; i < points->count; i++)
    find_base(points, &points->points[i]);
  find_programs(points, sizes);
}

/* Where the workspace of a stream begins: at a multiple of every size of pages.
 */
#define BASE (UINT64_C(1) << 32)

/* Accesses an operation makes, where no size of the program is known yet. */
#define FIRST_GUESS 2.0

struct work {
  const struct calibration *cal;
  struct points *points;
  struct reuse_params params;
  size_t *firsts; /* point of each size of programs that are not left out */
  struct stream *streams; /* of each */
  size_t count;
  struct reuse_ahead ahead;
  struct progress progress;
  double start_s;
  double done, expected; /* accesses, before this size and from it on */
  double accesses_per_op;
  char label[96];
};

static void list_sizes(struct work *work) {
  const size_t count = work->points->count;
  work->firsts = memory_zeroed(count + 1, sizeof *work->firsts);
  work->streams = memory_zeroed(count + 1, sizeof *work->streams);
  for (size_t i = 0; i < count; i++) {
    const struct point *point = &work->points->points[i];
    if (point->program->left_out) continue;
    if (i && same_size(point - 1, point)) continue;
    work->streams[work->count] = (struct stream){.algo = point->program->algo,
                                                 .n = point->row->n,
                                                 .seed = point->row->work->seed,
                                                 .base = BASE};
    work->firsts[work->count++] = i;
  }
}

static void told(void *arg, uint64_t accesses) {
  struct work *work = arg;
  double done = work->done + (double)accesses;
  double left = fmax(0, work->expected - (double)accesses);
  progress_draw_part(&work->progress, done / (done + left), work->start_s,
                     work->label);
}

static int fill_size(struct work *work, size_t at,
                     struct reuse_profile *profile) {
  struct point *point = work->points->points + work->firsts[at];
  const struct point *first = point,
                     *end = work->points->points + work->points->count;
  const struct summary *row = point->row;
  struct reuse_watch watch = {told, work};
  snprintf(work->label, sizeof work->label, "simulating %s n = %llu", row->algo,
           (unsigned long long)row->n);
  work->expected = 0;
  for (size_t i = at; i < work->count; i++)
    work->expected +=
        work->accesses_per_op *
        cpu_algo_ops(work->streams[i].algo, work->streams[i].n, NULL);
  reuse_ahead_wait(&work->ahead, at);
  int code =
      reuse_profile_get(profile, &work->streams[at], &work->params, &watch);
  if (code) return code;
  for (; point < end && same_size(point, first); point++) {
    costs_of(&point->costs, work->cal, point->row->pages, profile);
    point->costs.elements = point->elements / profile->ram_ops;
  }
  work->done += (double)profile->accesses;
  work->accesses_per_op = (double)profile->accesses / profile->ram_ops;
  return VAT_OK;
}

int points_find_costs(struct points *points, const struct calibration *cal) {
  struct work work = {.cal = cal,
                      .points = points,
                      .start_s = progress_now_s(),
                      .accesses_per_op = FIRST_GUESS};
  struct reuse_profile *profile = memory_get(sizeof *profile);
  costs_params(cal, &work.params);
  progress_init(&work.progress);
  list_sizes(&work);
  int code = VAT_OK;
  reuse_ahead_begin(&work.ahead, work.streams, work.count, &work.params);
  for (size_t i = 0; !code && i < work.count; i++)
    code = fill_size(&work, i, profile);
  reuse_ahead_end(&work.ahead);
  progress_clear(&work.progress);
  free(work.firsts);
  free(work.streams);
  free(profile);
  return code;
}

void points_fini(struct points *points) {
  free(points->points);
  free(points->programs);
  *points = (struct points){0};
}

size_t points_pairs(const struct points *points) {
  size_t pairs = 0;
  for (size_t i = 0; i < points->count; i++)
    pairs += !points->points[i].program->left_out &&
             points->points[i].base != SIZE_MAX;
  return pairs;
}
