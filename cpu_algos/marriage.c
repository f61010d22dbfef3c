/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sequential convex hull of Jurkiewicz, PhD thesis, section 3.1, which is
 * marriage before conquest after Bhattacharya and Sen (1997): O(n log h).
 *
 * Written for a lower hull, from left to right; the upper one is that of the
 * negated points.  Of a part between two points l and r, all of its points to
 * the right of the line from l to r, algorithm 2 takes the lowest point m in
 * the direction normal to a random pair, and algorithm 3 keeps the points to
 * the right of l m before m and those to the right of m r behind it.  Its pairs
 * are what guarantees that parts shrink; they cost a second look at each point,
 * and so wait for a part that has kept seven eighths of the last one.  That is
 * at most every second pass wasted, so the order of the whole stays.
 *
 * Which points are dropped is decided exactly, and each is on or above a line
 * between two others of the input: so no vertex is lost, whichever m rounding
 * made the lowest, and a chain (chain.h) over what is left, which comes out
 * from left to right, is the hull.
 */
#include "cpu_algos/chain.h"
#include "cpu_algos/hull.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/lanes.h"
#include "cpu_algos/octagon.h"
#include "cpu_algos/random.h"
#include "cpu_algos/widths.h"

/* Parts of at most so many points are sorted: from 24 to 64 it takes the same
 * time on a KVM guest of Zen 5. */
enum { SMALL = 32 };

/* What is between l and r: from[first..end), to go to the same place in `to`.
 * `passes` are left until the rest is sorted, however large. */
struct part {
  struct cpu_point *from, *to;
  uint64_t first, end;
  struct cpu_point l, r;
  unsigned passes;
  bool in_pairs; /* use algorithm 3's pairs */
};

struct marriage {
  struct cpu_random random;
  struct cpu_point *hull; /* of hull[0..count), a lower chain, a part so far */
  uint64_t count;
};

enum { AT_L = -2, AT_R = -1 }; /* in place of the index of a point */

/* From the left point of a random pair to its right one. */
static struct cpu_point random_slope(struct marriage *marriage,
                                     const struct part *part) {
  uint64_t pairs = (part->end - part->first) / 2;
  uint64_t i = part->first + 2 * cpu_random_below(&marriage->random, pairs);
  struct cpu_point a = part->from[i], b = part->from[i + 1];
  struct cpu_point slope = {b.x - a.x, b.y - a.y};
  return slope.x < 0 ? cpu_point_negated(slope) : slope;
}

static bool steeper(struct cpu_point a, struct cpu_point b) {
  return a.y * b.x > b.y * a.x;
}

/* The median of three splits better than any, as in quicksort. */
static struct cpu_point choose_slope(struct marriage *marriage,
                                     const struct part *part) {
  struct cpu_point a = random_slope(marriage, part);
  struct cpu_point b = random_slope(marriage, part);
  struct cpu_point c = random_slope(marriage, part);
  bool ab = steeper(a, b), bc = steeper(b, c), ac = steeper(a, c);
  return ab == bc ? b : ab == ac ? c : a;
}

/* Index of the lowest point of the part in the direction normal to a random
 * pair, or AT_L or AT_R: algorithm 2. */
static int64_t select_pivot(struct marriage *marriage,
                            const struct part *part) {
  const struct cpu_point *points = part->from + part->first, l = part->l;
  const uint64_t n = part->end - part->first;
  const struct cpu_point slope = choose_slope(marriage, part);
  double lowest = 0;
  int64_t at = AT_L;
  double height = (part->r.y - l.y) * slope.x - (part->r.x - l.x) * slope.y;
  if (height < lowest) lowest = height, at = AT_R;
  for (uint64_t i = 0; i < n; i++) {
    height = (points[i].y - l.y) * slope.x - (points[i].x - l.x) * slope.y;
    at = height < lowest ? (int64_t)i : at;
    lowest = height < lowest ? height : lowest;
  }
  return at < 0 ? at : at + (int64_t)part->first;
}

