/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks: what a miss of the last TLB costs, from how many pages on, and how
 * that grows as table lines leave the near caches.
 *
 * One fit for all of it, since a window in which only one of them shows would
 * have to be guessed.  Of n random pages, of whose translations W are kept,
 *   t(n) = data + first TLB's miss + w (tau + sum of shares * table line)
 * with w = 1 - W / n, data as of a chase over the lines of data and tables
 * together, and shares of table lines by table_traffic.h. */
#include <math.h>

#include "experiments/calibrate/chase_curve.h"
#include "experiments/calibrate/derive.h"
#include "experiments/calibrate/nonneg.h"
#include "experiments/calibrate/table_traffic.h"
#include "experiments/calibrate/translation.h"

enum { LINE = 64, ENTRIES = 8 }; /* of a table in a line */

/* A cost is found only if this share of table lines pays it at some point. */
static const double least_share = 0.25;

/* Two levels of TLB must leave so much less of the error of one: as of bends
 * (derive_tlbs.c). */
static const double better = 0.82;

/* So many base pages a processor may join in one entry of its TLB. */
static const double joined_most = 16;

/* W is looked for on a grid that narrows down. */
enum { GRID = 10, ROUNDS = 4 };

/* One kind's chases, and what is tried on them. */
struct walks {
  const struct calibration *cal;
  const struct cal_pages *pages;
  double base_bytes, tables; /* tables with a line for each ENTRIES pages */
  double first;              /* entries of the first TLB; 0: there is none */
  double kept;               /* W */
  /* The best so far: NAN costs were not to be seen. */
  double error, first_ns, tau_ns, last_ns, memory_ns;
};

enum unknown { FIRST, TAU, FROM_LAST, FROM_MEMORY, UNKNOWNS };

static const struct cal_value none = {NAN, NAN, NAN};

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

/* Spots of a chase that so many entries map. */
static double mapped(const struct walks *w, const struct cal_curve *chase,
                     double entries) {
  return entries * fmax(1, w->pages->granularity_bytes / chase->step_bytes);
}

/* Shares of table lines that come from the last cache, and from memory. */
static void shares(const struct walks *w, const struct table_traffic *traffic,
                   double *last, double *memory) {
  const struct cal_level *levels = w->cal->levels;
  size_t count = w->cal->level_count;
  *last = table_traffic_missed(traffic,
                               levels[count - 3].bytes_usable.value / LINE);
  *memory = table_traffic_missed(traffic,
                                 levels[count - 2].bytes_usable.value / LINE);
  *last -= *memory;
}

static void add_point(const struct walks *w, const struct cal_curve *chase,
                      const struct cal_point *p, double most[UNKNOWNS],
                      struct nonneg *fit) {
  double pages_per_step = chase->step_bytes / w->base_bytes;
  struct table_traffic traffic = {
      .data_lines = p->x,
      .table_lines = fmin(p->x * pages_per_step / ENTRIES, p->x),
      .tables = w->tables,
      .walks = fmax(0, 1 - mapped(w, chase, w->kept) / p->x)};
  double row[NONNEG_UNKNOWNS] = {0}, lines = p->x, last, memory;
  if (w->first > 0) row[FIRST] = fmax(0, 1 - mapped(w, chase, w->first) / p->x);
  row[TAU] = traffic.walks;
  if (traffic.walks > 0 && w->tables > 0) {
    lines += w->tables * traffic.table_lines;
    shares(w, &traffic, &last, &memory);
    most[FROM_LAST] = fmax(most[FROM_LAST], last);
    most[FROM_MEMORY] = fmax(most[FROM_MEMORY], memory);
    row[FROM_LAST] = traffic.walks * w->tables * last;
    row[FROM_MEMORY] = traffic.walks * w->tables * memory;
  }
  double scale = 0.02 * p->ns + curve_spread(chase, p->x) / 4;
  nonneg_add(fit, row, p->ns - data_ns(w->cal, w->pages->kind, lines * LINE),
             scale);
}

