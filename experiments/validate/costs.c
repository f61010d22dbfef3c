/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was never accessed before in a run was by the one before, or by what
 * restored the input: its distance is taken for the whole workspace. */
#include "experiments/validate/costs.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "experiments/calibrate/chase_curve.h"

#define LINE_BYTES (1u << REUSE_LINE_BITS)

/* Most second- and last-level caches have some 16. */
enum { WAYS = 16, ADDRESS_BITS = 48, TABLE_BITS = 9 };

enum { TABLE_ENTRIES = 8 /* in a line */, LEAST_PAGE = 4096 };

static double or_zero(double value) { return isfinite(value) ? value : 0; }

static unsigned bits_of(double bytes) { return (unsigned)lround(log2(bytes)); }

/* The first level whose size is beyond `bytes`; memory where none is. */
static size_t level_at(const struct calibration *cal, double bytes) {
  size_t i = 0;
  while (i + 1 < cal->level_count && bytes >= cal->levels[i].bytes_usable.value)
    i++;
  return i;
}

static void add_line(struct costs_lines *lines, double count, double ns,
                     const struct calibration *cal, size_t level) {
  double wait = count * fmax(0, ns - cal->levels[0].ns.value);
  double in_flight = cal->levels[level].in_flight.value;
  lines->wait += wait;
  lines->flight += wait / (in_flight >= 1 ? in_flight : 1);
}

/* How often a line at this distance is still in a cache of so many: it is gone
 * when as many others as a set has ways fell into its set, as lines fall at
 * random (Smith, A Comparative Study of Set Associative Memory Mapping
 * Algorithms, IEEE TSE 4(2), 1978). */
static double hit_share(double bytes, double cache_bytes) {
  double others = bytes * WAYS / cache_bytes;
  return others > 0 ? gsl_cdf_poisson_P(WAYS - 1, others) : 1;
}

/* The shares of such lines that each level is the first to still have. */
static void level_shares(const struct calibration *cal, double bytes,
                         double shares[CALIBRATION_LEVELS]) {
  double previous = 0;
  for (size_t i = 0; i < cal->level_count; i++) {
    double hit = 1;
    if (i + 1 < cal->level_count)
      hit = fmax(previous, hit_share(bytes, cal->levels[i].bytes_usable.value));
    shares[i] = hit - previous;
    previous = hit;
  }
}

static void add_spread(struct costs_lines *lines, double count, double bytes,
                       const struct calibration *cal) {
  double shares[CALIBRATION_LEVELS];
  level_shares(cal, bytes, shares);
  for (size_t i = 0; i < cal->level_count; i++)
    add_line(lines, count * shares[i], cal->levels[i].ns.value, cal, i);
}

/* `count` accesses at a distance of so many lines. */
static void add_lines(struct costs *costs, const struct calibration *cal,
                      enum reuse_class class, double count, double distance) {
  if (!(count > 0)) return;
  double bytes = distance * LINE_BYTES;
  size_t level = level_at(cal, bytes);
  add_line(&costs->stepped[class], count, cal->levels[level].ns.value, cal,
           level);
  add_spread(&costs->spread[class], count, bytes, cal);
}

static void add_counts(struct costs *costs, const struct calibration *cal,
                       enum reuse_class class, enum costs_told told,
                       double count, double bytes) {
  double shares[CALIBRATION_LEVELS];
  if (!(count > 0)) return;
  level_shares(cal, bytes, shares);
  costs->stepped_counts[class].at[told][level_at(cal, bytes)] += count;
  for (size_t i = 0; i < cal->level_count; i++)
    costs->spread_counts[class].at[told][i] += count * shares[i];
}

static double middle(unsigned bucket) {
  return 0.5 * (double)(reuse_bucket_least(bucket) +
                        reuse_bucket_least(bucket + 1) - 1);
}

static void lines_of(struct costs *costs, const struct calibration *cal,
                     const struct reuse_profile *profile) {
  double all = (double)profile->workspace_bytes / LINE_BYTES;
  for (int class = 0; class < REUSE_CLASSES; class ++) {
    const struct reuse_histogram *lines = &profile->lines[class];
    for (unsigned i = 1; i + 1 < REUSE_BUCKETS; i++)
      add_lines(costs, cal, class, lines->count[i], middle(i));
    add_lines(costs, cal, class, lines->cold, all);
  }
}

static const struct reuse_histogram *told_of(
    const struct reuse_profile *profile, enum costs_told told) {
  return told == COSTS_LINES   ? profile->lines
         : told == COSTS_LOADS ? profile->kinds[VAT_LOAD]
                               : profile->kinds[VAT_STORE];
}

