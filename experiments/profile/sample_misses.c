/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/sample_misses.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/sample_law.h"
#include "experiments/profile/sample_pages.h"

enum { HALVINGS = 48 };
static const double errors = MISS_ERRORS;

/* How bursts are taken; their c, and which error of B. */
struct variant {
  double c;
  int doubt; /* 1: longest bursts, -1: shortest */
};
static const struct variant likely = {1.5, 0}, least = {2, 1}, most = {1, -1};

/* What is known, and what is assumed. */
struct law {
  struct sample_law known;
  struct variant variant;
  bool fits;          /* no more pages than entries */
  double *x, *is_new; /* room */
  /* Of each instruction: accesses that begin bursts up to 2^octave after one.
   */
  double (*begun)[BURST_OCTAVES];
};

struct block {
  size_t first, last;
  double accesses, visits; /* of these, not of streams */
  struct sample_pages pages;
};

static struct block block_at(const struct law *law, size_t first, size_t last) {
  struct block block = {.first = first, .last = last};
  block.accesses = law->known.sample[last - 1].at;
  if (first) block.accesses -= law->known.sample[first - 1].at;
  for (size_t i = first; i < last; i++)
    if (law->known.visits[i]) block.visits += law->known.sample[i].stands_for;
  sample_pages_make(&block.pages, law->known.page, law->known.visits, first,
                    last, law->known.bits);
  return block;
}

/* B(T) as the variant has it.  Where pairs tell little, bursts are likely to
 * consist of an access of each instruction, of which some read what they write:
 * B of `alone` and somewhat more, about as much of an error. */
static double burst_of(const struct law *law, size_t i, double T,
                       double error) {
  const double more = 0.5;
  double found = sample_bursts_after(&law->known.bursts, i, T);
  double alone = law->known.alone[i], doubt = law->variant.doubt;
  if (!isfinite(error))
    return doubt < 0 ? 0 : found + alone + (1 + doubt) * more;
  if (doubt != 0) return fmax(0, found + doubt * errors * error);
  double by_alone = 1 / ((alone + 1) * (alone + 1));
  double by_pairs = 1 / (error * error + 1e-12);
  return (found * by_pairs + (alone + more) * by_alone) / (by_pairs + by_alone);
}

/* The share of a sample's accesses that begin a burst. */
static double begins(const struct law *law, size_t i, double T, double error) {
  if (law->known.share[i] < 0) return 1;
  return 1 / (1 + law->variant.c * burst_of(law, i, T, error));
}

/* For all instructions: the sum of begins() up to each octave. */
static void sum_begins(struct law *law) {
  double error[BURST_OCTAVES];
  for (int o = 0; o < BURST_OCTAVES; o++)
    error[o] = sample_bursts_error(&law->known.bursts, 1.5 * exp2(o));
  for (size_t i = 0; i < law->known.count; i++) {
    double *begun = law->begun[law->known.bursts.of[i]];
    if (law->known.share[i] < 0 || begun[0] > 0) continue;
    begun[0] = 1;
    for (int o = 0; o + 1 < BURST_OCTAVES; o++)
      begun[o + 1] =
          begun[o] + exp2(o) * begins(law, i, 1.5 * exp2(o), error[o]);
  }
}

/* So many accesses of those after sample `i` up to T begin bursts. */
static double begun_by(const struct law *law, size_t i, double T,
                       double error) {
  if (law->known.share[i] < 0) return T;
  int octave = T < 2 ? 0 : ilogb(T);
  if (octave >= BURST_OCTAVES) octave = BURST_OCTAVES - 1;
  return law->begun[law->known.bursts.of[i]][octave] +
         (T - exp2(octave)) * begins(law, i, T, error);
}

/* Pages that visits come to within T. */
static double visited(const struct law *law, const struct block *block,
                      double T, double *is_new) {
  double error = sample_bursts_error(&law->known.bursts, T);
  const struct sample_pages *pages = &block->pages;
  if (!pages->count) return 0;
  double visits = block->visits / block->accesses / (double)pages->count;
  for (size_t i = 0; i < pages->count; i++) {
    size_t at = pages->order[i];
    law->x[at] = visits * begun_by(law, at, T, error);
  }
  return sample_pages_reached(pages, law->known.page, law->x,
                              law->variant.doubt < 0, is_new);
}

static const struct stream_run *run_of(const struct law *law, size_t i) {
  return &law->known.streams->run[law->known.streams->of[i] - 1];
}

/* Pages that streams come to within T: those that they are on, and new ones
 * until they come to where others were. */
static double streamed(const struct law *law, const struct block *block,
                       double T) {
  double sum = 0;
  for (size_t i = block->first; i < block->last; i++) {
    if (law->known.visits[i] || !(law->known.reuse[i] > 0)) continue;
    const struct stream_run *run = run_of(law, i);
    double entry = stream_entry(run, law->known.page_bytes);
    sum += law->known.sample[i].stands_for / block->accesses *
           (entry * fmin(law->known.reuse[i], T) +
            (1 - entry) * fmin(run->gap, T));
  }
  return sum;
}

