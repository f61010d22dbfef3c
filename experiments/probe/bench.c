/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/probe/bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/progress.h"

/* An entry of a page table; x86-64, AArch64 and RISC-V agree. */
enum { TABLE_ENTRY_BYTES = 8, CHAIN_SPOTS = CALIBRATION_LEVELS + 4 };

/* So much is timed of each point: enough for a tenth of a percent at any
 * latency, and short enough to come round often. */
static const double point_ns = 2e6;
enum { STEPS_LEAST = 1 << 14, STEPS_MOST = 1 << 20, TRIAL_STEPS = 1 << 11 };

/* What another thread took time and caches from is timed again, so often. */
enum { ATTEMPTS = 3 };

/* The table of doc/calibration.md. */
static const struct bench benches[] = {
    {"line_chase", kernel_chase, kernel_read, STEP_LINE, 4, 0, WHAT_IF_LARGER},
    {"settled_chase", kernel_chase, kernel_read, STEP_LINE, 2, 1e7, 0},
    {"page_chase", kernel_chase, kernel_chase, STEP_PAGE, 4, 0,
     WHAT_IF_BASE | WHAT_IF_LARGER},
    {"table_chase", kernel_chase, kernel_chase, STEP_TABLE_LINE, 2, 0, 0},
    {"huge_step_chase", kernel_chase, kernel_chase, STEP_HUGE, 6, 0, 0},
    {"line_chains", kernel_chase, kernel_read, STEP_LINE, 0, 0, 0},
    {"page_chains", kernel_chase, kernel_chase, STEP_PAGE, 0, 0, 0},
    {"random_read", kernel_read, kernel_read, STEP_LINE, 2, 0, WHAT_IF_BASE},
    {"random_update", kernel_update, kernel_update, STEP_LINE, 2, 0, 0},
    {"stream_read", kernel_stream_read, kernel_stream_read, STEP_LINE, 1, 0, 0},
    {"stream_write", kernel_stream_write, kernel_stream_write, STEP_LINE, 1, 0,
     0},
    {"stream_copy", kernel_stream_copy, kernel_stream_copy, STEP_LINE, 1, 0, 0},
    {0},
};

const struct bench *bench_of(const struct cal_curve *curve) {
  for (const struct bench *bench = benches; bench->name; bench++)
    if (!strcmp(bench->name, curve->name)) return bench;
  return NULL;
}

/* Huge pages of the smallest size there is. */
static size_t huge_bytes(void) {
  size_t base = hp_kind_base()->bytes;
  for (size_t i = 1; i < hp_kind_count(); i++)
    if (hp_kind_at(i)->bytes > base) return hp_kind_at(i)->bytes;
  return base;
}

static size_t step_bytes(enum bench_step step) {
  size_t base = hp_kind_base()->bytes;
  const size_t bytes[] = {
      [STEP_LINE] = LINE_BYTES,
      [STEP_PAGE] = base,
      [STEP_TABLE_LINE] = base * (LINE_BYTES / TABLE_ENTRY_BYTES),
      [STEP_HUGE] = huge_bytes()};
  return bytes[step];
}

/* Footprints of several chains.  Lines: well within each cache, the last taken
 * for what is surely left of it by others.  Pages: those that TLBs of two
 * levels keep, and beyond with their table lines in near caches and in far
 * ones.  Both: all there is. */
static size_t chain_spots(const struct calibration *cal,
                          const struct bench *bench, size_t most,
                          double spots[CHAIN_SPOTS]) {
  static const double pages[] = {512, 8192, 16384, 65536, 0};
  double wanted[CHAIN_SPOTS] = {0}, before = INFINITY;
  size_t count = 0;
  for (size_t i = 0; i + 1 < cal->level_count; i++) {
    double bytes = cal->levels[i].bytes_reported;
    wanted[i] = fmin(bytes / 2, 4 * before) / LINE_BYTES;
    before = bytes;
  }
  const double *from = bench->step == STEP_LINE ? wanted : pages;
  for (size_t i = 0; from[i] > 0; i++)
    if (from[i] < (double)most / 2) spots[count++] = floor(from[i]);
  spots[count++] = floor((double)most / 4);
  spots[count++] = (double)most;
  return count;
}

static struct cal_curve *new_curve(struct calibration *cal,
                                   const struct bench *bench,
                                   const struct hp_kind *kind, size_t points) {
  struct cal_curve *curve = ARRAY_ADD(cal->curves, cal->curve_count);
  *curve = (struct cal_curve){.by_pages = bench->step != STEP_LINE,
                              .step_bytes = (double)step_bytes(bench->step),
                              .chains = 1};
  curve->points = memory_zeroed(points, sizeof *curve->points);
  snprintf(curve->name, sizeof curve->name, "%s", bench->name);
  snprintf(curve->pages, sizeof curve->pages, "%s", kind->name);
  return curve;
}

static void add_point(struct cal_curve *curve, double spots) {
  double x = curve->by_pages ? spots : spots * curve->step_bytes;
  if (curve->count && curve->points[curve->count - 1].x >= x) return;
  curve->points[curve->count++] = (struct cal_point){x, NAN, NAN, NAN};
}

/* At whole numbers of spots, from 8 pages or a base page of lines on; where
 * others' part of the last cache is asked for, well within it to somewhat
 * beyond. */
static void add_curve(struct calibration *cal, const struct bench *bench,
                      const struct hp_kind *kind, size_t bytes) {
  double least = bench->step == STEP_LINE ? 64 : 8;
  double most = (double)(bytes / step_bytes(bench->step));
  if (bench->settle_ns) {
    if (cal->level_count < 2) return;
    double last = cal->levels[cal->level_count - 2].bytes_reported / LINE_BYTES;
    least = last / 16;
    most = fmin(most, last);
  }
  if (!(most >= 2 * least)) return;
  size_t count = 2 + (size_t)(log2(most / least) * bench->per_octave);
  struct cal_curve *curve = new_curve(cal, bench, kind, count);
  for (size_t i = 0; i + 1 < count; i++)
    add_point(curve, round(least * exp2((double)i / bench->per_octave)));
  add_point(curve, most);
}