static void counts_of(struct costs *costs, const struct calibration *cal,
                      const struct reuse_profile *profile) {
  double all = (double)profile->workspace_bytes;
  for (int told = 0; told < COSTS_TOLD; told++)
    for (int class = 0; class < REUSE_CLASSES; class ++) {
      const struct reuse_histogram *lines = &told_of(profile, told)[class];
      for (unsigned i = 1; i + 1 < REUSE_BUCKETS; i++)
        add_counts(costs, cal, class, told, lines->count[i],
                   LINE_BYTES * middle(i));
      add_counts(costs, cal, class, told, lines->cold, all);
    }
}

/* Lines of page tables that a walk reads beside those of higher tables, which
 * few walks need: the guest's, where its page is what an entry maps, and on a
 * virtual machine the host's. */
static double table_lines(const struct calibration *cal,
                          const struct cal_pages *pages) {
  const json_t *vm = json_object_get(cal->machine, "vm");
  bool nested = json_is_true(json_object_get(vm, "is_vm"));
  bool own = pages->page_bytes <= pages->granularity_bytes;
  return (nested ? 1 : 0) + (own || !nested ? 1 : 0);
}

/* What table lines from a level take beyond those at hand: as calibrated, or
 * where it was out of reach there, each as data does. */
static double table_level_ns(const struct calibration *cal,
                             const struct cal_pages *pages, size_t level) {
  double ns = pages->table_line_ns[level].value;
  if (isfinite(ns)) return ns;
  double near = cal->levels[level ? 1 : 0].ns.value;
  return table_lines(cal, pages) * fmax(0, cal->levels[level].ns.value - near);
}

static double table_ns(const struct calibration *cal,
                       const struct cal_pages *pages, double bytes) {
  double shares[CALIBRATION_LEVELS], ns = 0;
  level_shares(cal, bytes, shares);
  for (size_t i = 0; i < cal->level_count; i++)
    ns += shares[i] * table_level_ns(cal, pages, i);
  return ns;
}

static double coarse_middle(unsigned bucket, double all) {
  if (bucket == REUSE_COARSE) return all;
  return 0.5 * (double)(reuse_coarse_least(bucket) +
                        reuse_coarse_least(bucket + 1) - 1);
}

/* Of the changes to pages whose table line is so far away (in lines of data),
 * the share that no TLB answers. */
static double walk_share(const struct cal_pages *pages,
                         const struct reuse_pages *reuse, double all_pages,
                         unsigned bucket) {
  double walks = 0, changes = 0;
  for (unsigned i = 0; i <= REUSE_COARSE; i++) {
    changes += reuse->joint[i][bucket];
    if (coarse_middle(i, all_pages) >= pages->tc_nodes.value)
      walks += reuse->joint[i][bucket];
  }
  return changes > 0 ? walks / changes : 0;
}

/* What walks read from further away than is at hand: since a table line was
 * last read, lines of data came in, and other table lines. */
static double tables_of(const struct calibration *cal,
                        const struct cal_pages *pages,
                        const struct reuse_pages *reuse,
                        const struct reuse_profile *profile) {
  double ns = 0, all = (double)profile->workspace_bytes;
  double all_pages = all / (double)(UINT64_C(1) << reuse->page_bits);
  for (unsigned i = 0; i <= REUSE_COARSE; i++) {
    double share = walk_share(pages, reuse, all_pages, i);
    double data = coarse_middle(i, all / LINE_BYTES);
    for (unsigned j = 0; share > 0 && j <= REUSE_COARSE; j++) {
      if (!(reuse->tables_joint[i][j] > 0)) continue;
      double tables =
          table_lines(cal, pages) * coarse_middle(j, all_pages / TABLE_ENTRIES);
      ns += share * reuse->tables_joint[i][j] *
            table_ns(cal, pages, LINE_BYTES * (data + tables));
    }
  }
  return ns;
}

static double beyond(const struct reuse_pages *pages, double all,
                     double distance) {
  return reuse_beyond(&pages->pages, distance) +
         (all >= distance ? pages->pages.cold : 0);
}

static void translation_of(struct costs_translation *translation,
                           const struct calibration *cal,
                           const struct cal_pages *pages, double entry_bytes,
                           const struct reuse_profile *profile) {
  const struct reuse_pages *reuse = profile->pages;
  while (reuse->page_bits != bits_of(entry_bytes)) reuse++;
  double all = (double)profile->workspace_bytes / entry_bytes;
  for (size_t i = 0; i + 1 < pages->tlbs; i++)
    translation->tlb += beyond(reuse, all, pages->tlb[i].entries.value) *
                        or_zero(pages->tlb[i].extra_ns.value);
  translation->walk =
      beyond(reuse, all, pages->tc_nodes.value) * pages->tau_ns.value;
  double in_flight = pages->walks_in_flight.value;
  translation->walk_flight =
      translation->walk / (in_flight >= 1 ? in_flight : 1);
  translation->table = tables_of(cal, pages, reuse, profile);
}

