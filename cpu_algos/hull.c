/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/hull.h"

#include <string.h>

#include "cpu_algos/chain.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"

/* Two arrays of two numbers a point, and a point to close the polygon. */
size_t cpu_hull_bytes(uint64_t n) { return cpu_keys_bytes(n, 4, 2); }

void cpu_hull_widen(const struct algo_run *run) {
  const struct cpu_point_float *from = cpu_hull_floats(run);
  struct cpu_point *to = cpu_hull_points(run, 0);
  for (uint64_t i = run->n; i-- > 0;) {
    struct cpu_point_float point;
    memcpy(&point, &from[i], sizeof point);
    to[i] = (struct cpu_point){point.x, point.y};
  }
}

static uint64_t bits_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* A number that tells inputs apart (but for a chance of about 2^-64). */
static uint64_t add_print(uint64_t print, uint64_t i, struct cpu_point point) {
  uint64_t x = cpu_random_mix(bits_of(point.x) + cpu_random_at(1, i));
  return print + cpu_random_mix(x + bits_of(point.y));
}

static void restore(struct algo_run *run, bool floats) {
  memset(run->memory, 0, cpu_hull_bytes(run->n));
  struct cpu_point *points = cpu_hull_points(run, 0);
  struct cpu_point_float *single = (struct cpu_point_float *)(void *)points;
  for (uint64_t i = 0; i < run->n; i++) {
    struct cpu_point p = cpu_points_at(run, i, floats);
    if (floats)
      single[i] = (struct cpu_point_float){(float)p.x, (float)p.y};
    else
      points[i] = p;
  }
  run->result = UINT64_MAX; /* a run that does nothing is found out */
}

static void setup(struct algo_run *run, bool floats) {
  uint64_t print = 0;
  for (uint64_t i = 0; i < run->n; i++)
    print = add_print(print, i, cpu_points_at(run, i, floats));
  run->fingerprint[0] = print;
  run->fingerprint[1] = 0;
  restore(run, floats);
}

void cpu_hull_restore(struct algo_run *run) { restore(run, false); }
void cpu_hull_restore_float(struct algo_run *run) { restore(run, true); }
void cpu_hull_setup(struct algo_run *run) { setup(run, false); }
void cpu_hull_setup_float(struct algo_run *run) { setup(run, true); }

void cpu_hull_answer(const struct algo_run *run, struct algo_data *answer) {
  *answer = (struct algo_data){.count = run->result,
                               .items = cpu_hull_points(run, 1)};
}

uint64_t cpu_hull_of_sorted(const struct cpu_point *points, uint64_t n,
                            struct cpu_point *hull) {
  uint64_t lower = 0, upper = 0;
  for (uint64_t i = 0; i < n; i++)
    lower = cpu_chain_add(hull, lower, points[i]);
  if (n < 2 || cpu_point_equal(points[0], points[n - 1])) return n ? 1 : 0;
  /* The way back begins at the last vertex and ends at the first, which is
   * one too many. */
  lower--;
  for (uint64_t i = n; i-- > 0;)
    upper = cpu_chain_add(hull + lower, upper, points[i]);
  return lower + upper - 1;
}

/* The chain from[0..count), which goes from left to right (`sign` 1) or back
 * (-1), as a search tree: an answer to be checked and how far it has been. */
struct chain {
  const struct cpu_point *hull; /* its vertices, cyclically */
  uint64_t vertices;            /* of the whole hull */
  uint64_t first, last;         /* indices of the chain's; last may be 0 + n */
  bool back;
  unsigned char *seen; /* of each vertex: a point of the input */
};

static struct cpu_point vertex(const struct chain *chain, uint64_t i) {
  return chain->hull[i < chain->vertices ? i : 0];
}

static bool before(const struct chain *chain, struct cpu_point a,
                   struct cpu_point b) {
  return chain->back ? cpu_point_before(b, a) : cpu_point_before(a, b);
}

/* Is the point on the chain or to its left?  Then it is inside, for one of the
 * two chains; between its ends for both. */
static bool holds(const struct chain *chain, struct cpu_point p) {
  uint64_t low = chain->first, high = chain->last;
  if (before(chain, p, vertex(chain, low)) ||
      before(chain, vertex(chain, high), p))
    return false;
  while (high - low > 1) { /* low is not behind p, high not before it */
    uint64_t middle = low + (high - low) / 2;
    if (before(chain, p, vertex(chain, middle)))
      high = middle;
    else
      low = middle;
  }
  for (uint64_t i = low; i <= high; i++)
    if (cpu_point_equal(vertex(chain, i), p))
      chain->seen[i < chain->vertices ? i : 0] = 1;
  return cpu_orient(vertex(chain, low), vertex(chain, high), p) >= 0;
}

/* Each step in the chain's direction, each turn to the left. */
static bool convex(const struct chain *chain) {
  for (uint64_t i = chain->first; i < chain->last; i++) {
    if (!before(chain, vertex(chain, i), vertex(chain, i + 1))) return false;
    if (i > chain->first && cpu_orient(vertex(chain, i - 1), vertex(chain, i),
                                       vertex(chain, i + 1)) <= 0)
      return false;
  }
  return true;
}

/* Of the whole answer: split at the last vertex from left to right. */
static const char *check_chains(const struct algo_run *run, bool floats,
                                const struct chain *lower,
                                const struct chain *upper) {
  if (!convex(lower) || !convex(upper)) return "the hull is not convex";
  uint64_t print = 0;
  for (uint64_t i = 0; i < run->n; i++) {
    struct cpu_point point = cpu_points_at(run, i, floats);
    print = add_print(print, i, point);
    if (!holds(lower, point) || !holds(upper, point))
      return "a point is outside of the hull";
  }
  if (print != run->fingerprint[0]) return "the input has been changed";
  for (uint64_t i = 0; i < lower->vertices; i++)
    if (!lower->seen[i]) return "a vertex is not a point of the input";
  return NULL;
}

/*
 * Proves the answer, however it was found: a convex polygon whose vertices are
 * points of the input and that has all of them inside is the hull.  The first
 * array, which a run leaves with nothing of use, notes the vertices seen.
 */
static const char *check(const struct algo_run *run, bool floats) {
  const uint64_t vertices = run->result;
  const struct cpu_point *hull = cpu_hull_points(run, 1);
  if (vertices > run->n || !vertices != !run->n)
    return "the hull has too few or too many vertices";
  if (!vertices) return NULL;
  uint64_t right = 0;
  for (uint64_t i = 1; i < vertices; i++)
    if (cpu_point_before(hull[right], hull[i])) right = i;
  memset(run->memory, 0, vertices);
  const struct chain lower = {hull, vertices, 0, right, false, run->memory};
  const struct chain upper = {hull, vertices,   right, right ? vertices : 0,
                              true, run->memory};
  return check_chains(run, floats, &lower, &upper);
}

const char *cpu_hull_check(const struct algo_run *run) {
  return check(run, false);
}

const char *cpu_hull_check_float(const struct algo_run *run) {
  return check(run, true);
}
