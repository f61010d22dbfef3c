/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks: how what a miss of the last TLB costs grows as table lines leave the
 * near caches.
 *
 * Of n random pages, of whose translations W are kept,
 *   t(n) = data + first TLB's miss + w (tau + tables * sum of shares * line)
 * with w = 1 - W / n, data as of a chase over the lines of data and tables
 * together, and shares of table lines by table_traffic_missed().  W and the
 * first TLB are known (derive_tlbs.c), and data from line chases.  What is left
 * is divided among tau and the lines: one unknown at a time, by points in which
 * it is most of what is unknown, by least absolute errors; so nothing can be
 * traded for anything else, and neither disturbed points nor those so far out
 * that higher tables leave the caches move it by much.  Whether caches replace
 * by age or at random is what leaves less of all kinds of pages. */
#include <gsl/gsl_sort.h>
#include <math.h>

#include "experiments/calibrate/derivation.h"

/* Share that is missed of lines of which each is accessed `often` times in the
 * time that the cache looks back. */
static double not_kept(const struct table_traffic *traffic, double often) {
  return traffic->replacement == REPLACE_LRU ? exp(-often) : 1 / (1 + often);
}

/* Lines kept that were accessed within t accesses. */
static double kept(const struct table_traffic *traffic, double t) {
  double data = traffic->data_lines, table = traffic->table_lines;
  return data * (1 - not_kept(traffic, t / data)) +
         traffic->tables * table *
             (1 - not_kept(traffic, traffic->walks * t / table));
}

double table_traffic_missed(const struct table_traffic *traffic, double lines) {
  double all = traffic->data_lines + traffic->tables * traffic->table_lines;
  if (all <= lines) return 0;
  double low = 0, high = lines;
  while (kept(traffic, high) < lines && high < 1e18) high *= 2;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    if (kept(traffic, middle) < lines)
      low = middle;
    else
      high = middle;
  }
  return not_kept(traffic, traffic->walks * low / traffic->table_lines);
}

enum { LINE = 64, ENTRIES = 8 }; /* of a table in a line */
enum { POINTS = 256, TAU_POINTS = 3 };

/* A cost is found only if this share of table lines pays it at some point; it
 * is told by points where so much of the largest share does. */
static const double least_share = 0.05, near_most = 0.1;

/* Tau is told by points where so many accesses walk. */
static const double some_walks = 0.3;

/* What a table line from a level costs is bounded by what data do that come
 * from there: of their time beyond the near levels a little at least, as walks
 * and data overlap, and not much more, as walkers fetch as others do. */
static const double least_cost = 0.1, most_cost = 1.1;

/* So many base pages a processor may join in one entry of its TLB. */
static const double joined_most = 16;

/* One kind's chases, and what its points tell. */
struct walks {
  const struct calibration *cal;
  const struct cal_pages *pages;
  double base_bytes, tables; /* tables with a line for each ENTRIES pages */
  enum table_replacement replacement;
  double tau_ns;
  double last_ns, memory_ns; /* found; NAN: not to be seen */
  double error;              /* mean absolute, in scales */
  size_t count;
  /* Of each point, ns that are left, their error's scale, and how many table
   * lines an access brings from the last cache and from memory. */
  double left[POINTS], scale[POINTS], last[POINTS], memory[POINTS];
  double walks[POINTS];          /* and what share of accesses walk */
  double most_last, most_memory; /* largest shares of table lines */
};

/* Tables whose lines are as many as base pages ask for: the guest's, and the
 * host's if it maps by base pages.  Of huge pages a line maps as much as is
 * never far. */
static double count_tables(const struct calibration *cal,
                           const struct cal_pages *pages, double base_bytes) {
  bool nested = false;
  for (size_t i = 0; i < cal->page_count; i++)
    nested |= cal->pages[i].page_bytes > base_bytes &&
              cal->pages[i].granularity_bytes <= joined_most * base_bytes;
  /* Joined base pages still have an entry each. */
  return (pages->page_bytes <= base_bytes) + nested;
}