/* By what a stream over so much memory was measured to take. */
static double streams_of(const struct cal_curve *curve,
                         const struct reuse_histogram *lines, double all) {
  double ns = lines->cold * curve_at(curve, all);
  for (unsigned i = 0; i < REUSE_BUCKETS; i++)
    if (lines->count[i] > 0)
      ns += lines->count[i] * curve_at(curve, LINE_BYTES * middle(i));
  return ns;
}

static void streams_told(struct costs *costs, const struct calibration *cal,
                         const char *kind,
                         const struct reuse_profile *profile) {
  double all = (double)profile->workspace_bytes;
  for (int told = 0; told < COSTS_TOLD; told++) {
    const struct reuse_histogram *lines = &told_of(profile, told)[REUSE_STREAM];
    costs->streams_told[told] = (struct costs_streams){
        streams_of(calibration_curve(cal, "stream_read", kind, 1), lines, all),
        streams_of(calibration_curve(cal, "stream_write", kind, 1), lines, all),
        streams_of(calibration_curve(cal, "stream_copy", kind, 1), lines, all)};
  }
}

static unsigned levels_for(double page_bytes) {
  return (ADDRESS_BITS - bits_of(page_bytes) + TABLE_BITS - 1) / TABLE_BITS;
}

static void add_page_bits(struct reuse_params *params, double bytes) {
  for (unsigned i = 0; i < params->page_bits_count; i++)
    if (params->page_bits[i] == bits_of(bytes)) return;
  if (params->page_bits_count < REUSE_PAGES_MAX)
    params->page_bits[params->page_bits_count++] = bits_of(bytes);
}

/* W to two bits: it is not known better, and profiles that are kept on disk
 * serve the next calibration, too. */
static uint64_t round_nodes(double nodes) {
  int exponent;
  double mantissa = frexp(nodes, &exponent); /* 0.5 <= mantissa < 1 */
  return (uint64_t)ldexp(round(mantissa * 8) / 8, exponent);
}

static struct reuse_tc tc_of(const struct cal_pages *pages) {
  unsigned levels = levels_for(pages->page_bytes);
  uint64_t nodes = round_nodes(pages->tc_nodes.value);
  return (struct reuse_tc){.page_bits = bits_of(pages->page_bytes),
                           .levels = levels,
                           .nodes = nodes > levels ? nodes : levels + 1};
}

void costs_params(const struct calibration *cal, struct reuse_params *params) {
  *params = (struct reuse_params){0};
  for (size_t i = 0; i < cal->page_count; i++) {
    const struct cal_pages *pages = &cal->pages[i];
    if (costs_lack(cal, pages->kind)) continue;
    add_page_bits(params, pages->page_bytes);
    add_page_bits(params, pages->granularity_bytes);
    params->tcs[params->tc_count++] = tc_of(pages);
  }
}

const char *costs_lack(const struct calibration *cal, const char *kind) {
  const struct cal_pages *pages = calibration_page_for(cal, kind);
  if (!pages) return "the calibration has no pages of this kind";
  if (!isfinite(pages->tc_nodes.value) || !isfinite(pages->tau_ns.value))
    return "the calibration found neither tau nor W of this kind of pages";
  if (!(pages->granularity_bytes >= LEAST_PAGE))
    return "the calibration does not tell what an entry of its TLB maps";
  const struct cal_curve *streams =
      calibration_curve(cal, "stream_read", pages->kind, 1);
  if (!streams || !streams->count)
    return "the calibration has no stream of reads on this kind of pages";
  return NULL;
}

static double vat_of(const struct calibration *cal,
                     const struct cal_pages *pages,
                     const struct reuse_profile *profile) {
  size_t tc = 0;
  for (const struct cal_pages *p = cal->pages; p != pages; p++)
    tc += !costs_lack(cal, p->kind);
  return (double)profile->tcs[tc].misses * pages->tau_ns.value;
}

void costs_of(struct costs *costs, const struct calibration *cal,
              const char *kind, const struct reuse_profile *profile) {
  const struct cal_pages *pages = calibration_page_for(cal, kind);
  *costs = (struct costs){0};
  lines_of(costs, cal, profile);
  translation_of(&costs->asked, cal, pages, pages->page_bytes, profile);
  translation_of(&costs->measured, cal, pages, pages->granularity_bytes,
                 profile);
  costs->vat = vat_of(cal, pages, profile);
  counts_of(costs, cal, profile);
  streams_told(costs, cal, kind, profile);
  costs->streams = costs->streams_told[COSTS_LINES].read;
  double *sum = (double *)costs;
  for (size_t i = 0; i < sizeof *costs / sizeof *sum; i++)
    sum[i] /= profile->ram_ops;
}
