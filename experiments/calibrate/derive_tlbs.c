/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLBs: where the page chases bend, and by how much.  What walks cost beyond
 * the last bend of small entries is then told by all that follows
 * (derive_walks.c).
 */
#include <math.h>

#include "experiments/calibrate/derivation.h"

/* Page tables and lines must stay near, or the far caches would bend the curve,
 * too: up to what the second level of cache holds of both, at 64 bytes of line
 * and 8 each of the tables of guest and host and some room; but this many pages
 * in any case, which is thrice the entries that TLBs have. */
enum { BYTES_A_PAGE = 96, PAGES_AT_LEAST = 12288 };

/* A bend counts if it costs this share of the nearest cache's time at least. */
static const double least_step = 0.15;

/* So many times the last bend are what it is found by, fewer where table lines
 * would leave, but not what lies within a factor of it; twice, as the first
 * look was at all. */
static const double behind = 3, least_behind = 2.5, corner = 1.25;
enum { AGAIN = 2 };

/* Entries that join neighbours reach so much further than others. */
static const double widest = 4;

struct bends {
  size_t count;
  double at[2], ns[2];
};

static double window(const struct calibration *cal) {
  double l2 = cal->level_count > 2 ? cal->levels[1].bytes_usable.value : 0;
  return fmax(l2 / BYTES_A_PAGE, PAGES_AT_LEAST);
}

/* Translation beyond a chase's own lines, up to `end` steps, without the corner
 * at `bend` (0: none): where sets fill up one after the other it is round. */
static void collect(const struct calibration *cal,
                    const struct cal_curve *chase, double end, double bend,
                    struct step_points *points) {
  const struct cal_curve *lines =
      calibration_curve(cal, "line_chase", chase->pages, 1);
  points->count = 0;
  for (size_t i = 0; lines && i < chase->count && chase->points[i].x <= end;
       i++) {
    const struct cal_point *p = &chase->points[i];
    if (points->count == STEP_FIT_POINTS) break;
    if (p->x * corner > bend && p->x < bend * corner) continue;
    double ns = p->ns - data_ns(cal, chase->pages, p->x * lines->step_bytes);
    points->at[points->count++] = (struct step_point){p->x, ns, p->ns};
  }
}

/* None, one or two. */
static struct bends find_bends(const struct calibration *cal,
                               const struct cal_curve *chase, double end,
                               double bend) {
  struct bends bends = {0};
  struct step_points points;
  struct step_fit fit;
  if (!chase) return bends;
  collect(cal, chase, end, bend, &points);
  if (points.count < 6) return bends;
  step_fit_choose(&points, 2, &fit);
  for (size_t i = 0; i < fit.steps; i++) {
    if (fit.step[i] < least_step * cal->levels[0].ns.value) continue;
    bends.at[bends.count] = fit.knee[i];
    bends.ns[bends.count++] = fit.step[i];
  }
  return bends;
}

/* The last bend is where it is whatever comes far behind it; and where there is
 * but one in so many steps, the other may lie beyond. */
static struct bends find_both(const struct calibration *cal,
                              const struct cal_curve *chase) {
  struct bends bends = {0}, again = {0};
  for (double wide = 1; bends.count < 2 && wide <= widest; wide *= 2)
    bends = find_bends(cal, chase, wide * window(cal), 0);
  for (int i = 0; i < AGAIN && bends.count == 2; i++) {
    double end = fmax(least_behind * bends.at[1],
                      fmin(behind * bends.at[1], window(cal)));
    again = find_bends(cal, chase, end, bends.at[1]);
    if (again.count < 2) break;
    bends = again;
  }
  return bends;
}

static double nearest_power(double ratio) {
  return exp2(round(log2(fmax(1, ratio))));
}

/*
 * What an entry maps.  With steps of huge pages the first bend is at as many
 * steps as there are entries; with steps of base pages at as many as these
 * entries map: of huge pages, of base pages, or of some base pages that lie
 * side by side, where processors (AMD's since Zen) join them.
 */
static double granularity(const struct cal_pages *pages, double base_bytes,
                          double huge_bytes, const struct bends *base,
                          const struct bends *steps, const struct bends *huge) {
  if (steps->count && huge->count)
    return base_bytes * nearest_power(steps->at[0] / huge->at[0]);
  if (pages->page_bytes <= base_bytes) return base_bytes;
  if (steps->count && base->count)
    return base_bytes * nearest_power(steps->at[0] / base->at[0]);
  if (huge->count) return huge_bytes;
  /* Base pages bend, and these never do. */
  return base->count ? pages->page_bytes : NAN;
}

/* So many base pages a processor may join in one entry of its TLB. */
static const double joined_most = 16;

/* What an entry maps, if it maps neither a page of this kind nor a base page
 * alone: chases on runs of frames show better whether it joins base pages.  The
 * far steps of other chases may also meet in few sets of the TLB. */
static double check_joined(const struct calibration *cal,
                           const struct cal_pages *pages, double bytes,
                           double base_bytes) {
  const struct cal_coalescing *found = &cal->coalescing;
  if (*found->absent || !found->tlbs || isnan(found->tlb[0].joined))
    return bytes;
  bool is_own = bytes == pages->page_bytes && bytes > base_bytes;
  return is_own || !(bytes <= joined_most * base_bytes)
             ? bytes
             : base_bytes * found->tlb[0].joined;
}

/* Which level of TLB a single bend is of: where base pages have two, the one
 * that costs about as much. */
static bool is_walk(const struct bends *base, double ns) {
  return base->count < 2 ||
         fabs(log(ns / base->ns[1])) < fabs(log(ns / base->ns[0]));
}

/* `entries`: how many there are of each step of the chase that bends. */
static void take_bends(struct cal_pages *pages, const struct bends *bends,
                       double entries, const struct bends *base) {
  pages->tau_ns = pages->tc_nodes = derived(NAN);
  pages->tlbs = bends->count;
  for (size_t i = 0; i < bends->count; i++) {
    pages->tlb[i].entries = derived(bends->at[i] * entries);
    pages->tlb[i].extra_ns = derived(bends->ns[i]);
  }
  if (!bends->count) return;
  size_t last = bends->count - 1;
  if (!last && !is_walk(base, bends->ns[0])) return;
  pages->tau_ns.value = bends->ns[last];
  pages->tc_nodes.value = bends->at[last] * entries;
}

void derive_tlbs(struct calibration *cal) {
  struct bends base = {0};
  for (size_t i = 0; i < cal->page_count; i++) {
    struct cal_pages *pages = &cal->pages[i];
    const struct cal_curve *by_base =
        calibration_curve(cal, "page_chase", pages->kind, 1);
    const struct cal_curve *by_huge =
        calibration_curve(cal, "huge_step_chase", pages->kind, 1);
    struct bends steps = find_both(cal, by_base);
    struct bends huge = find_bends(cal, by_huge, INFINITY, 0);
    double base_bytes = by_base ? by_base->step_bytes : NAN;
    double huge_bytes = by_huge ? by_huge->step_bytes : NAN;
    if (pages->page_bytes <= base_bytes) base = steps;
    pages->granularity_bytes =
        granularity(pages, base_bytes, huge_bytes, &base, &steps, &huge);
    pages->granularity_bytes =
        check_joined(cal, pages, pages->granularity_bytes, base_bytes);
    if (pages->granularity_bytes >= huge_bytes)
      take_bends(pages, &huge, 1, &base);
    else
      take_bends(pages, &steps, base_bytes / pages->granularity_bytes, &base);
  }
}
