/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/funnel.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "cpu_algos/branch.h"

/* All places are numbers of words from the first key on, so that a run is the
 * same wherever the workspace lies. */
struct stream {
  uint64_t at, end;
};

/* A cache line. */
struct merger {
  struct stream in[2];
  uint64_t below[2]; /* the mergers that fill them; 0: no more comes */
  uint64_t buffer, buffer_end; /* what this one fills; not of the root */
};

enum { MERGER_WORDS = sizeof(struct merger) / sizeof(uint64_t) };

struct funnel {
  uint64_t *words;
  uint64_t n;    /* keys of each of the two arrays */
  uint64_t root; /* the funnel: behind them */
  struct cpu_funnel_work work;
};

static struct merger *merger_at(const struct funnel *f, uint64_t place) {
  return (struct merger *)(void *)(f->words + place);
}

unsigned cpu_funnel_height(uint64_t n) {
  unsigned height = 1;
  while (3 * height < 64 && UINT64_C(1) << 3 * height < n) height++;
  return height;
}

static unsigned lower(unsigned height) { return height / 2; }
static unsigned upper(unsigned height) { return height - height / 2; }

/* Of the output of a lower half. */
static uint64_t buffer_words(unsigned height) {
  return UINT64_C(1) << 3 * lower(height);
}

/* Of a lower half and its buffer. */
static uint64_t lower_words(unsigned height) {
  return buffer_words(height) + cpu_funnel_words(lower(height));
}

uint64_t cpu_funnel_words(unsigned height) {
  if (height == 1) return MERGER_WORDS;
  return cpu_funnel_words(upper(height)) +
         (lower_words(height) << upper(height));
}

/* Where number i of the lower halves begins, behind its buffer. */
static uint64_t lower_half(uint64_t place, unsigned height, uint64_t i) {
  return place + cpu_funnel_words(upper(height)) + i * lower_words(height) +
         buffer_words(height);
}

/* Number i of the mergers of the lowest level. */
static uint64_t lowest(uint64_t place, unsigned height, uint64_t i) {
  while (height > 1) {
    unsigned below = lower(height) - 1;
    place = lower_half(place, height, i >> below);
    i &= (UINT64_C(1) << below) - 1;
    height = lower(height);
  }
  return place;
}

static void build(struct funnel *f, uint64_t place, unsigned height) {
  if (height == 1) {
    *merger_at(f, place) = (struct merger){0};
    return;
  }
  build(f, place, upper(height));
  for (uint64_t i = 0; i >> upper(height) == 0; i++) {
    uint64_t half = lower_half(place, height, i);
    build(f, half, lower(height));
    merger_at(f, half)->buffer = half - buffer_words(height);
    merger_at(f, half)->buffer_end = half;
    merger_at(f, lowest(place, upper(height), i / 2))->below[i % 2] = half;
  }
}

/* Merge what is there of both streams, or as much as there is room for. */
static uint64_t merge(struct funnel *f, struct merger *merger, uint64_t to,
                      uint64_t end) {
  uint64_t a = merger->in[0].at, b = merger->in[1].at, start = to;
  const uint64_t a_end = merger->in[0].end, b_end = merger->in[1].end;
  uint64_t *words = f->words;
  while (to < end && a < a_end && b < b_end) {
    uint64_t left = words[a], right = words[b];
    words[to++] = cpu_select_less(right, left, right, left);
    b += right < left;
    a += right >= left;
  }
  merger->in[0].at = a;
  merger->in[1].at = b;
  f->work.comparisons += to - start;
  return to;
}

/* Copy what is left of a stream, or as much as there is room for. */
static uint64_t copy(struct funnel *f, struct stream *in, uint64_t to,
                     uint64_t end) {
  while (to < end && in->at < in->end) f->words[to++] = f->words[in->at++];
  return to;
}

static uint64_t fill(struct funnel *f, uint64_t place, uint64_t to,
                     uint64_t end);

