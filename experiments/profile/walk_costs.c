/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/walk_costs.h"

#include <math.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/probe/calibration.h"
#include "experiments/results/ratio.h"

enum { PAGES_A_LINE = 8, BASE_BYTES = 4096 };

/* The chases of one kind of pages. */
struct chases {
  const struct cal_curve *pages, *lines;
  const struct cal_curve *steady; /* NULL in older files */
  const struct cal_curve *reads;  /* that wait for nothing; or NULL */
};

/* All by pages, where the chases are known at. */
enum { SLOW, FAST, LEAST, MOST, WALK, ALL_SLOW, ALL_FAST, CURVES };

static struct chases chases_of(const struct calibration *cal,
                               const char *kind) {
  return (struct chases){
      .pages = calibration_curve(cal, "page_chase", kind, 1),
      .lines = calibration_curve(cal, "line_chase", kind, 1),
      .steady = calibration_curve(cal, "steady_chase", kind, 1),
      .reads = calibration_curve(cal, "random_read", kind, 1)};
}

static bool is_there(const struct cal_curve *curve) {
  return curve && curve->count > 2;
}

const char *walk_costs_base(const struct calibration *cal) {
  return is_there(chases_of(cal, "given").pages) ? "given" : "4k";
}

double walk_costs_walkers(const struct calibration *cal) {
  const struct cal_pages *pages = calibration_pages(cal, "4k");
  return pages ? pages->walks_in_flight.value : NAN;
}

static void start(struct cal_curve *curve, size_t room) {
  *curve = (struct cal_curve){
      .by_pages = true, .step_bytes = BASE_BYTES, .chains = 1};
  curve->points = memory_zeroed(room, sizeof *curve->points);
}

static void add(struct cal_curve *curve, double pages, double ns) {
  curve->points[curve->count++] = (struct cal_point){.x = pages, .ns = ns};
}

/* Farther lines cost no less.  What is more than what comes after it is noise,
 * or that is: both are taken as the mean (pool adjacent violators: Ayer et al.,
 * Annals of Mathematical Statistics 26, 1955).  And what noise makes of two
 * curves that hardly differ is no saving. */
static void smooth(struct cal_curve *curve, size_t first) {
  struct cal_point *at = curve->points;
  for (size_t i = first, from; i < curve->count; i++) {
    double sum = at[i].ns;
    for (from = i;
         from > first && at[from - 1].ns > sum / (double)(i - from + 1);)
      sum += at[--from].ns;
    double mean = sum / (double)(i - from + 1);
    for (; from <= i; from++) at[from].ns = mean;
  }
  for (size_t i = 0; i < curve->count; i++) at[i].ns = fmax(0, at[i].ns);
}

/* Near distances from the page chase, which shows translation alone, and where
 * neighbours take nothing. */
static void add_near(struct cal_curve *d, const struct cal_point *p,
                     const struct chases *larger) {
  double with = curve_at(larger->pages, p->x);
  double all = curve_at(larger->lines, p->x * BASE_BYTES);
  add(&d[SLOW], p->x, p->ns - with);
  add(&d[FAST], p->x, p->ns - with);
  add(&d[LEAST], p->x, p->lo - with);
  add(&d[MOST], p->x, p->hi - with);
  add(&d[ALL_SLOW], p->x, all);
  add(&d[ALL_FAST], p->x, all);
}

static void add_far(struct cal_curve *d, const struct cal_point *p,
                    const struct chases *base, const struct chases *larger) {
  double pages = p->x / BASE_BYTES, with = curve_at(larger->steady, p->x);
  add(&d[SLOW], pages, p->ns - with);
  add(&d[FAST], pages,
      curve_at(base->pages, pages) - curve_at(larger->pages, pages));
  add(&d[LEAST], pages, p->lo - with);
  add(&d[MOST], pages, p->hi - with);
  add(&d[ALL_SLOW], pages, with);
  add(&d[ALL_FAST], pages, curve_at(larger->lines, p->x));
}