/* Where kept points go: those before m to the front, the others to the back.
 * If m was one of them, it leaves its place before them to the hull. */
struct sides {
  uint64_t front, back;
};

static void put(struct sides *sides, struct cpu_point *to, struct cpu_point p,
                int side) {
  if (side < 0) to[sides->front++] = p;
  if (side > 0) to[--sides->back] = p;
}

/* On which side of m a point goes on, or 0. */
static int side_of(const struct part *part, struct cpu_point m,
                   struct cpu_point p) {
  if (cpu_point_before(p, m)) return cpu_orient(part->l, m, p) < 0 ? -1 : 0;
  return cpu_orient(m, part->r, p) < 0 ? 1 : 0;
}

/* Points are judged so many at a time. */
enum { BLOCK = 32 };

/* What is done with each point of a block, -1 for yes: an array of masks. */
struct verdicts {
  int64_t before[BLOCK], behind[BLOCK]; /* goes to that side of m */
};

/* From m, with the sides that lead to and from it. */
struct corner {
  struct cpu_point m, before, behind; /* l - m, m - r */
};

/* True if there is doubt about a point. */
static inline bool judge_one(const struct corner *corner,
                             const struct cpu_point *points,
                             struct verdicts *verdicts, uint64_t i) {
  double x = points[i].x - corner->m.x, y = points[i].y - corner->m.y;
  double left = x * (x < 0 ? corner->before.y : corner->behind.y);
  double right = y * (x < 0 ? corner->before.x : corner->behind.x);
  double size = __builtin_fabs(left) + __builtin_fabs(right);
  double area = left - right;
  verdicts->before[i] = -(int64_t)((area < 0) & (x < 0));
  verdicts->behind[i] = -(int64_t)((area < 0) & !(x < 0));
  return (x == 0) | (__builtin_fabs(area) <= CPU_TURN_ERROR * size);
}

#if CPU_PLAIN_ACCESSES
static bool judge(const struct corner *corner, const struct cpu_point *points,
                  uint64_t count, struct verdicts *verdicts) {
  bool doubt = false;
  for (uint64_t i = 0; i < count; i++)
    doubt |= judge_one(corner, points, verdicts, i);
  return doubt;
}
#else
static inline __attribute__((always_inline)) bool judge(
    const struct corner *corner, const struct cpu_point *points, uint64_t count,
    struct verdicts *verdicts) {
  cpu_lanes_mask doubt = {0, 0, 0, 0};
  uint64_t i = 0;
  for (; i + CPU_LANES <= count; i += CPU_LANES) {
    cpu_lanes x = CPU_LANES_X(points + i) - corner->m.x;
    cpu_lanes y = CPU_LANES_Y(points + i) - corner->m.y;
    cpu_lanes_mask before = x < 0, equal = x == 0;
    cpu_lanes left =
        x * CPU_LANES_CHOOSE(before, CPU_LANES_ALL(corner->before.y),
                             CPU_LANES_ALL(corner->behind.y));
    cpu_lanes right =
        y * CPU_LANES_CHOOSE(before, CPU_LANES_ALL(corner->before.x),
                             CPU_LANES_ALL(corner->behind.x));
    cpu_lanes area = left - right;
    cpu_lanes size = CPU_LANES_ABS(left) + CPU_LANES_ABS(right);
    cpu_lanes_mask kept = area < 0;
    doubt |= equal | (CPU_LANES_ABS(area) <= CPU_TURN_ERROR * size);
    CPU_LANES_STORE(verdicts->before + i, kept & before);
    CPU_LANES_STORE(verdicts->behind + i, kept & ~before);
  }
  bool any = doubt[0] | doubt[1] | doubt[2] | doubt[3];
  for (; i < count; i++) any |= judge_one(corner, points, verdicts, i);
  return any;
}
#endif

