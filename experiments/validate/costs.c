/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was never accessed before in a run was by the one before, or by what
 * restored the input: its distance is taken for the whole workspace. */
#include <math.h>

#include "experiments/validate/profile_costs.h"

enum { ADDRESS_BITS = 48, TABLE_BITS = 9, LEAST_PAGE = 4096 };

static double lines_in(const struct reuse_profile *profile) {
  return (double)profile->workspace_bytes / COSTS_LINE;
}

static unsigned bits_of(double bytes) { return (unsigned)lround(log2(bytes)); }

/* Beyond what c holds: all accesses go through the first level. */
static double line_ns(const struct calibration *cal, size_t level) {
  return fmax(0, cal->levels[level].ns.value - cal->levels[0].ns.value);
}

/* Add uses to the first level that still has the line: each level full, then
 * the next; and over sets, at random. */
static void add_counts(const struct calibration *cal,
                       const struct reuse_histogram *histogram, double all,
                       double stepped[CALIBRATION_LEVELS],
                       double spread[CALIBRATION_LEVELS]) {
  double shares[CALIBRATION_LEVELS];
  struct costs_uses uses;
  costs_uses_of(&uses, histogram, all, 0);
  for (size_t i = 0; i < uses.count; i++) {
    double bytes = uses.distances[i] * COSTS_LINE;
    stepped[costs_level_at(cal, bytes)] += uses.counts[i];
    costs_level_shares(cal, bytes, shares);
    for (size_t l = 0; l < cal->level_count; l++)
      spread[l] += uses.counts[i] * shares[l];
  }
}

static void lines_of(struct costs_waits *waits, const struct calibration *cal,
                     const struct reuse_profile *profile) {
  for (int class = 0; class < REUSE_CLASSES; class ++) {
    double stepped[CALIBRATION_LEVELS] = {0}, spread[CALIBRATION_LEVELS] = {0};
    add_counts(cal, &profile->lines[class], lines_in(profile), stepped, spread);
    for (size_t l = 0; l < cal->level_count; l++) {
      waits->stepped[class] += stepped[l] * line_ns(cal, l);
      waits->spread[class] += spread[l] * line_ns(cal, l);
    }
  }
}

/* By what a stream over so much memory was measured to take. */
static double streams_of(const struct cal_curve *curve,
                         const struct reuse_profile *profile) {
  struct costs_uses uses;
  double ns = 0;
  costs_uses_of(&uses, &profile->lines[REUSE_STREAM], lines_in(profile), 0);
  for (size_t i = 0; i < uses.count; i++)
    ns += uses.counts[i] * curve_at(curve, COSTS_LINE * uses.distances[i]);
  return ns;
}

/* By what reads took that were drawn at random and waited for nothing, at that
 * distance and on such pages: what memory, and walks to so many pages, give at
 * best.  The share `known` lies in pages in use, and takes no walks. */
static double read_at_best(const struct calibration *cal,
                           const struct cal_curve *curve, double known,
                           double bytes) {
  double shares[CALIBRATION_LEVELS], ns = curve_distance(curve, bytes);
  double line = 0;
  if (!(known > 0)) return ns;
  costs_level_shares(cal, bytes, shares);
  for (size_t i = 0; i < cal->level_count; i++)
    line += shares[i] * cal->levels[i].read_ns.value;
  return isfinite(line) ? ns + known * fmin(0, line - ns) : ns;
}

/* The share of lines from behind the nearest cache that lie in pages in use, if
 * `strange` do not. */
static double known_of(const struct calibration *cal,
                       const struct reuse_histogram *lines, double strange) {
  struct costs_uses uses;
  double behind = lines->cold;
  costs_uses_of(&uses, lines, 0, 0);
  for (size_t i = 0; i < uses.count; i++)
    if (costs_level_at(cal, COSTS_LINE * uses.distances[i]))
      behind += uses.counts[i];
  return behind > 0 ? fmax(0, 1 - strange / behind) : 0;
}

