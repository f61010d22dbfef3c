/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/sample_bursts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

/* Samples behind each that are looked at, and how many pairs of the thread an
 * instruction's own ones outweigh; octaves with fewer pairs than these are
 * taken together. */
enum { NEIGHBOURS = 64, LEAST_REGULAR = 64 };
static const double own_pairs = 8, few_pairs = 8;

static int octave_of(double distance) {
  int octave = distance < 1 ? 0 : ilogb(distance);
  return octave < BURST_OCTAVES ? octave : BURST_OCTAVES - 1;
}

static void add_pair(struct burst_pairs *pairs, int octave, double same,
                     double chance) {
  pairs->all[octave]++;
  pairs->same[octave] += same;
  pairs->chance[octave] += chance;
}

/* Both of a pair see the other. */
static void count_pairs(struct burst_pairs *own, struct burst_pairs *all,
                        const struct sample_bursts *bursts,
                        const struct perf_sample *sample, size_t count,
                        const uint64_t *page, const double *share) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = i + 1; k < count && k <= i + NEIGHBOURS; k++) {
      int octave = octave_of(sample[k].at - sample[i].at);
      double same = page[i] == page[k];
      for (int side = 0; side < 2; side++) {
        size_t who = side ? k : i;
        if (share[who] < 0) continue;
        add_pair(&own[bursts->of[who]], octave, same, share[who]);
        add_pair(all, octave, same, share[who]);
      }
    }
}

/* If samples were drawn at random, two of so many would be nearer each other
 * than an eighth of the mean. */
static bool is_regular(const struct perf_sample *sample, size_t count) {
  double nearest = INFINITY;
  if (count < LEAST_REGULAR) return false;
  for (size_t i = 1; i < count; i++)
    nearest = fmin(nearest, sample[i].at - sample[i - 1].at);
  return nearest > 1 && nearest * 8 * (double)(count - 1) >
                            sample[count - 1].at - sample[0].at;
}

/* Octaves from..to that have enough pairs together. */
static int together(const struct burst_pairs *pairs, int from, double *all) {
  int to = from;
  for (*all = 0; to < BURST_OCTAVES && *all < few_pairs; to++)
    *all += pairs->all[to];
  return to;
}

static double between(const struct burst_pairs *pairs, int from, int to,
                      double all) {
  double excess = 0;
  for (int i = from; i < to; i++) excess += pairs->same[i] - pairs->chance[i];
  return all > 0 ? fmin(fmax(0, excess / all), 1) : 0;
}

static void add_up(struct burst_curve *curve) {
  curve->sum[0] = 0;
  for (int i = 1; i < BURST_OCTAVES; i++)
    curve->sum[i] = curve->sum[i - 1] + curve->within[i - 1] * exp2(i - 1);
}

static void make_pool(struct burst_curve *curve,
                      const struct burst_pairs *pairs) {
  double all;
  for (int from = 0, to; from < BURST_OCTAVES; from = to) {
    to = together(pairs, from, &all);
    double within = all < few_pairs ? 0 : between(pairs, from, to, all);
    for (int i = from; i < to; i++) curve->within[i] = within;
  }
  add_up(curve);
}

/* Its own pairs, and some as the thread's. */
static void make_curve(struct burst_curve *curve,
                       const struct burst_pairs *pairs,
                       const struct burst_curve *pool) {
  for (int i = 0; i < BURST_OCTAVES; i++) {
    double excess = pairs->same[i] - pairs->chance[i];
    double all = pairs->all[i] + own_pairs;
    curve->within[i] =
        fmin(fmax(0, (excess + own_pairs * pool->within[i]) / all), 1);
  }
  add_up(curve);
}

/* Number the instructions of samples that are looked at. */
static int by_ip(const void *one, const void *two, void *context) {
  const struct perf_sample *sample = context;
  size_t a = *(const size_t *)one, b = *(const size_t *)two;
  return (sample[a].ip > sample[b].ip) - (sample[a].ip < sample[b].ip);
}

static size_t number(uint32_t *of, const struct perf_sample *sample,
                     size_t count) {
  size_t *order = memory_zeroed(count + 1, sizeof *order), curves = 0;
  for (size_t i = 0; i < count; i++) order[i] = i;
  qsort_r(order, count, sizeof *order, by_ip, (void *)sample);
  for (size_t i = 0; i < count; i++) {
    if (i && sample[order[i]].ip != sample[order[i - 1]].ip) curves++;
    of[order[i]] = (uint32_t)curves;
  }
  free(order);
  return curves + 1;
}

void sample_bursts_make(struct sample_bursts *bursts,
                        const struct perf_sample *sample, size_t count,
                        const uint64_t *page, const double *share) {
  struct burst_curve pool;
  *bursts = (struct sample_bursts){0};
  bursts->of = memory_zeroed(count + 1, sizeof *bursts->of);
  size_t curves = number(bursts->of, sample, count);
  struct burst_pairs *own = memory_zeroed(curves, sizeof *own);
  bursts->curve = memory_zeroed(curves, sizeof *bursts->curve);
  count_pairs(own, &bursts->pairs, bursts, sample, count, page, share);
  bursts->regular = is_regular(sample, count);
  make_pool(&pool, &bursts->pairs);
  for (size_t i = 0; i < curves; i++)
    make_curve(&bursts->curve[i], &own[i], &pool);
  free(own);
}

void sample_bursts_fini(struct sample_bursts *bursts) {
  free(bursts->curve);
  free(bursts->of);
}

double sample_bursts_after(const struct sample_bursts *bursts, size_t i,
                           double T) {
  const struct burst_curve *curve = &bursts->curve[bursts->of[i]];
  int octave = octave_of(T);
  double from = exp2(octave);
  return curve->sum[octave] + curve->within[octave] * fmax(0, T - from);
}

double sample_bursts_error(const struct sample_bursts *bursts, double T) {
  const struct burst_pairs *pairs = &bursts->pairs;
  double variance = 0, all;
  if (bursts->regular) return INFINITY;
  for (int from = 0, to; from < BURST_OCTAVES && exp2(from) < T; from = to) {
    double same = 0;
    to = together(pairs, from, &all);
    if (all < few_pairs) return INFINITY;
    for (int i = from; i < to; i++) same += pairs->same[i];
    double width = fmin(exp2(to), T) - exp2(from);
    /* Each pair counts twice; one more, as none may have been seen by chance.
     */
    variance += width * width * (2 * same + 4) / (all * all);
  }
  return sqrt(variance);
}