/*
 * Algorithm 3 without its pairs.  Each point of a block is written to both
 * ends, and the ends move by the verdict instead of branching on it: on a KVM
 * guest of Zen 5, 10^6 points of a circle took 200 ms with branches and pairs
 * in a quarter of the passes, 66 ms as it is, std::sort and a chain 122.
 */
CPU_EACH_WIDTH static struct sides partition(const struct part *part,
                                             struct cpu_point m,
                                             struct sides sides) {
  const struct corner corner = {m,
                                {part->l.x - m.x, part->l.y - m.y},
                                {m.x - part->r.x, m.y - part->r.y}};
  struct verdicts verdicts;
  struct cpu_point *to = part->to;
  for (uint64_t i = part->first; i < part->end; i += BLOCK) {
    const struct cpu_point *points = part->from + i;
    const uint64_t rest = part->end - i, count = rest < BLOCK ? rest : BLOCK;
    if (__builtin_expect(judge(&corner, points, count, &verdicts), false))
      for (uint64_t j = 0; j < count; j++) {
        int side = side_of(part, m, points[j]);
        verdicts.before[j] = -(side < 0);
        verdicts.behind[j] = -(side > 0);
      }
    for (uint64_t j = 0; j < count; j++) {
      to[sides.front] = points[j];
      to[sides.back - 1] = points[j];
      sides.front -= (uint64_t)verdicts.before[j];
      sides.back += (uint64_t)verdicts.behind[j];
    }
  }
  return sides;
}

/* Algorithm 3's second reason to drop a point: it is in the hull of l, m, r and
 * the other of its pair.  Of two equal points one stays. */
static void drop_one(const struct part *part, struct cpu_point m,
                     struct cpu_point p, struct cpu_point q, int *side_of_p,
                     int *side_of_q) {
  if (!*side_of_p || *side_of_p != *side_of_q) return;
  bool swapped = cpu_point_before(q, p);
  struct cpu_point first = swapped ? q : p, second = swapped ? p : q;
  struct cpu_point start = *side_of_p < 0 ? part->l : m;
  struct cpu_point end = *side_of_p < 0 ? m : part->r;
  if (cpu_orient(first, end, second) >= 0)
    *(swapped ? side_of_p : side_of_q) = 0;
  else if (cpu_orient(start, second, first) >= 0)
    *(swapped ? side_of_q : side_of_p) = 0;
}

/* Algorithm 3; m may be l or r. */
static struct sides partition_pairs(const struct part *part, struct cpu_point m,
                                    struct sides sides) {
  uint64_t i = part->first;
  for (; i + 1 < part->end; i += 2) {
    struct cpu_point p = part->from[i], q = part->from[i + 1];
    int side_of_p = side_of(part, m, p), side_of_q = side_of(part, m, q);
    drop_one(part, m, p, q, &side_of_p, &side_of_q);
    put(&sides, part->to, p, side_of_p);
    put(&sides, part->to, q, side_of_q);
  }
  if (i < part->end)
    put(&sides, part->to, part->from[i], side_of(part, m, part->from[i]));
  return sides;
}

static void add(struct marriage *marriage, struct cpu_point point) {
  marriage->count = cpu_chain_add(marriage->hull, marriage->count, point);
}

static void add_sorted(struct marriage *marriage, const struct part *part) {
  cpu_points_sort(part->from + part->first, part->end - part->first);
  for (uint64_t i = part->first; i < part->end; i++)
    add(marriage, part->from[i]);
}

/* The part of a part that is now first..end, between l and r. */
static struct part child_of(const struct part *part, uint64_t first,
                            uint64_t end, struct cpu_point l,
                            struct cpu_point r) {
  uint64_t least = (part->end - part->first) / 8;
  return (struct part){part->to,
                       part->from,
                       first,
                       end,
                       l,
                       r,
                       part->passes - 1,
                       end - first > part->end - part->first - least};
}

