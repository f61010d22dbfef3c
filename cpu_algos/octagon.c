/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A point that lies to the left of all edges of a closed polygon is in the hull
 * of its corners: seen from the point they go round it, which they could not on
 * one side of a line.  So any corners will do, and those of a sample save a
 * pass for the true ones.  (Jurkiewicz, PhD thesis, section 3.5, takes the four
 * points at the corners of the whole input.)
 */
#include "cpu_algos/octagon.h"

#include <math.h>

#include "cpu_algos/lanes.h"
#include "cpu_algos/widths.h"

enum {
  EDGES = 8,
  SAMPLE_PART = 128, /* a sample of n / 128 */
  SAMPLE_MOST = 1 << 16
};

/* A point is inside if a x + b y > c for each edge, |x| <= width and
 * |y| <= height. */
struct octagon {
  double a[EDGES], b[EDGES], c[EDGES];
  double width, height;
};

static const struct cpu_point directions[EDGES] = {
    {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

/* Points that are doubles or floats. */
struct points {
  const struct cpu_point *doubles; /* or NULL */
  const struct cpu_point_float *floats;
  uint64_t n;
};

static struct cpu_point point_of(const struct points *points, uint64_t i) {
  if (points->doubles) return points->doubles[i];
  return (struct cpu_point){points->floats[i].x, points->floats[i].y};
}

/* The farthest of a sample in each direction. */
static void find_corners(const struct points *points,
                         struct cpu_point corners[EDGES]) {
  const uint64_t n = points->n;
  uint64_t step = n / SAMPLE_MOST > SAMPLE_PART ? n / SAMPLE_MOST : SAMPLE_PART;
  double farthest[EDGES];
  for (int d = 0; d < EDGES; d++) farthest[d] = -INFINITY;
  for (uint64_t i = 0; i < n; i += step) {
    struct cpu_point p = point_of(points, i);
    for (int d = 0; d < EDGES; d++) {
      double distance = p.x * directions[d].x + p.y * directions[d].y;
      if (distance > farthest[d]) farthest[d] = distance, corners[d] = p;
    }
  }
}

/*
 * The edge from p to q: a and b are its rounded differences, c is more than a x
 * + b y on it by more than all roundings: of a, b and c, at most 2^-53 each of
 * what they are made of, twice, and of the test.
 */
static void set_edge(struct octagon *octagon, int edge, struct cpu_point p,
                     struct cpu_point q) {
  double a = p.y - q.y, b = q.x - p.x;
  double size = fabs(a) * octagon->width + fabs(b) * octagon->height;
  octagon->a[edge] = a;
  octagon->b[edge] = b;
  octagon->c[edge] = a * p.x + b * p.y + 0x1p-48 * size;
}

/* An edge without a length says nothing and is replaced by another; without
 * any, nothing is inside. */
static void set_edges(struct octagon *octagon,
                      const struct cpu_point corners[EDGES]) {
  octagon->width = fmax(fabs(corners[0].x), fabs(corners[4].x));
  octagon->height = fmax(fabs(corners[2].y), fabs(corners[6].y));
  int any = 0;
  while (any < EDGES - 1 && cpu_point_equal(corners[any], corners[any + 1]))
    any++;
  for (int edge = 0; edge < EDGES; edge++) {
    int next = (edge + 1) % EDGES;
    bool empty = cpu_point_equal(corners[edge], corners[next]);
    set_edge(octagon, edge, corners[empty ? any : edge],
             corners[empty ? (any + 1) % EDGES : next]);
  }
}

/* Points are judged so many at a time. */
enum { BLOCK = 64 };

static inline bool is_inside(const struct octagon *octagon,
                             struct cpu_point p) {
  bool inside = (fabs(p.x) <= octagon->width) & (fabs(p.y) <= octagon->height);
  for (int edge = 0; edge < EDGES; edge++)
    inside &=
        octagon->a[edge] * p.x + octagon->b[edge] * p.y > octagon->c[edge];
  return inside;
}

/* inside[i] becomes -1 if point i is inside, else 0. */
static inline __attribute__((always_inline)) void judge(
    const struct octagon *given, const struct points *points, int64_t *inside) {
  /* What has no other name need not be reread, nor be traced. */
  const struct octagon copy = *given, *octagon = &copy;
  uint64_t i = 0;
#if CPU_SEES_VECTORS
  for (; i + CPU_LANES <= points->n; i += CPU_LANES) {
    cpu_lanes low, high;
    if (points->doubles) {
      low = CPU_LANES_LOAD(points->doubles + i);
      high = CPU_LANES_LOAD(points->doubles + i + 2);
    } else {
      low = CPU_LANES_LOAD_FLOATS(points->floats + i);
      high = CPU_LANES_LOAD_FLOATS(points->floats + i + 2);
    }
    cpu_lanes x = CPU_LANES_X_OF(low, high), y = CPU_LANES_Y_OF(low, high);
    cpu_lanes_mask mask = (CPU_LANES_ABS(x) <= octagon->width) &
                          (CPU_LANES_ABS(y) <= octagon->height);
    for (int edge = 0; edge < EDGES; edge++)
      mask &= octagon->a[edge] * x + octagon->b[edge] * y > octagon->c[edge];
    CPU_LANES_STORE(inside + i, mask);
  }
#endif
  for (; i < points->n; i++)
    inside[i] = -(int64_t)is_inside(octagon, point_of(points, i));
}

CPU_EACH_WIDTH static void judge_doubles(const struct octagon *octagon,
                                         const struct cpu_point *points,
                                         uint64_t count, int64_t *inside) {
  judge(octagon, &(struct points){points, NULL, count}, inside);
}

CPU_EACH_WIDTH static void judge_floats(const struct octagon *octagon,
                                        const struct cpu_point_float *points,
                                        uint64_t count, int64_t *inside) {
  judge(octagon, &(struct points){NULL, points, count}, inside);
}

static uint64_t keep(const struct points *points, struct cpu_point *to) {
  struct cpu_point corners[EDGES] = {{0, 0}};
  struct octagon octagon;
  int64_t inside[BLOCK];
  find_corners(points, corners);
  set_edges(&octagon, corners);
  uint64_t kept = 0;
  for (uint64_t i = 0; i < points->n; i += BLOCK) {
    uint64_t rest = points->n - i, count = rest < BLOCK ? rest : BLOCK;
    if (points->doubles)
      judge_doubles(&octagon, points->doubles + i, count, inside);
    else
      judge_floats(&octagon, points->floats + i, count, inside);
    for (uint64_t j = 0; j < count; j++) {
      to[kept] = point_of(points, i + j);
      kept += 1 + (uint64_t)inside[j];
    }
  }
  return kept;
}

uint64_t cpu_octagon_keep(const struct cpu_point *from, uint64_t n,
                          struct cpu_point *to) {
  return keep(&(struct points){from, NULL, n}, to);
}

uint64_t cpu_octagon_keep_float(const struct cpu_point_float *from, uint64_t n,
                                struct cpu_point *to) {
  return keep(&(struct points){NULL, from, n}, to);
}
