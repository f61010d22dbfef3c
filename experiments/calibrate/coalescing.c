/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/coalescing.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/calibrate/derive_coalescing.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/memory.h"
#include "experiments/probe/bench.h"
#include "huge_pages/frame_runs.h"
#include "huge_pages/region.h"
#include "huge_pages/size_text.h"

/* Of each layout.  At most eight times what the second level of most TLBs
 * reaches: each run may take a mapping, and Linux allows 65530 of them.  With
 * less than the least, only the first level's reach is exceeded. */
static const size_t bytes_most = (size_t)64 << 20, bytes_least = 16 << 20;

/* Setting up and three passes take so long on an idle machine. */
static const double seconds_least = 2.4;

/* Points from so many pages on. */
enum { FIRST_PAGES = 16, AN_OCTAVE = 3 };

/* Frames move if the kernel compacts memory or balances nodes. */
static const double proved_least = 0.99;

/* Pages, in the order of struct coalescing_times. */
static const size_t runs_of[COALESCING_LAYOUTS] = {1, 1, 2, 4, 8, 16};

struct probe {
  struct cal_coalescing *found;
  struct hp_region home; /* where the frames are from */
  struct hp_frame_runs layouts[COALESCING_LAYOUTS];
  struct coalescing_times *times;
  struct cpu_random random;
  const struct measure_time *time;
  struct progress *progress;
  double llc_bytes;
  /* What is timed now. */
  const struct cal_curve *curve;
  const struct hp_frame_runs *layout;
  double x, ns;
  uint64_t seed;
};

/* It is not measured, and why: -1. */
static int __attribute__((format(printf, 2, 3)))
leave_out(struct probe *probe, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(probe->found->absent, sizeof probe->found->absent, format, args);
  va_end(args);
  return -1;
}

/* As much memory as there is on huge pages. */
static int map_home(struct probe *probe, size_t bytes) {
  const struct hp_kind *thp = hp_kind_find("thp");
  struct hp_missing missing = {"there is too little memory", ""};
  struct hp_granted granted;
  size_t each = bytes / COALESCING_LAYOUTS;
  if (each > bytes_most) each = bytes_most;
  for (; each >= bytes_least; each /= 2) {
    size_t all = each / thp->bytes * thp->bytes * COALESCING_LAYOUTS;
    missing = (struct hp_missing){"the kernel granted other pages", ""};
    if (hp_kind_explain(thp, all, &missing)) continue;
    if (hp_region_map(&probe->home, thp, all, NULL, NULL)) continue;
    if (!hp_region_verify(&probe->home, all, &granted) &&
        hp_granted_is(&granted, thp))
      return 0;
    hp_region_unmap(&probe->home);
  }
  return leave_out(probe, "no huge pages to divide: %s%s%s", missing.why,
                   *missing.fix ? "; fix: " : "", missing.fix);
}

/* The longest runs first: they take the fewest mappings. */
static int take_frames(struct probe *probe) {
  size_t bytes = probe->home.bytes / COALESCING_LAYOUTS;
  for (size_t i = COALESCING_LAYOUTS; i-- > 0;)
    if (hp_frame_runs_take(&probe->layouts[i], probe->home.base + i * bytes,
                           bytes, runs_of[i], (unsigned)i))
      return leave_out(
          probe, "huge pages cannot be divided: mremap: %s%s", strerror(errno),
          errno == ENOMEM ? "; fix: sudo sysctl vm.max_map_count=65530" : "");
  return 0;
}

static void choose_points(struct probe *probe) {
  const struct hp_frame_runs *layout = probe->layouts;
  struct coalescing_times *times = probe->times;
  double most = (double)(layout->bytes / layout->page_bytes);
  for (int i = 0; times->points < COALESCING_POINTS; i++) {
    double x = round(FIRST_PAGES * exp2((double)i / AN_OCTAVE));
    if (x > most) break;
    times->x[times->points++] = x;
  }
  probe->found->page_bytes = (double)layout->page_bytes;
}

static void step_point(void *context) {
  struct probe *probe = context;
  const struct hp_region region = {.kind = hp_kind_base(),
                                   .base = probe->layout->base,
                                   .bytes = probe->layout->bytes};
  probe->ns = bench_point(probe->curve, probe->x, &region, probe->llc_bytes,
                          probe->seed);
}

