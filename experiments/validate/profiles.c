/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/validate/profiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/progress.h"
#include "experiments/reuse/reuse_ahead.h"

/* Where the workspace begins: at a multiple of every size of pages. */
#define BASE (UINT64_C(1) << 32)

/* Accesses an operation makes, where no size of the program is known yet. */
#define FIRST_GUESS 2.0

struct work {
  struct points *points;
  const struct calibration *cal;
  struct reuse_params params;
  struct stream *streams; /* of each size of each program, as points are */
  size_t stream_count, next;
  struct reuse_ahead ahead;
  struct progress progress;
  double start_s;
  double done, expected; /* accesses, before this size and from it on */
  double accesses_per_op;
  char label[96];
};

static double ops(const struct point *point) {
  return cpu_algo_ops(cpu_algo_find(point->row->algo), point->row->n, NULL);
}

/* Is it the first point of its size? */
static bool leads(const struct point *point, const struct point *first) {
  return point == first || point[-1].row->n != point->row->n;
}

static void list_streams(struct work *work) {
  const struct points *points = work->points;
  work->streams = memory_zeroed(points->count + 1, sizeof *work->streams);
  for (size_t p = 0; p < points->program_count; p++) {
    const struct program *program = &points->programs[p];
    const struct point *first = points->points + program->first;
    for (size_t i = 0; !program->left_out[0] && i < program->count; i++)
      if (leads(&first[i], first))
        work->streams[work->stream_count++] =
            (struct stream){.algo = program->algo,
                            .n = first[i].row->n,
                            .seed = first[i].row->work->seed,
                            .base = BASE};
  }
}

static void expect(struct work *work, size_t p, size_t from) {
  work->expected = 0;
  for (; p < work->points->program_count; p++, from = 0) {
    const struct program *program = &work->points->programs[p];
    const struct point *first = work->points->points + program->first;
    for (size_t i = from; !program->left_out[0] && i < program->count; i++)
      if (leads(&first[i], first))
        work->expected += work->accesses_per_op * ops(&first[i]);
  }
}

static void told(void *arg, uint64_t accesses) {
  struct work *work = arg;
  double done = work->done + (double)accesses;
  double left = fmax(0, work->expected - (double)accesses);
  progress_draw_part(&work->progress, done / (done + left), work->start_s,
                     work->label);
}

static int fill_size(struct work *work, struct point *point, size_t count,
                     struct reuse_profile *profile) {
  const struct summary *row = point->row;
  struct reuse_watch watch = {told, work};
  size_t next = work->next++;
  snprintf(work->label, sizeof work->label, "simulating %s n = %llu", row->algo,
           (unsigned long long)row->n);
  reuse_ahead_wait(&work->ahead, next);
  int code =
      reuse_profile_get(profile, &work->streams[next], &work->params, &watch);
  if (code) return code;
  for (size_t i = 0; i < count && point[i].row->n == row->n; i++)
    costs_of(&point[i].costs, work->cal, point[i].row->pages, profile);
  work->done += (double)profile->accesses;
  work->accesses_per_op = (double)profile->accesses / profile->ram_ops;
  return VAT_OK;
}

static int fill_program(struct work *work, size_t p,
                        struct reuse_profile *profile) {
  const struct program *program = &work->points->programs[p];
  struct point *first = work->points->points + program->first;
  int code = VAT_OK;
  for (size_t i = 0; !code && i < program->count; i++) {
    if (!leads(&first[i], first)) continue;
    expect(work, p, i);
    code = fill_size(work, &first[i], program->count - i, profile);
  }
  return code;
}

int profiles_fill(struct points *points, const struct calibration *cal) {
  struct work work = {.points = points,
                      .cal = cal,
                      .start_s = progress_now_s(),
                      .accesses_per_op = FIRST_GUESS};
  struct reuse_profile *profile = memory_get(sizeof *profile);
  costs_params(cal, &work.params);
  progress_init(&work.progress);
  list_streams(&work);
  int code = VAT_OK;
  reuse_ahead_begin(&work.ahead, work.streams, work.stream_count, &work.params);
  for (size_t p = 0; !code && p < points->program_count; p++)
    if (!points->programs[p].left_out[0])
      code = fill_program(&work, p, profile);
  reuse_ahead_end(&work.ahead);
  progress_clear(&work.progress);
  free(work.streams);
  free(profile);
  return code;
}
