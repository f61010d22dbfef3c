/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/validate/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

const char *points_lack(const struct summary *row) {
  const struct sample_variant *variant = row->variant;
  if (strcmp(row->device, "cpu") != 0 || !cpu_algo_find(row->algo))
    return "they are of no program of the CPU's that this vat has";
  if (variant->alloc[0] || variant->file[0] || variant->generator[0])
    return "only the usual input and allocation are predicted";
  if (!row->reps)
    return "no repetition passed its check on the pages that it asked for";
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
  size_t i = place(x), j = place(y);
  if (i != j) return i < j ? -1 : 1;
  if (x->n != y->n) return x->n < y->n ? -1 : 1;
  if (x->base != y->base) return x->base ? -1 : 1;
  return (x->pages_rank > y->pages_rank) - (x->pages_rank < y->pages_rank);
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

static void find_base(struct points *points, struct point *point) {
  const struct point *base = point;
  while (base > points->points && base[-1].row->n == point->row->n &&
         !strcmp(base[-1].row->algo, point->row->algo))
    base--;
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

/* What overlaps must have been seen waiting for each cache and for memory. */
static bool fits_overlap(const struct point *point, uint64_t median,
                         double memory_bytes) {
  return point->row->base && point->elements < POINTS_LARGE &&
         (point->row->n <= median || point->bytes <= memory_bytes);
}

static void assign(struct points *points, struct program *program,
                   const struct points_sizes *sizes) {
  size_t uses[4] = {0};
  uint64_t median = median_size(points, program, sizes->cache_bytes);
  for (size_t i = 0; i < program->count; i++) {
    struct point *point = &points->points[program->first + i];
    if (point->bytes < sizes->cache_bytes / 2)
      point->use = POINT_SMALL;
    else if (!fits_overlap(point, median, sizes->memory_bytes))
      point->use = POINT_HELD_OUT;
    else if (point->bytes <= sizes->cache_bytes)
      point->use = POINT_FITS_C;
    else
      point->use = POINT_FITS_OVERLAP;
    uses[point->use]++;
  }
  char *reason = program->left_out;
  if (!uses[POINT_FITS_C])
    snprintf(reason, PROGRAM_REASON,
             "no size on base pages fills the second-level cache between half "
             "and all");
  else if (uses[POINT_FITS_OVERLAP] < 2)
    snprintf(reason, PROGRAM_REASON,
             "fewer than two sizes on base pages lie between the second-level "
             "cache and the median size");
  else if (!uses[POINT_HELD_OUT])
    snprintf(reason, PROGRAM_REASON, "nothing is held out");
}

static void find_programs(struct points *points,
                          const struct points_sizes *sizes) {
  for (size_t i = 0; i < points->count; i++) {
    const struct algo *algo = cpu_algo_find(points->points[i].row->algo);
    struct program *last = points->programs + points->program_count;
    if (!i || last[-1].algo != algo) {
      *last = (struct program){.algo = algo, .first = i};
      points->program_count++;
    } else {
      last--;
    }
    last->count++;
  }
  for (size_t i = 0; i < points->program_count; i++)
    assign(points, &points->programs[i], sizes);
}

void points_init(struct points *points, const struct summary *rows,
                 size_t count, const struct points_sizes *sizes) {
  *points = (struct points){
      .points = memory_zeroed(count + 1, sizeof *points->points),
      .programs = memory_zeroed(count + 1, sizeof *points->programs)};
  for (size_t i = 0; i < count; i++)
    if (!points_lack(&rows[i]))
      fill(&points->points[points->count++], &rows[i]);
  qsort(points->points, points->count, sizeof *points->points, compare);
  for (size_t i = 0; i < points->count; i++)
    find_base(points, &points->points[i]);
  find_programs(points, sizes);
}

void points_fini(struct points *points) {
  free(points->points);
  free(points->programs);
  *points = (struct points){0};
}

size_t points_pairs(const struct points *points) {
  size_t pairs = 0;
  for (size_t i = 0; i < points->program_count; i++) {
    const struct program *program = &points->programs[i];
    for (size_t j = 0; !program->left_out[0] && j < program->count; j++)
      pairs += points->points[program->first + j].base != SIZE_MAX;
  }
  return pairs;
}