/* INFINITY: all pages together are not more than the entries. */
static double characteristic_time(const struct law *law,
                                  const struct block *block) {
  double low = 0, high = log2(law->known.sample[law->known.count - 1].at + 1);
  if (law->fits) return INFINITY;
  if (streamed(law, block, exp2(high)) +
          visited(law, block, exp2(high), NULL) <=
      law->known.entries)
    return INFINITY;
  for (int i = 0; i < HALVINGS; i++) {
    double middle = (low + high) / 2, T = exp2(middle);
    if (streamed(law, block, T) + visited(law, block, T, NULL) <
        law->known.entries)
      low = middle;
    else
      high = middle;
  }
  return exp2(high);
}

/* What each sample of a block stands for, in misses. */
static void misses_of(const struct law *law, const struct block *block,
                      double *miss) {
  double T = characteristic_time(law, block);
  double error = isfinite(T) ? sample_bursts_error(&law->known.bursts, T) : 0;
  if (isfinite(T)) visited(law, block, T, law->is_new);
  for (size_t i = block->first; i < block->last; i++) {
    double accesses = law->known.sample[i].stands_for;
    if (!law->known.visits[i])
      miss[i] =
          law->known.reuse[i] > T || isinf(law->known.reuse[i])
              ? accesses * stream_entry(run_of(law, i), law->known.page_bytes)
              : 0;
    else if (isfinite(T))
      miss[i] = accesses * begins(law, i, T, error) * law->is_new[i];
    else
      miss[i] = 0;
  }
}

static void estimate(struct law *law, const struct variant *variant,
                     double *miss) {
  size_t blocks = sample_law_blocks(&law->known);
  law->variant = *variant;
  law->begun = memory_zeroed(law->known.count + 1, sizeof *law->begun);
  sum_begins(law);
  for (size_t number = 0; number < blocks; number++) {
    struct block block = block_at(law, sample_law_first(&law->known, number),
                                  sample_law_first(&law->known, number + 1));
    misses_of(law, &block, miss);
    sample_pages_fini(&block.pages);
  }
  free(law->begun);
}

/* Does a stream have samples so seldom that many of its pages have none?  These
 * stand for them. */
static bool is_seldom(const struct sample_law *law, size_t i) {
  const double least_samples = 8;
  if (law->visits[i]) return false;
  const struct stream_run *run = &law->streams->run[law->streams->of[i] - 1];
  return law->sample[i].stands_for * stream_entry(run, law->page_bytes) *
             least_samples >
         1;
}

/* The first of a page's samples has what the page misses of one.  Returns the
 * sum of all. */
static double raise_to_one(const struct sample_law *law, double *miss) {
  const struct sample_pages *all = &law->all;
  double sum = 0;
  for (size_t from = 0, to; from < all->count; from = to) {
    size_t first = all->order[from];
    double page = 0;
    bool seldom = false;
    for (to = from;
         to < all->count && law->page[all->order[to]] == law->page[first];
         to++) {
      page += miss[all->order[to]];
      seldom |= is_seldom(law, all->order[to]);
    }
    if (page < 1 && !seldom) miss[first] += 1 - page;
    sum += page < 1 && !seldom ? 1 : page;
  }
  return sum;
}

static void all_variants(struct law *law, struct miss_value *each,
                         struct miss_value *rest) {
  const struct sample_pages *all = &law->known.all;
  size_t count = law->known.count;
  double *miss = memory_zeroed(count + 1, sizeof *miss), sum;
  double seen = (double)all->seen;
  law->fits = seen + all->unseen <= law->known.entries;
  estimate(law, &likely, miss);
  sum = raise_to_one(&law->known, miss);
  rest->value = fmax(0, seen + all->unseen - sum);
  for (size_t i = 0; i < count; i++) each[i].value = miss[i];
  estimate(law, &least, miss);
  raise_to_one(&law->known, miss);
  rest->lo = seen;
  for (size_t i = 0; i < count; i++) each[i].lo = miss[i];
  law->fits = seen + all->unseen_most <= law->known.entries;
  estimate(law, &most, miss);
  sum = raise_to_one(&law->known, miss);
  rest->hi = fmax(0, seen + all->unseen_most - sum);
  for (size_t i = 0; i < count; i++) each[i].hi = miss[i];
  free(miss);
}

void sample_misses(struct miss_value *each, struct miss_value *rest,
                   const struct stream_set *streams, size_t count,
                   unsigned bits, double entries) {
  struct law law = {.x = memory_zeroed(count + 1, sizeof(double)),
                    .is_new = memory_zeroed(count + 1, sizeof(double))};
  sample_law_make(&law.known, streams, count, bits, entries);
  all_variants(&law, each, rest);
  sample_law_fini(&law.known);
  free(law.x);
  free(law.is_new);
}