/* A page chase over n pages has n lines of data; what it takes beyond them is
 * the walk. */
static void derive_costs(struct cal_curve *d, const struct chases *base,
                         const struct chases *larger) {
  bool steady = base->steady && larger->steady && base->steady->count > 1;
  double end = steady ? base->steady->points[0].x / BASE_BYTES : INFINITY;
  for (size_t i = 0; i < base->pages->count; i++) {
    const struct cal_point *p = &base->pages->points[i];
    add(&d[WALK], p->x,
        curve_at(larger->pages, p->x) -
            curve_at(larger->lines, p->x * larger->lines->step_bytes));
    if (p->x < end) add_near(d, p, larger);
  }
  size_t near = d[SLOW].count;
  for (size_t i = 0; steady && i < base->steady->count; i++)
    add_far(d, &base->steady->points[i], base, larger);
  for (int i = 0; i < CURVES; i++) smooth(&d[i], i <= MOST ? near : d[i].count);
}

/* Misses that are d apart at random among `lines` have so many others between
 * them. */
static double distinct(double d, double lines) {
  return lines * -expm1(-d / lines);
}

/* At the pace of reads that wait for nothing.  NAN: not known. */
static void bound_fast(struct walk_cost *cost, const struct chases *base,
                       const struct chases *larger, double walkers,
                       double bytes) {
  if (!base->reads || !larger->reads || !(walkers >= 1)) return;
  double with = walkers * curve_at(larger->reads, bytes);
  double without = walkers * curve_at(base->reads, bytes);
  cost->walk_fast = fmin(cost->walk_fast, with);
  cost->saved_fast = fmin(cost->saved_fast, fmax(0, without - cost->walk_fast));
}

/* Where an octave's misses are: between one distance and twice as much, all
 * alike.  Many may lie where a curve has a step: each costs the mean. */
enum { PLACES = 16 };
struct octave {
  double pages[PLACES], mean;
};

static struct octave octave_at(int number, double pages, double traffic) {
  double tables = fmax(1, pages / PAGES_A_LINE);
  struct octave octave = {.mean = 0};
  for (int i = 0; i < PLACES; i++) {
    double far = number ? exp2(number - 1 + (i + 0.5) / PLACES) : 1;
    double at = fmin(pages, PAGES_A_LINE * distinct(far, tables));
    /* A first touch: the kernel has just written to the table. */
    octave.pages[i] = number ? at * traffic : at;
    octave.mean += octave.pages[i] / PLACES;
  }
  return octave;
}

static double mean_of(const struct cal_curve *curve,
                      const struct octave *octave) {
  double sum = 0;
  for (int i = 0; i < PLACES; i++)
    sum += curve_distance(curve, octave->pages[i]);
  return sum / PLACES;
}

static struct walk_cost cost_of(const struct cal_curve *d,
                                const struct chases *base,
                                const struct octave *octave) {
  double at[CURVES], bytes = octave->mean * BASE_BYTES;
  for (int i = 0; i < CURVES; i++) at[i] = mean_of(&d[i], octave);
  return (struct walk_cost){
      .saved_slow = at[SLOW],
      .saved_fast = fmin(at[SLOW], at[FAST]),
      .saved_least = fmin(at[SLOW], at[LEAST]),
      .saved_most = fmax(at[SLOW], at[MOST]),
      .walk = at[WALK],
      .walk_fast = at[WALK],
      .data_slow = fmax(0, at[ALL_SLOW] - at[WALK]),
      .data_fast = fmax(0, fmin(at[ALL_SLOW], at[ALL_FAST]) - at[WALK]),
      .rate_slow = base->steady ? 1e9 / curve_at(base->steady, bytes) : NAN,
      .rate_fast = base->reads ? 1e9 / curve_at(base->reads, bytes) : NAN};
}

/* Halfway between the first level's pages and the second's, where a page chase
 * has few hits of the first one, and all of the second. */