static double best_of(const struct calibration *cal,
                      const struct cal_pages *pages,
                      const struct reuse_profile *profile) {
  const struct cal_curve *curve =
      calibration_curve(cal, "random_read", pages->kind, 1);
  const struct reuse_histogram *lines = &profile->lines[REUSE_OTHER];
  double known = known_of(cal, lines, costs_strange(pages, profile)), ns = 0;
  struct costs_uses uses;
  costs_uses_of(&uses, lines, lines_in(profile), 0);
  for (size_t i = 0; i < uses.count; i++)
    ns += uses.counts[i] *
          read_at_best(cal, curve, known, COSTS_LINE * uses.distances[i]);
  return ns;
}

static void add_page_bits(struct reuse_params *params, double bytes) {
  for (unsigned i = 0; i < params->page_bits_count; i++)
    if (params->page_bits[i] == bits_of(bytes)) return;
  if (params->page_bits_count < REUSE_PAGES_MAX)
    params->page_bits[params->page_bits_count++] = bits_of(bytes);
}

/* W to the nearest 2^k or 3 * 2^(k - 1), as TLBs have so many entries: it is
 * not known to better than a tenth, and profiles that are kept on disk serve
 * the next calibration, too. */
static uint64_t round_nodes(double nodes) {
  int exponent;
  double mantissa = frexp(nodes, &exponent); /* 0.5 <= mantissa < 1 */
  double near = mantissa < sqrt(0.5 * 0.75) ? 0.5
                : mantissa < sqrt(0.75)     ? 0.75
                                            : 1;
  return (uint64_t)ldexp(near, exponent);
}

static struct reuse_tc tc_of(const struct cal_pages *pages) {
  unsigned bits = ADDRESS_BITS - bits_of(pages->page_bytes);
  unsigned levels = (bits + TABLE_BITS - 1) / TABLE_BITS;
  uint64_t nodes = round_nodes(pages->tc_nodes.value);
  return (struct reuse_tc){.page_bits = bits_of(pages->page_bytes),
                           .levels = levels,
                           .nodes = nodes > levels ? nodes : levels + 1};
}

void costs_params(const struct calibration *cal, struct reuse_params *params) {
  *params = (struct reuse_params){0};
  for (size_t i = 0; i < cal->page_count; i++) {
    const struct cal_pages *pages = &cal->pages[i];
    if (costs_missing(cal, pages->kind)) continue;
    add_page_bits(params, pages->page_bytes);
    add_page_bits(params, pages->granularity_bytes);
    params->tcs[params->tc_count++] = tc_of(pages);
  }
}

const char *costs_missing(const struct calibration *cal, const char *kind) {
  const struct cal_pages *pages = calibration_page_for(cal, kind);
  if (!pages) return "the calibration does not have this page kind";
  if (!isfinite(pages->tc_nodes.value) || !isfinite(pages->tau_ns.value))
    return "the calibration has no tau or no W for this page kind";
  if (!(pages->granularity_bytes >= LEAST_PAGE))
    return "the calibration does not have the memory that a TLB entry maps";
  const struct cal_curve *streams =
      calibration_curve(cal, "stream_read", pages->kind, 1);
  if (!streams || !streams->count)
    return "the calibration has no stream of reads on this page kind";
  return NULL;
}

static double vat_of(const struct calibration *cal,
                     const struct cal_pages *pages,
                     const struct reuse_profile *profile) {
  size_t tc = 0;
  for (const struct cal_pages *p = cal->pages; p != pages; p++)
    tc += !costs_missing(cal, p->kind);
  return (double)profile->tc_misses[tc] * pages->tau_ns.value;
}

static void waits_of(struct costs_waits *waits, const struct calibration *cal,
                     const struct cal_pages *pages,
                     const struct reuse_profile *profile) {
  lines_of(waits, cal, profile);
  for (int tlb = 0; tlb < COSTS_TLBS; tlb++) {
    costs_translations(&waits->asked[tlb], cal, pages, pages->page_bytes, tlb,
                       profile);
    costs_translations(&waits->measured[tlb], cal, pages,
                       pages->granularity_bytes, tlb, profile);
  }
}