/* Add the vertices between l and r: algorithm 1.  Recurs to the left. */
static void conquer(struct marriage *marriage, struct part part) {
  while (part.end - part.first > SMALL && part.passes) {
    int64_t at = select_pivot(marriage, &part);
    struct cpu_point m = at == AT_L   ? part.l
                         : at == AT_R ? part.r
                                      : part.from[at];
    struct sides sides = {part.first + (at >= 0), part.end};
    const struct sides all = sides;
    if (at >= 0) part.from[at] = part.from[--part.end];
    sides = at < 0 || part.in_pairs ? partition_pairs(&part, m, sides)
                                    : partition(&part, m, sides);
    struct part left = child_of(&part, all.front, sides.front, part.l, m);
    part = child_of(&part, sides.back, all.back, m, part.r);
    if (at == AT_R) {
      part = left;
    } else if (at >= 0) {
      conquer(marriage, left);
      add(marriage, m);
    }
  }
  add_sorted(marriage, &part);
}

/* Split kept[0..count) by the line from l to r: what is to its right to
 * points[1..end), the negated points to its left to points[*upper..count). */
static uint64_t split(const struct cpu_point *kept, uint64_t count,
                      struct cpu_point l, struct cpu_point r,
                      struct cpu_point *points, uint64_t *upper) {
  uint64_t front = 1, back = count;
  for (uint64_t i = 0; i < count; i++) {
    struct cpu_area rounded = cpu_area_of(l, r, kept[i]);
    bool right = rounded.area<0, left = rounded.area> 0;
    if (__builtin_expect(__builtin_fabs(rounded.area) <= rounded.error, 0)) {
      int side = cpu_orient_exact(l, r, kept[i]);
      right = side < 0;
      left = side > 0;
    }
    points[front] = kept[i];
    points[back - 1] = cpu_point_negated(kept[i]);
    front += right;
    back -= left;
  }
  *upper = back;
  return front;
}

/* Four times as deep as halves go, which random pairs hardly ever need. */
static unsigned most_passes(uint64_t n) {
  return 4 * (64 - (unsigned)__builtin_clzll(n | 1));
}

/* Both chains of what the octagon has left in the second array.  A vertex
 * takes no more place there than the points before it: l and r have one each,
 * so parts begin at 1. */
static uint64_t marry(struct marriage *marriage, const struct algo_run *run,
                      uint64_t count) {
  struct cpu_point *points = cpu_hull_points(run, 0);
  struct cpu_point *kept = cpu_hull_points(run, 1), l = kept[0], r = kept[0];
  for (uint64_t i = 1; i < count; i++) {
    if (cpu_point_before(kept[i], l)) l = kept[i];
    if (cpu_point_before(r, kept[i])) r = kept[i];
  }
  if (cpu_point_equal(l, r)) {
    kept[0] = l;
    return 1;
  }
  const unsigned passes = most_passes(count);
  uint64_t upper, end = split(kept, count, l, r, points, &upper);
  add(marriage, l);
  conquer(marriage, (struct part){points, kept, 1, end, l, r, passes, false});
  add(marriage, r); /* takes away what is no vertex before it */
  uint64_t lower = marriage->count - 1;
  marriage->hull += lower;
  marriage->count = 0;
  l = cpu_point_negated(l);
  r = cpu_point_negated(r);
  add(marriage, r);
  conquer(marriage,
          (struct part){points, kept, upper, count, r, l, passes, false});
  add(marriage, l);
  for (uint64_t i = 0; i + 1 < marriage->count; i++)
    marriage->hull[i] = cpu_point_negated(marriage->hull[i]);
  return lower + marriage->count - 1;
}

uint64_t cpu_hull_marry(const struct algo_run *run, bool floats) {
  if (!run->n) return 0;
  struct cpu_point *kept = cpu_hull_points(run, 1);
  uint64_t count =
      floats ? cpu_octagon_keep_float(cpu_hull_floats(run), run->n, kept)
             : cpu_octagon_keep(cpu_hull_points(run, 0), run->n, kept);
  struct marriage marriage = {{cpu_keys_seed(run->seed, 1)}, kept, 0};
  return marry(&marriage, run, count);
}