/* A layout's chase, or the one over as many lines; the same draws on all. */
static int time_chase(struct probe *probe, size_t point, size_t chase) {
  const struct hp_frame_runs *layout = probe->layouts;
  const struct cal_curve pages = {.name = "page_chase",
                                  .by_pages = true,
                                  .step_bytes = (double)layout->page_bytes,
                                  .chains = 1};
  const struct cal_curve lines = {.name = "line_chase",
                                  .by_pages = true,
                                  .step_bytes = LINE_BYTES,
                                  .chains = 1};
  struct coalescing_times *times = probe->times;
  bool is_layout = chase < COALESCING_LAYOUTS;
  probe->curve = is_layout ? &pages : &lines;
  probe->layout = is_layout ? &layout[chase] : layout;
  probe->x = times->x[point];
  probe->seed = cpu_random_at(times->passes, point);
  if (interruptible(step_point, probe)) return -1;
  (is_layout ? times->pages[chase] : times->lines)[point][times->passes] =
      probe->ns;
  return 0;
}

/* All chases of a point come one after the other, so that they meet the same
 * neighbours. */
static int pass(struct probe *probe) {
  size_t points[COALESCING_POINTS], chases[COALESCING_LAYOUTS + 1];
  size_t count = probe->times->points;
  for (size_t i = 0; i < count; i++) points[i] = i;
  for (size_t i = 0; i <= COALESCING_LAYOUTS; i++) chases[i] = i;
  cpu_random_shuffle(&probe->random, points, count);
  for (size_t p = 0; p < count; p++) {
    cpu_random_shuffle(&probe->random, chases, COALESCING_LAYOUTS + 1);
    for (size_t i = 0; i <= COALESCING_LAYOUTS; i++)
      if (time_chase(probe, points[p], chases[i])) return -1;
    double left = probe->time->end_s - progress_now_s();
    double all = probe->time->end_s - probe->time->start_s;
    progress_draw(probe->progress, (all - left) / all, left, "coalescing");
  }
  probe->times->passes++;
  return 0;
}

/* As many as the time allows, but enough for intervals. */
static int passes(struct probe *probe, double until_s) {
  size_t *done = &probe->times->passes;
  double now = progress_now_s(), took = 0;
  while (*done < CALIBRATION_REPETITIONS ||
         (*done < COALESCING_PASSES && now + took <= until_s)) {
    if (pass(probe)) return -1;
    took = fmax(took, progress_now_s() - now);
    now = progress_now_s();
  }
  return 0;
}

/* Are the frames as they were laid out, as far as the kernel tells? */
static int prove(struct probe *probe) {
  /* What a transparent huge page is divided into is contiguous. */
  const char *proof = "smaps";
  for (size_t i = 0; i < COALESCING_LAYOUTS; i++) {
    struct hp_frame_proof now;
    if (hp_frame_runs_prove(&probe->layouts[i], &now) || !now.told) continue;
    proof = "pagemap";
    double least = proved_least * (double)now.blocks;
    if ((double)now.whole < least || (double)(now.blocks - now.joined) < least)
      return leave_out(probe,
                       "the kernel moved frames during the measurement; fix: "
                       "calibrate again");
  }
  snprintf(probe->found->proof, sizeof probe->found->proof, "%s", proof);
  return 0;
}

/* -1 only if interrupted. */
static int run(struct probe *probe, size_t bytes, double until_s) {
  if (map_home(probe, bytes)) return 0;
  if (bench_fill(&probe->home)) return -1;
  if (take_frames(probe)) return 0;
  choose_points(probe);
  if (passes(probe, until_s)) return -1;
  if (!prove(probe)) derive_coalescing(probe->times, probe->found);
  return 0;
}

/* What it takes. */
static int check(struct probe *probe, size_t bytes, double seconds) {
  if (bytes / COALESCING_LAYOUTS < bytes_least)
    return leave_out(probe,
                     "it takes %s of memory; fix: choose a larger --memory",
                     HP_SIZE_SHOWN(COALESCING_LAYOUTS * bytes_least));
  if (seconds < seconds_least)
    return leave_out(probe, "it takes %.1f s; fix: --time-budget 50 or more",
                     seconds_least);
  return 0;
}

int coalescing_measure(struct calibration *cal, size_t bytes, double until_s,
                       const struct measure_time *time,
                       struct progress *progress) {
  struct probe probe = {.found = &cal->coalescing,
                        .random = {.state = 1},
                        .time = time,
                        .progress = progress};
  *probe.found = (struct cal_coalescing){.page_bytes = NAN};
  if (check(&probe, bytes, until_s - progress_now_s())) return 0;
  for (size_t i = 0; i < cal->level_count; i++)
    probe.llc_bytes = fmax(probe.llc_bytes, cal->levels[i].bytes_reported);
  probe.times = memory_zeroed(1, sizeof *probe.times);
  int failed = run(&probe, bytes, until_s);
  for (size_t i = 0; i < COALESCING_LAYOUTS; i++)
    hp_frame_runs_unmap(&probe.layouts[i]);
  hp_region_unmap(&probe.home);
  free(probe.times);
  return failed;
}