/* Try W; keep it if it is the best. */
static void try_kept(struct walks *w, double kept) {
  struct nonneg fit = {.unknowns = UNKNOWNS};
  double most[UNKNOWNS] = {0};
  struct walks trial = *w;
  trial.kept = kept;
  static const char *const names[] = {"page_chase", "table_chase"};
  for (size_t c = 0; c < 2; c++) {
    const struct cal_curve *chase =
        calibration_curve(w->cal, names[c], w->pages->kind, 1);
    for (size_t i = 0; chase && i < chase->count; i++)
      add_point(&trial, chase, &chase->points[i], most, &fit);
  }
  trial.error = nonneg_solve(&fit);
  if (!(trial.error < w->error)) return;
  trial.first_ns = fit.x[FIRST];
  trial.tau_ns = fit.x[TAU];
  trial.last_ns = most[FROM_LAST] < least_share ? NAN : fit.x[FROM_LAST];
  trial.memory_ns = most[FROM_MEMORY] < least_share ? NAN : fit.x[FROM_MEMORY];
  *w = trial;
}

static void find_kept(struct walks *w, double least, double most) {
  for (int round = 0; round < ROUNDS && least < most; round++) {
    double factor = pow(most / least, 1.0 / (GRID - 1)), from = least;
    for (int g = 0; g < GRID; g++) try_kept(w, from * pow(factor, g));
    least = fmax(least, w->kept / factor);
    most = fmin(most, w->kept * factor);
  }
}

static void store(const struct walks *w, struct cal_pages *pages) {
  const struct calibration *cal = w->cal;
  size_t levels = cal->level_count;
  pages->tlbs = w->first > 0 ? 2 : 1;
  pages->tlb[0].entries.value = w->first;
  pages->tlb[0].extra_ns.value = w->first_ns;
  pages->tlb[pages->tlbs - 1].entries.value = w->kept;
  pages->tlb[pages->tlbs - 1].extra_ns.value = w->tau_ns;
  pages->tau_ns.value = w->tau_ns;
  pages->tc_nodes.value = w->kept;
  if (!(w->tables > 0)) return;
  /* Nearer ones are what tau was found with. */
  for (size_t l = 0; l + 2 < levels; l++)
    pages->table_line_ns[l] = (struct cal_value){0, 0, 0};
  pages->table_line_ns[levels - 2].value = w->last_ns;
  pages->table_line_ns[levels - 1].value = fmax(w->memory_ns, w->last_ns);
  if (isnan(w->memory_ns)) pages->table_line_ns[levels - 1].value = NAN;
}

/* Entries of huge pages: their few table lines are never far, and bends by
 * steps of huge pages tell all (derive_tlbs.c). */
static bool far_entries(const struct calibration *cal,
                        const struct cal_pages *pages) {
  const struct cal_curve *huge =
      calibration_curve(cal, "huge_step_chase", pages->kind, 1);
  return huge && pages->granularity_bytes >= huge->step_bytes;
}

static void derive_kind(const struct calibration *cal,
                        struct cal_pages *pages) {
  const struct cal_curve *chase =
      calibration_curve(cal, "page_chase", pages->kind, 1);
  if (!chase || cal->level_count < 3 || !pages->tlbs) return;
  if (far_entries(cal, pages)) return;
  double base_bytes = chase->step_bytes, first = pages->tlb[0].entries.value;
  struct walks one = {.cal = cal, .pages = pages, .base_bytes = base_bytes};
  double most = chase->points[chase->count - 1].x;
  double end = most / mapped(&one, chase, 4); /* some points lie beyond */
  one.tables = count_tables(cal, pages, base_bytes);
  struct walks two = one;
  two.first = first;
  one.error = two.error = INFINITY;
  find_kept(&two, 2 * first, end);
  if (pages->tlbs < 2) find_kept(&one, first / 1.5, first * 1.5);
  const struct walks *found = two.error < better * one.error ? &two : &one;
  if (found->tau_ns > 0)
    store(found, pages);
  else
    pages->tau_ns = pages->tc_nodes = none; /* noise, and nothing else */
}

void derive_walks(struct calibration *cal) {
  for (size_t i = 0; i < cal->page_count; i++) {
    for (size_t l = 0; l < CALIBRATION_LEVELS; l++)
      cal->pages[i].table_line_ns[l] = none;
    derive_kind(cal, &cal->pages[i]);
  }
}