/* Share of accesses to `spots` that `entries` do not map. */
static double missed(const struct walks *w, const struct cal_curve *chase,
                     double entries, double spots) {
  double each = fmax(1, w->pages->granularity_bytes / chase->step_bytes);
  return fmax(0, 1 - entries * each / spots);
}

/* Misses of all TLBs but the last, which are no walks. */
static double hits_ns(const struct walks *w, const struct cal_curve *chase,
                      double spots) {
  double ns = 0;
  for (size_t i = 0; i + 1 < w->pages->tlbs; i++)
    ns += missed(w, chase, w->pages->tlb[i].entries.value, spots) *
          w->pages->tlb[i].extra_ns.value;
  return ns;
}

static void add_point(struct walks *w, const struct cal_curve *chase,
                      const struct cal_point *p) {
  const struct cal_level *memory = &w->cal->levels[w->cal->level_count - 1];
  double pages_per_step = chase->step_bytes / w->base_bytes;
  struct table_traffic traffic = {
      .replacement = w->replacement,
      .data_lines = p->x,
      .table_lines = fmin(p->x * pages_per_step / ENTRIES, p->x),
      .tables = w->tables,
      .walks = missed(w, chase, w->pages->tc_nodes.value, p->x)};
  if (!(traffic.walks > 0) || w->count == POINTS) return;
  double far =
      table_traffic_missed(&traffic, memory[-1].bytes_usable.value / LINE);
  double off =
      table_traffic_missed(&traffic, memory[-2].bytes_usable.value / LINE);
  double lines = p->x + w->tables * traffic.table_lines;
  w->left[w->count] = p->ns - data_ns(w->cal, w->pages->kind, lines * LINE) -
                      hits_ns(w, chase, p->x);
  w->walks[w->count] = traffic.walks;
  w->scale[w->count] = p->ns;
  w->last[w->count] = traffic.walks * w->tables * (off - far);
  w->memory[w->count] = traffic.walks * w->tables * far;
  w->most_last = fmax(w->most_last, off - far);
  w->most_memory = fmax(w->most_memory, far);
  w->count++;
}

static void add_points(struct walks *w) {
  static const char *const names[] = {"page_chase", "table_chase"};
  for (size_t c = 0; c < 2; c++) {
    const struct cal_curve *chase =
        calibration_curve(w->cal, names[c], w->pages->kind, 1);
    for (size_t i = 0; chase && i < chase->count; i++)
      add_point(w, chase, &chase->points[i]);
  }
}

/* x for which the sum of |y - f x| / scale is least: the median of y / f, each
 * weighted by f / scale. */
static double least_absolute(const double *ratios, const double *weights,
                             size_t count) {
  size_t order[POINTS];
  double all = 0, sum = 0;
  gsl_sort_index(order, ratios, 1, count);
  for (size_t i = 0; i < count; i++) all += weights[i];
  for (size_t i = 0; i < count; i++) {
    sum += weights[order[i]];
    if (sum >= all / 2) return ratios[order[i]];
  }
  return NAN;
}

/* Bounds by what data from `level` take. */
static double bounded(const struct walks *w, const struct cal_level *level,
                      double ns) {
  double near = w->cal->levels[w->cal->level_count - 3].ns.value;
  double least = least_cost * fmax(0, level->ns.value - near);
  return fmin(fmax(ns, least), most_cost * level->ns.value);
}

/* What remains of a point that others have taken their part of. */
static double left(const struct walks *w, size_t i, double last_ns) {
  return w->left[i] - w->tau_ns * w->walks[i] - last_ns * w->last[i];
}

/* Where walks are some, and what they need is near; as found with W, where too
 * few points are so. */
static double find_tau(const struct walks *w) {
  double ratios[POINTS], weights[POINTS];
  size_t count = 0;
  for (size_t i = 0; i < w->count; i++) {
    if (w->walks[i] < some_walks) continue;
    if (w->last[i] + w->memory[i] > near_most * w->tables * w->walks[i])
      continue;
    ratios[count] = w->left[i] / w->walks[i];
    weights[count++] = w->walks[i] / w->scale[i];
  }
  return count < TAU_POINTS ? w->pages->tau_ns.value
                            : least_absolute(ratios, weights, count);
}

