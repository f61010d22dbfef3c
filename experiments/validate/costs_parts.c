/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "experiments/validate/profile_costs.h"

/* Most second- and last-level caches have some 16. */
enum { WAYS = 16 };

size_t costs_level_at(const struct calibration *cal, double bytes) {
  size_t i = 0;
  while (i + 1 < cal->level_count && bytes >= cal->levels[i].bytes_usable.value)
    i++;
  return i;
}

/* How often a line at this distance is still in a cache of so many: it is gone
 * when as many others as a set has ways fell into its set, as lines fall at
 * random (Smith, A Comparative Study of Set Associative Memory Mapping
 * Algorithms, IEEE TSE 4(2), 1978). */
static double hit_share(double bytes, double cache_bytes) {
  double others = bytes * WAYS / cache_bytes;
  return others > 0 ? gsl_cdf_poisson_P(WAYS - 1, others) : 1;
}

void costs_level_shares(const struct calibration *cal, double bytes,
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

enum { TABLE_ENTRIES = 8 /* in a line */ };

static double or_zero(double value) { return isfinite(value) ? value : 0; }

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

/* What a walk's table lines take beyond those at hand: each as calibrated, or
 * where it was out of reach there, as data do. */
static double table_ns(const struct calibration *cal,
                       const struct cal_pages *pages, double bytes) {
  double shares[CALIBRATION_LEVELS], ns = 0;
  costs_level_shares(cal, bytes, shares);
  for (size_t i = 0; i < cal->level_count; i++) {
    double near = cal->levels[i ? 1 : 0].ns.value;
    double line = pages->table_line_ns[i].value;
    if (!isfinite(line)) line = fmax(0, cal->levels[i].ns.value - near);
    ns += shares[i] * table_lines(cal, pages) * line;
  }
  return ns;
}

enum { ROUNDS = 200 };

double costs_random_misses(const double *distances, const double *counts,
                           size_t count, double entries) {
  double share = 1;
  for (int round = 0; round < ROUNDS; round++) {
    double misses = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
      misses -= counts[i] * expm1(-share * distances[i] / entries);
      all += counts[i];
    }
    double next = all > 0 ? misses / all : 0;
    if (share - next < 1e-9) return next;
    share = next;
  }
  return share;
}

/* The last TLB, for one program. */
struct tlb {
  double entries;
  double random_share; /* of replacements; NAN: what was used least recently */
};

static double walk_probability(const struct tlb *tlb, double distance) {
  if (isnan(tlb->random_share)) return distance >= tlb->entries;
  return -expm1(-tlb->random_share * distance / tlb->entries);
}

void costs_uses_of(struct costs_uses *uses,
                   const struct reuse_histogram *histogram, double all,
                   double least) {
  uses->count = 0;
  for (unsigned i = 1; i <= REUSE_BUCKETS; i++) {
    bool cold = i == REUSE_BUCKETS;
    double count = cold ? histogram->cold : histogram->count[i];
    double middle =
        0.5 * (double)(reuse_bucket_least(i) + reuse_bucket_least(i + 1) - 1);
    double distance = cold ? all : middle;
    if (!(count > 0) || !(distance >= least)) continue;
    uses->distances[uses->count] = distance;
    uses->counts[uses->count++] = count;
  }
}

static double coarse_middle(unsigned bucket, double all) {
  if (bucket == REUSE_COARSE) return all;
  return 0.5 * (double)(reuse_coarse_least(bucket) +
                        reuse_coarse_least(bucket + 1) - 1);
}

/* Of the changes to pages whose table line is so far away (in lines of data),
 * the share that no TLB answers. */
static double walk_share(const struct tlb *tlb, const struct reuse_pages *reuse,
                         double all_pages, unsigned bucket) {
  double walks = 0, changes = 0;
  for (unsigned i = 0; i <= REUSE_COARSE; i++) {
    double count = reuse->joint[i][bucket];
    changes += count;
    if (count > 0)
      walks += count * walk_probability(tlb, coarse_middle(i, all_pages));
  }
  return changes > 0 ? walks / changes : 0;
}

/* What walks read from further away than is at hand: since a table line was
 * last read, lines of data came in, and other table lines. */