/* A merger that does not fill its buffer has no more keys. */
static void refill(struct funnel *f, struct merger *merger, unsigned side) {
  struct stream *in = &merger->in[side];
  if (in->at < in->end || !merger->below[side]) return;
  const struct merger *below = merger_at(f, merger->below[side]);
  uint64_t buffer = below->buffer, end = below->buffer_end;
  in->at = buffer;
  in->end = fill(f, merger->below[side], buffer, end);
  if (in->end < end) merger->below[side] = 0;
}

/*
 * Write keys from `to` on, up to `end` or until no more come: where they end.
 * It is lazy: an empty stream is filled where its next key is asked for.
 */
static uint64_t fill(struct funnel *f, uint64_t place, uint64_t to,
                     uint64_t end) {
  struct merger *merger = merger_at(f, place);
  uint64_t start = to;
  f->work.fills++;
  while (to < end) {
    for (unsigned side = 0; side < 2; side++) refill(f, merger, side);
    bool empty[2];
    for (unsigned side = 0; side < 2; side++)
      empty[side] = merger->in[side].at == merger->in[side].end;
    if (empty[0] && empty[1]) break;
    to = empty[0] || empty[1] ? copy(f, &merger->in[empty[0]], to, end)
                              : merge(f, merger, to, end);
  }
  f->work.merged += to - start;
  return to;
}

static void insertion_sort(struct funnel *f, uint64_t *keys, uint64_t n) {
  for (uint64_t i = 1; i < n; i++) {
    uint64_t key = keys[i], j = i;
    for (; j > 0 && key < keys[j - 1]; j--) keys[j] = keys[j - 1];
    keys[j] = key;
    f->work.comparisons += i - j + (j > 0);
  }
}

/* Where segment i of 2^height begins, that differ by one key at most. */
static uint64_t segment(uint64_t n, unsigned height, uint64_t i) {
  uint64_t longer = n & ((UINT64_C(1) << height) - 1);
  return i * (n >> height) + (i < longer ? i : longer);
}

static void sort(struct funnel *f, uint64_t first, uint64_t n, unsigned side);

/* Merge segments, which are sorted in the other array, into one of them. */
static void merge_segments(struct funnel *f, uint64_t first, uint64_t n,
                           unsigned side) {
  unsigned height = cpu_funnel_height(n);
  uint64_t from = first + (side ? 0 : f->n), to = first + (side ? f->n : 0);
  build(f, f->root, height);
  for (uint64_t i = 0; i >> height == 0; i++) {
    uint64_t place = lowest(f->root, height, i / 2);
    merger_at(f, place)->in[i % 2] = (struct stream){
        from + segment(n, height, i), from + segment(n, height, i + 1)};
  }
  uint64_t end = fill(f, f->root, to, to + n);
  assert(end == to + n);
  (void)end;
}

/*
 * Sort keys [first, first + n) of the first array, into it or (side 1) into the
 * second one.  n keys are cut into about n^(1/3) segments of n^(2/3), which are
 * sorted into the array that they are merged from.
 */
static void sort(struct funnel *f, uint64_t first, uint64_t n, unsigned side) {
  uint64_t *keys = f->words + first;
  if (n <= CPU_FUNNEL_CUTOFF) {
    insertion_sort(f, keys, n);
    if (side) memcpy(keys + f->n, keys, n * sizeof *keys);
    return;
  }
  unsigned height = cpu_funnel_height(n);
  for (uint64_t i = 0; i >> height == 0; i++) {
    uint64_t begin = segment(n, height, i), end = segment(n, height, i + 1);
    sort(f, first + begin, end - begin, !side);
  }
  merge_segments(f, first, n, side);
}

struct cpu_funnel_work cpu_funnel_sort(uint64_t *keys, uint64_t n) {
  struct funnel f = {.words = keys, .n = n, .root = 2 * n};
  sort(&f, 0, n, 0);
  return f.work;
}