/* From memory, or from the last cache: where lines from memory are few beside
 * those from there. */
static double from_level(const struct walks *w, bool memory, double last_ns) {
  double ratios[POINTS], weights[POINTS];
  size_t count = 0;
  const double *share = memory ? w->memory : w->last;
  const struct cal_level *level =
      &w->cal->levels[w->cal->level_count - (memory ? 1 : 2)];
  if ((memory ? w->most_memory : w->most_last) < least_share) return NAN;
  for (size_t i = 0; i < w->count; i++) {
    bool is_far = w->memory[i] > near_most * w->last[i];
    if (is_far != memory || !(share[i] > 0)) continue;
    ratios[count] = left(w, i, last_ns) / share[i];
    weights[count++] = share[i] / w->scale[i];
  }
  return count ? bounded(w, level, least_absolute(ratios, weights, count))
               : NAN;
}

static void divide(struct walks *w) {
  add_points(w);
  w->tau_ns = find_tau(w);
  w->last_ns = from_level(w, false, 0);
  w->memory_ns = from_level(w, true, isfinite(w->last_ns) ? w->last_ns : 0);
  if (w->memory_ns < w->last_ns) w->memory_ns = w->last_ns;
  for (size_t i = 0; i < w->count; i++) {
    double off = left(w, i, isfinite(w->last_ns) ? w->last_ns : 0);
    if (isfinite(w->memory_ns)) off -= w->memory_ns * w->memory[i];
    w->error += fabs(off) / w->scale[i] / (double)w->count;
  }
}

/* What is found of one kind if caches replace so; no tau: nothing. */
static struct walks of_kind(const struct calibration *cal,
                            const struct cal_pages *pages,
                            enum table_replacement replacement) {
  const struct cal_curve *chase =
      calibration_curve(cal, "page_chase", pages->kind, 1);
  const struct cal_curve *huge =
      calibration_curve(cal, "huge_step_chase", pages->kind, 1);
  struct walks w = {.cal = cal, .pages = pages, .replacement = replacement};
  if (!chase || cal->level_count < 3) return w;
  /* Entries of huge pages: their few table lines are never far, and bends by
   * steps of huge pages tell all (derive_tlbs.c). */
  if (huge && pages->granularity_bytes >= huge->step_bytes) return w;
  if (!(pages->tau_ns.value > 0)) return w;
  w.base_bytes = chase->step_bytes;
  w.tables = count_tables(cal, pages, chase->step_bytes);
  divide(&w);
  return w;
}

static void store(const struct walks *w, struct cal_pages *pages) {
  size_t levels = w->cal->level_count;
  for (size_t l = 0; l < CALIBRATION_LEVELS; l++)
    pages->table_line_ns[l] = derived(NAN);
  if (!(w->tau_ns > 0)) return;
  pages->tau_ns.value = w->tau_ns;
  pages->tlb[pages->tlbs - 1].extra_ns.value = w->tau_ns;
  if (!(w->tables > 0)) return;
  /* Nearer ones are what tau was found with. */
  for (size_t l = 0; l + 2 < levels; l++)
    pages->table_line_ns[l] = (struct cal_value){0, 0, 0};
  pages->table_line_ns[levels - 2].value = w->last_ns;
  pages->table_line_ns[levels - 1].value = w->memory_ns;
}

void derive_walks(struct calibration *cal) {
  double errors[REPLACEMENTS] = {0};
  int best = 0;
  for (int r = 0; r < REPLACEMENTS; r++) {
    for (size_t i = 0; i < cal->page_count; i++)
      errors[r] +=
          of_kind(cal, &cal->pages[i], (enum table_replacement)r).error;
    if (errors[r] < errors[best]) best = r;
  }
  for (size_t i = 0; i < cal->page_count; i++) {
    struct walks found =
        of_kind(cal, &cal->pages[i], (enum table_replacement)best);
    store(&found, &cal->pages[i]);
  }
}