static double hit_saved(const struct calibration *cal,
                        const struct chases *base,
                        const struct chases *larger) {
  const struct cal_pages *pages = calibration_pages(cal, "4k");
  if (!pages || pages->tlbs < 2) return NAN;
  double at = sqrt(pages->tlb[0].entries.value * pages->tlb[1].entries.value);
  return fmax(0, curve_at(base->pages, at) - curve_at(larger->pages, at));
}

/* How far a program is from a chase to reads that wait for nothing: 0 to 1. */
static double pace(const struct walk_cost *cost, double rate) {
  if (!(cost->rate_fast > cost->rate_slow) || !(rate > cost->rate_slow))
    return 0;
  return fmin(
      1, log(rate / cost->rate_slow) / log(cost->rate_fast / cost->rate_slow));
}

static double between(double slow, double fast, double pace) {
  return slow > 0 && fast > 0 ? slow * pow(fast / slow, pace)
                              : slow * (1 - pace) + fast * pace;
}

struct walk_price walk_price(const struct walk_cost *cost, double rate,
                             int doubt) {
  /* How much of a cache a pace gets is not known well. */
  const double pace_doubt = 0.2;
  double at = fmin(fmax(0, pace(cost, rate) - doubt * pace_doubt), 1);
  double slow = doubt < 0   ? cost->saved_least
                : doubt > 0 ? cost->saved_most
                            : cost->saved_slow;
  return (struct walk_price){
      .saved_ns = between(slow, fmin(slow, cost->saved_fast), at),
      .walk_ns = between(cost->walk, cost->walk_fast, at),
      .data_ns = between(cost->data_slow, cost->data_fast, at)};
}

const char *walk_costs_make(struct walk_costs *costs,
                            const struct calibration *cal, const char *base,
                            const char *kind, double pages, double traffic) {
  struct chases small = chases_of(cal, base), large = chases_of(cal, kind);
  double walkers = walk_costs_walkers(cal);
  if (!is_there(small.pages)) return "no chases on base pages";
  if (!is_there(large.pages) || !is_there(large.lines))
    return "no chases on larger pages";
  size_t room = small.pages->count + (small.steady ? small.steady->count : 0);
  struct cal_curve d[CURVES];
  for (int i = 0; i < CURVES; i++) start(&d[i], room);
  derive_costs(d, &small, &large);
  for (int i = 0; i < WALK_OCTAVES; i++) {
    struct octave octave = octave_at(i, pages, traffic);
    costs->at[i] = cost_of(d, &small, &octave);
    bound_fast(&costs->at[i], &small, &large, walkers,
               octave.mean * BASE_BYTES);
  }
  for (int i = 0; i < CURVES; i++) free(d[i].points);
  costs->hit = hit_saved(cal, &small, &large);
  return NULL;
}

/* Medians of each figure, and the least and the most of saved_slow. */
void walk_costs_join(struct walk_costs *costs, const struct walk_costs *each,
                     size_t count) {
  enum { FIGURES = sizeof(struct walk_cost) / sizeof(double) };
  double hits[WALK_COSTS_MOST];
  size_t known = 0;
  for (size_t i = 0; i < count; i++)
    if (!isnan(each[i].hit)) hits[known++] = each[i].hit;
  costs->hit = ratio_median(hits, known);
  for (int o = 0; o < WALK_OCTAVES; o++) {
    struct walk_cost *cost = &costs->at[o];
    double least = NAN, most = NAN, figures[FIGURES][WALK_COSTS_MOST];
    for (size_t i = 0; i < count; i++) {
      const double *figure = (const double *)&each[i].at[o];
      for (int f = 0; f < FIGURES; f++) figures[f][i] = figure[f];
      least = fmin(least, each[i].at[o].saved_least);
      most = fmax(most, each[i].at[o].saved_most);
    }
    for (int f = 0; f < FIGURES; f++)
      ((double *)cost)[f] = ratio_median(figures[f], count);
    cost->saved_least = least;
    cost->saved_most = most;
  }
}