double costs_ops_between(const struct reuse_profile *profile, double bytes) {
  const struct reuse_histogram *lines = profile->lines;
  double most = bytes / COSTS_LINE, beyond = 0, ops = 0;
  for (int class = 0; class < REUSE_CLASSES; class ++) {
    beyond += lines[class].cold;
    for (unsigned i = 1; i < REUSE_BUCKETS; i++)
      beyond += lines[class].count[i];
  }
  for (unsigned i = 1; i + 1 < REUSE_BUCKETS; i++) {
    double from = (double)reuse_bucket_least(i);
    double to = fmin(most, (double)reuse_bucket_least(i + 1));
    double here = 0;
    if (!(to > from)) break;
    for (int class = 0; class < REUSE_CLASSES; class ++)
      here += lines[class].count[i];
    /* Those of this bucket are spread evenly over it. */
    if (beyond - here / 2 > 0)
      ops += (to - from) * profile->ram_ops / (beyond - here / 2);
    beyond -= here;
  }
  return ops;
}

/* By shares of the last cache.  Where all memory fits into less, so do they. */
static void shares_of(struct costs *costs, const struct calibration *cal,
                      const struct cal_pages *pages,
                      const struct reuse_profile *profile) {
  struct calibration less = *cal;
  double all = (double)profile->workspace_bytes, none = 0;
  double *usable = cal->level_count > 1
                       ? &less.levels[cal->level_count - 2].bytes_usable.value
                       : &none;
  costs->last_bytes = *usable;
  costs->neighbours =
      isfinite(cal->neighbours.value) ? cal->neighbours.value : 0;
  for (int k = 0; k < COSTS_SHARES; k++) {
    *usable = costs->last_bytes * exp2(-(double)k / COSTS_SHARES_AN_OCTAVE);
    costs->shares[k].bytes = fmin(*usable, all);
    costs->shares[k].ops = costs_ops_between(profile, costs->shares[k].bytes);
    waits_of(&costs->waits[k], &less, pages, profile);
  }
}

void costs_of(struct costs *costs, const struct calibration *cal,
              const char *kind, const struct reuse_profile *profile) {
  const struct cal_pages *pages = calibration_page_for(cal, kind);
  const struct reuse_histogram *const of[COSTS_TOLD] = {
      profile->lines, profile->kinds[VAT_LOAD], profile->kinds[VAT_STORE]};
  *costs = (struct costs){0};
  shares_of(costs, cal, pages, profile);
  costs->vat = vat_of(cal, pages, profile);
  for (int told = 0; told < COSTS_TOLD; told++)
    for (int class = 0; class < REUSE_CLASSES; class ++)
      add_counts(cal, &of[told][class], lines_in(profile),
                 costs->stepped_counts[class].at[told],
                 costs->spread_counts[class].at[told]);
  costs->streams = streams_of(
      calibration_curve(cal, "stream_read", pages->kind, 1), profile);
  costs->best = best_of(cal, pages, profile);
  costs->accesses = (double)profile->accesses;
  double *sum = (double *)costs, *end = (double *)costs->shares;
  for (; sum < end; sum++) *sum /= profile->ram_ops;
}

/*
 * A last cache that others use, too: a line stays if what came into it since
 * its last access, of ours and of theirs, is less than there is room for.  Ours
 * is the distance, theirs grows with time.  So a program that takes its time
 * from one line to the next has less of the cache than one that does not wait.
 */
static double needed(const struct costs *costs, int share, double ns) {
  return costs->shares[share].bytes +
         costs->neighbours * ns * costs->shares[share].ops;
}

double costs_share_left(const struct costs *costs, double ns) {
  double last = needed(costs, 0, ns);
  if (!(costs->neighbours > 0)) return 0;
  for (int k = 1; k < COSTS_SHARES && last > costs->last_bytes; k++) {
    double next = needed(costs, k, ns);
    if (next <= costs->last_bytes)
      return k - 1 + (last - costs->last_bytes) / (last - next);
    last = next;
  }
  return last > costs->last_bytes ? COSTS_SHARES - 1 : 0;
}

struct costs_waits costs_waits_at(const struct costs *costs, double share) {
  int below = (int)fmin(share, COSTS_SHARES - 2);
  struct costs_waits waits = costs->waits[below];
  const double *more = (const double *)&costs->waits[below + 1];
  double *sum = (double *)&waits;
  for (size_t i = 0; share > below && i < sizeof waits / sizeof *sum; i++)
    sum[i] += (share - below) * (more[i] - sum[i]);
  return waits;
}
