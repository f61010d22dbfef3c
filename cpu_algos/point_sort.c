/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Introsort of points, as of keys in quick.c. */
#include "cpu_algos/points.h"

enum { CUTOFF = 16 };

static inline void swap(struct cpu_point *a, struct cpu_point *b) {
  struct cpu_point point = *a;
  *a = *b;
  *b = point;
}

static inline void put_in_order(struct cpu_point *low, struct cpu_point *high) {
  if (cpu_point_before(*high, *low)) swap(low, high);
}

static uint64_t partition(struct cpu_point *points, uint64_t n, bool equal) {
  const struct cpu_point pivot = points[0];
  uint64_t border = 1;
  for (uint64_t i = 1; i < n; i++) {
    struct cpu_point point = points[i];
    points[i] = points[border];
    points[border] = point;
    border += equal ? !cpu_point_before(pivot, point)
                    : cpu_point_before(point, pivot);
  }
  swap(&points[0], &points[border - 1]);
  return border - 1;
}

static void sift(struct cpu_point *heap, uint64_t i, uint64_t n) {
  struct cpu_point point = heap[i];
  for (uint64_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n) child += cpu_point_before(heap[child], heap[child + 1]);
    if (!cpu_point_before(point, heap[child])) break;
    heap[i] = heap[child];
  }
  heap[i] = point;
}

static void heapsort(struct cpu_point *points, uint64_t n) {
  for (uint64_t i = n / 2; i-- > 0;) sift(points, i, n);
  for (uint64_t end = n; end-- > 1;) {
    swap(&points[0], &points[end]);
    sift(points, 0, end);
  }
}

static void insertion_sort(struct cpu_point *points, uint64_t n) {
  for (uint64_t i = 1; i < n; i++) {
    struct cpu_point point = points[i];
    uint64_t j = i;
    for (; j > 0 && cpu_point_before(point, points[j - 1]); j--)
      points[j] = points[j - 1];
    points[j] = point;
  }
}

/* `floor` is the point just before the range, or NULL at the left end. */
static void sort_range(struct cpu_point *points, uint64_t n,
                       const struct cpu_point *floor, unsigned depth) {
  while (n > CUTOFF) {
    if (!depth--) {
      heapsort(points, n);
      return;
    }
    put_in_order(&points[n / 2], &points[n - 1]);
    put_in_order(&points[n / 2], &points[0]);
    put_in_order(&points[0], &points[n - 1]);
    bool is_least = floor && cpu_point_equal(*floor, points[0]);
    uint64_t pivot =
        is_least ? partition(points, n, true) : partition(points, n, false);
    if (!is_least) sort_range(points, pivot, floor, depth);
    floor = &points[pivot];
    points += pivot + 1;
    n -= pivot + 1;
  }
  insertion_sort(points, n);
}

void cpu_points_sort(struct cpu_point *points, uint64_t n) {
  unsigned lg_n = n ? 63 - (unsigned)__builtin_clzll(n) : 0;
  sort_range(points, n, NULL, 2 * lg_n);
}