static double tables_of(const struct calibration *cal,
                        const struct cal_pages *pages, const struct tlb *tlb,
                        const struct reuse_pages *reuse,
                        const struct reuse_profile *profile) {
  double ns = 0, all = (double)profile->workspace_bytes;
  double all_pages = all / (double)(UINT64_C(1) << reuse->page_bits);
  for (unsigned i = 0; i <= REUSE_COARSE; i++) {
    double share = walk_share(tlb, reuse, all_pages, i);
    double data = coarse_middle(i, all / COSTS_LINE);
    for (unsigned j = 0; share > 0 && j <= REUSE_COARSE; j++) {
      if (!(reuse->tables_joint[i][j] > 0)) continue;
      double tables =
          table_lines(cal, pages) * coarse_middle(j, all_pages / TABLE_ENTRIES);
      ns += share * reuse->tables_joint[i][j] *
            table_ns(cal, pages, COSTS_LINE * (data + tables));
    }
  }
  return ns;
}

static double pages_beyond(const struct reuse_pages *pages, double all,
                           double distance) {
  return reuse_beyond(&pages->pages, distance) +
         (all >= distance ? pages->pages.cold : 0);
}

double costs_strange(const struct cal_pages *pages,
                     const struct reuse_profile *profile) {
  const struct reuse_pages *reuse = profile->pages;
  for (unsigned i = 1; i < profile->pages_count; i++)
    if (profile->pages[i].page_bits < reuse->page_bits)
      reuse = &profile->pages[i];
  double all = ldexp((double)profile->workspace_bytes, -(int)reuse->page_bits);
  return pages_beyond(reuse, all,
                      pages->tlbs ? pages->tlb[0].entries.value : 0);
}

/* A stream over so many lines has walks, too, one for the lines of each entry:
 * what streams were measured to take has them in it.  As a share of all. */
static double streamed_share(const struct tlb *tlb, double walks,
                             double entry_bytes,
                             const struct reuse_profile *profile) {
  double pages_a_line = COSTS_LINE / entry_bytes, streamed = 0;
  struct costs_uses uses;
  if (!(walks > 0)) return 0;
  costs_uses_of(&uses, &profile->lines[REUSE_STREAM],
                (double)profile->workspace_bytes / COSTS_LINE, 0);
  for (size_t i = 0; i < uses.count; i++)
    streamed += uses.counts[i] *
                walk_probability(tlb, pages_a_line * uses.distances[i]);
  return fmin(1, pages_a_line * streamed / walks);
}

void costs_translations(struct costs_translation *translation,
                        const struct calibration *cal,
                        const struct cal_pages *pages, double entry_bytes,
                        enum costs_tlb kind,
                        const struct reuse_profile *profile) {
  const struct reuse_pages *reuse = profile->pages;
  while (reuse->page_bits != (unsigned)lround(log2(entry_bytes))) reuse++;
  double all = (double)profile->workspace_bytes / entry_bytes;
  struct costs_uses uses;
  struct tlb tlb = {pages->tc_nodes.value, NAN};
  costs_uses_of(
      &uses, &reuse->pages, all,
      pages->tlbs > 1 ? pages->tlb[pages->tlbs - 2].entries.value : 1);
  double walks = 0;
  if (kind == COSTS_RANDOM) {
    tlb.random_share = costs_random_misses(uses.distances, uses.counts,
                                           uses.count, tlb.entries);
    for (size_t i = 0; i < uses.count; i++)
      walks += uses.counts[i] * walk_probability(&tlb, uses.distances[i]);
  } else {
    walks = pages_beyond(reuse, all, tlb.entries);
  }
  double at_once = fmax(1, or_zero(pages->walks_in_flight.value));
  *translation = (struct costs_translation){0};
  for (size_t i = 0; i + 1 < pages->tlbs; i++)
    translation->tlb += pages_beyond(reuse, all, pages->tlb[i].entries.value) *
                        or_zero(pages->tlb[i].extra_ns.value);
  translation->walk = walks * pages->tau_ns.value;
  translation->table = tables_of(cal, pages, &tlb, reuse, profile);
  translation->walk_best = translation->walk / at_once;
  translation->table_best = translation->table / at_once;
  translation->streamed =
      translation->walk * streamed_share(&tlb, walks, entry_bytes, profile);
}