static void add_chains(struct calibration *cal, const struct bench *bench,
                       const struct hp_kind *kind, size_t bytes) {
  double spots[CHAIN_SPOTS];
  size_t most = bytes / step_bytes(bench->step);
  if (most < 64) return;
  size_t count = chain_spots(cal, bench, most, spots);
  for (size_t c = 0; kernel_chains[c]; c++) {
    struct cal_curve *curve = new_curve(cal, bench, kind, count);
    curve->chains = kernel_chains[c];
    for (size_t i = 0; i < count; i++) add_point(curve, spots[i]);
  }
}

void bench_curves(struct calibration *cal, const struct hp_kind *kind,
                  size_t bytes, bool what_if) {
  unsigned pages = kind == hp_kind_given() ? WHAT_IF_BASE : WHAT_IF_LARGER;
  for (const struct bench *bench = benches; bench->name; bench++) {
    if (what_if && !(bench->what_if & pages)) continue;
    if (bench->per_octave)
      add_curve(cal, bench, kind, bytes);
    else
      add_chains(cal, bench, kind, bytes);
  }
}

struct filling {
  unsigned char *at;
  size_t bytes;
};

static void step_fill(void *context) {
  const struct filling *part = context;
  kernel_fill(part->at, part->bytes, (uintptr_t)part->at);
}

int bench_fill(const struct hp_region *region) {
  const size_t part = (size_t)64 << 20;
  for (size_t done = 0; done < region->bytes; done += part) {
    size_t left = region->bytes - done;
    struct filling filling = {region->base + done, left < part ? left : part};
    if (interruptible(step_fill, &filling)) return -1;
  }
  return 0;
}

/* ns a step of `steps` of them. */
static double time_steps(kernel *timed, struct spots spots, uint64_t seed,
                         unsigned chains, uint64_t steps) {
  spots.seed = seed;
  uint64_t start = progress_now_ns();
  timed(&spots, chains, steps);
  return (double)(progress_now_ns() - start) / (double)steps;
}

/*
 * Bring the caches to the state that the timed accesses find and leave, so that
 * nothing depends on how many they are.  Random accesses do, thrice as many as
 * there are spots, or as many as the largest cache has lines: a sweep alone
 * would not, for lines used but once may be kept out of it.  They leave one
 * spot in twenty out, which the sweep before has brought near, so that no timed
 * access is the first one in long.  As many as can be go on at once.
 */
static void warm_up(const struct bench *bench, struct spots spots,
                    double llc_bytes, uint64_t seed) {
  uint64_t llc = (uint64_t)fmin(fmax(llc_bytes, 1 << 24), 1 << 29) / LINE_BYTES;
  uint64_t sweep = spots.count < 2 * llc ? spots.count : 2 * llc;
  uint64_t random = 3 * spots.count < llc ? 3 * spots.count : llc;
  time_steps(kernel_sweep, spots, 0, 1, sweep);
  time_steps(bench->warm, spots, seed, KERNEL_CHAINS_MAX, random);
}

/* Times that this thread had to make way for another. */
static long preemptions(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nivcsw;
}

/*
 * Where in the region few spots lie: elsewhere each time, by `seed`.  Physical
 * pages that happen to be neighbours share an entry of some TLBs, and others
 * meet in the sets of a cache; the first pages of a region would bring the same
 * luck to each repetition.  But a program has what the kernel gives first, and
 * so has a chase on such pages.
 */
static unsigned char *place(const struct hp_region *region,
                            const struct spots *spots, uint64_t seed) {
  if (region->kind == hp_kind_given()) return region->base;
  size_t huge = huge_bytes();
  size_t room = (region->bytes - spots->count * spots->step_bytes) / huge + 1;
  seed ^= seed >> 31;
  return region->base + (size_t)(seed % room) * huge;
}

double bench_point(const struct cal_curve *curve, double x,
                   const struct hp_region *region, double llc_bytes,
                   uint64_t seed) {
  const struct bench *bench = bench_of(curve);
  uint64_t step = (uint64_t)curve->step_bytes;
  struct spots spots = {.count = (uint64_t)x / (curve->by_pages ? 1 : step),
                        .step_bytes = step};
  double ns = 0;
  spots.base = place(region, &spots, seed);
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    /* Other draws than the timed ones, which would be waiting in a cache. */
    warm_up(bench, spots, llc_bytes, ~seed);
    ns = time_steps(bench->time, spots, seed + 1, curve->chains, TRIAL_STEPS);
    if (bench->settle_ns)
      time_steps(bench->time, spots, seed + 2, curve->chains,
                 (uint64_t)(bench->settle_ns / ns));
    double steps = fmin(fmax(point_ns / ns, STEPS_LEAST), STEPS_MOST);
    long before = preemptions();
    ns = time_steps(bench->time, spots, seed, curve->chains, (uint64_t)steps);
    if (preemptions() == before) break;
  }
  return ns;
}

double bench_canary(void) {
  static const struct spots none = {0};
  return time_steps(kernel_compute, none, 1, 1, 1 << 19);
}

double bench_timer_ns(void) {
  double least = INFINITY;
  for (int i = 0; i < 1000; i++) {
    uint64_t start = progress_now_ns(), end = start;
    while (end <= start) end = progress_now_ns();
    least = fmin(least, (double)(end - start));
  }
  return least;
}
