/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/sample_pages.h"

#include <math.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"

enum { LG_BLOCK = 21 }; /* 2 MiB, which a huge page would be */

double pages_unseen(double once, double twice) {
  return once * fmax(0, once - 1) / (2 * (twice + 1));
}

static int by_page(const void *one, const void *two, void *context) {
  const uint64_t *page = context;
  size_t a = *(const size_t *)one, b = *(const size_t *)two;
  if (page[a] != page[b]) return page[a] < page[b] ? -1 : 1;
  return (a > b) - (a < b);
}

static size_t same_page(const struct sample_pages *pages, const uint64_t *page,
                        size_t from) {
  size_t to = from;
  while (to < pages->count &&
         page[pages->order[to]] == page[pages->order[from]])
    to++;
  return to;
}

/* Those of the blocks that were seen, but for those that were seen. */
static double room_of(const struct sample_pages *pages, const uint64_t *page,
                      unsigned bits) {
  double blocks = 0;
  unsigned up = LG_BLOCK - bits;
  for (size_t i = 0; i < pages->count; i++)
    blocks +=
        !i || page[pages->order[i]] >> up != page[pages->order[i - 1]] >> up;
  return blocks * exp2(up) - (double)pages->seen;
}

void sample_pages_make(struct sample_pages *pages, const uint64_t *page,
                       const bool *counted, size_t first, size_t last,
                       unsigned bits) {
  *pages = (struct sample_pages){0};
  pages->order = memory_zeroed(last - first + 1, sizeof *pages->order);
  for (size_t i = first; i < last; i++)
    if (counted[i]) pages->order[pages->count++] = i;
  qsort_r(pages->order, pages->count, sizeof *pages->order, by_page,
          (void *)page);
  for (size_t from = 0, to; from < pages->count; from = to) {
    to = same_page(pages, page, from);
    pages->seen++;
    pages->once += to - from == 1;
    pages->twice += to - from == 2;
  }
  pages->unseen = pages_unseen(pages->once, pages->twice);
  /* The fewer were seen twice, the less is known. */
  pages->unseen_most = pages->unseen * (1 + 4 / sqrt(pages->twice + 1)) + 3;
  if (bits >= LG_BLOCK) return;
  double room = room_of(pages, page, bits);
  pages->unseen = fmin(pages->unseen, room);
  pages->unseen_most = fmin(pages->unseen_most, room);
}

void sample_pages_fini(struct sample_pages *pages) { free(pages->order); }

/* What of a page that was sampled once is not reached, where the unseen ones
 * are reached, too. */
static double beyond(const struct sample_pages *pages, double x, bool most) {
  double unseen = most ? pages->unseen_most : pages->unseen;
  if (x <= 1) return 1;
  return unseen > 0 ? exp((1 - x) * pages->once / unseen) : 0;
}

/* The probability that none of the samples from..to but `but` reaches their
 * page. */
static double left_by(const struct sample_pages *pages, const double *x,
                      size_t from, size_t to, size_t but) {
  double left = 1;
  for (size_t i = from; i < to && left > 0; i++)
    if (i != but) left *= 1 - fmin(1, x[pages->order[i]]);
  return left;
}

/* Each sample of a page, by the others. */
static void tell_new(const struct sample_pages *pages, const double *x,
                     size_t from, size_t to, bool most, double *is_new) {
  double left = left_by(pages, x, from, to, to);
  for (size_t i = from; i < to; i++) {
    size_t sample = pages->order[i];
    if (to - from == 1)
      is_new[sample] = beyond(pages, x[sample], most);
    else if (x[sample] < 1)
      is_new[sample] = left / (1 - x[sample]);
    else
      is_new[sample] = left_by(pages, x, from, to, i);
  }
}

double sample_pages_reached(const struct sample_pages *pages,
                            const uint64_t *page, const double *x, bool most,
                            double *is_new) {
  double reached = 0, once = 0, unseen;
  for (size_t from = 0, to; from < pages->count; from = to) {
    to = same_page(pages, page, from);
    reached += 1 - left_by(pages, x, from, to, to);
    if (to - from == 1) once += x[pages->order[from]];
    if (is_new) tell_new(pages, x, from, to, most, is_new);
  }
  if (!(pages->once > 0)) return reached;
  unseen = most ? pages->unseen_most : pages->unseen;
  return reached + unseen * (1 - beyond(pages, once / pages->once, most));
}
