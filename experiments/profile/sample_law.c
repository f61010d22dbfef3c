/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/sample_law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

/* A block has so many samples, and more if more pages are to be told from each
 * other. */
enum { BLOCK = 256 };

/* A page with such a share of the accesses, of that of an entry, is always in
 * the TLB. */
static const double always = 4;

size_t sample_law_blocks(const struct sample_law *law) {
  size_t size = (size_t)fmax(BLOCK, 2 * law->entries);
  return law->count > size ? law->count / size : 1;
}

size_t sample_law_first(const struct sample_law *law, size_t block) {
  return block * law->count / sample_law_blocks(law);
}

/* The share of samples around that are on the page of each; -1 of those that
 * are always in the TLB, or of streams. */
static void share_block(struct sample_law *law, size_t first, size_t last) {
  struct sample_pages pages;
  double all = (double)(last - first);
  sample_pages_make(&pages, law->page, law->visits, first, last, law->bits);
  for (size_t from = 0, to; from < pages.count; from = to) {
    uint64_t page = law->page[pages.order[from]];
    for (to = from; to < pages.count && law->page[pages.order[to]] == page;)
      to++;
    double share = (double)(to - from) / all;
    if (to - from > 2 && share > always / law->entries) continue;
    /* By the others: a sample says nothing of its own page. */
    for (size_t i = from; i < to; i++)
      law->share[pages.order[i]] = share - 1 / all;
  }
  sample_pages_fini(&pages);
}

static void find_shares(struct sample_law *law) {
  size_t blocks = sample_law_blocks(law);
  for (size_t i = 0; i < law->count; i++) law->share[i] = -1;
  for (size_t number = 0; number < blocks; number++)
    share_block(law, sample_law_first(law, number),
                sample_law_first(law, number + 1));
}

static int by_function(const void *one, const void *two, void *context) {
  const struct perf_sample *sample = context;
  const struct perf_sample *a = &sample[*(const size_t *)one];
  const struct perf_sample *b = &sample[*(const size_t *)two];
  if (a->function != b->function)
    return (uintptr_t)a->function < (uintptr_t)b->function ? -1 : 1;
  return (a->ip > b->ip) - (a->ip < b->ip);
}

/* If its most frequent instruction begins each burst of a function. */
static void find_alone(struct sample_law *law) {
  const struct perf_sample *sample = law->sample;
  size_t *order = memory_zeroed(law->count + 1, sizeof *order), count = 0;
  for (size_t i = 0; i < law->count; i++)
    if (law->share[i] >= 0) order[count++] = i;
  qsort_r(order, count, sizeof *order, by_function, (void *)sample);
  for (size_t from = 0, to; from < count; from = to) {
    size_t run = 0, longest = 0;
    for (to = from; to < count &&
                    sample[order[to]].function == sample[order[from]].function;
         to++) {
      bool same = to > from && sample[order[to]].ip == sample[order[to - 1]].ip;
      run = same ? run + 1 : 1;
      if (run > longest) longest = run;
    }
    double bursts = (double)(to - from) / (double)longest;
    for (size_t i = from; i < to; i++) law->alone[order[i]] = (bursts - 1) / 2;
  }
  free(order);
}

/* All pages that were sampled. */
static void all_pages(struct sample_law *law) {
  bool *every = memory_get(law->count + 1);
  memset(every, true, law->count);
  sample_pages_make(&law->all, law->page, every, 0, law->count, law->bits);
  free(every);
}

/* A stream's page may have been sampled before it came: the samples from..to
 * are of the page of sample i, by time. */
static void shorten_reuse(struct sample_law *law, size_t i, size_t from,
                          size_t to) {
  const size_t *order = law->all.order;
  double came = stream_came(law->streams, i, law->page_bytes);
  if (law->sample[order[from]].at >= came) return;
  while (to - from > 1) {
    size_t middle = (from + to) / 2;
    if (law->sample[order[middle]].at < came)
      from = middle;
    else
      to = middle;
  }
  law->reuse[i] = fmin(law->reuse[i], came - law->sample[order[from]].at);
}

static void find_reuses(struct sample_law *law) {
  const struct sample_pages *all = &law->all;
  for (size_t from = 0, to; from < all->count; from = to) {
    uint64_t page = law->page[all->order[from]];
    for (to = from; to < all->count && law->page[all->order[to]] == page;) to++;
    for (size_t k = from; k < to; k++)
      if (!law->visits[all->order[k]])
        shorten_reuse(law, all->order[k], from, to);
  }
}

static void *room(const struct sample_law *law, size_t size) {
  return memory_zeroed(law->count + 1, size);
}

void sample_law_make(struct sample_law *law, const struct stream_set *streams,
                     size_t count, unsigned bits, double entries) {
  *law = (struct sample_law){.streams = streams,
                             .sample = streams->sample,
                             .count = count,
                             .bits = bits,
                             .page_bytes = exp2(bits),
                             .entries = entries};
  law->page = room(law, sizeof *law->page);
  law->visits = room(law, sizeof *law->visits);
  law->reuse = room(law, sizeof *law->reuse);
  law->share = room(law, sizeof *law->share);
  law->alone = room(law, sizeof *law->alone);
  for (size_t i = 0; i < law->count; i++) {
    law->page[i] = law->sample[i].address >> law->bits;
    law->visits[i] = !law->streams->of[i];
    if (!law->visits[i])
      law->reuse[i] = stream_reuse(law->streams, i, law->page_bytes);
  }
  all_pages(law);
  find_reuses(law);
  find_shares(law);
  find_alone(law);
  sample_bursts_make(&law->bursts, law->sample, law->count, law->page,
                     law->share);
}

void sample_law_fini(struct sample_law *law) {
  sample_bursts_fini(&law->bursts);
  sample_pages_fini(&law->all);
  free(law->page);
  free(law->visits);
  free(law->reuse);
  free(law->share);
  free(law->alone);
}
