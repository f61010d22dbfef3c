/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Proves a hull, however it was found: a convex polygon whose vertices are
 * points of the input and that has all of them inside is the hull.  The input
 * is sorted for it, or looking up each point would take far longer than the
 * hull did.
 */
#include "cpu_algos/hull.h"
#include "cpu_algos/orient.h"

/* The answer's vertices from the leftmost, number 0, to the rightmost. */
struct chain {
  const struct cpu_point *hull;
  uint64_t vertices; /* of the whole hull */
  uint64_t last;
  int side; /* 1: the lower chain, which has the hull to its left; -1 */
};

static struct cpu_point vertex(const struct chain *chain, uint64_t i) {
  return chain->hull[chain->side > 0 || !i ? i : chain->vertices - i];
}

/* Each step to the right, each turn towards the hull. */
static bool convex(const struct chain *chain) {
  for (uint64_t i = 0; i < chain->last; i++) {
    if (!cpu_point_before(vertex(chain, i), vertex(chain, i + 1))) return false;
    if (i && chain->side * cpu_orient(vertex(chain, i - 1), vertex(chain, i),
                                      vertex(chain, i + 1)) <=
                 0)
      return false;
  }
  return true;
}

/* Of sorted points: is none beyond the chain, and each vertex one of them? */
static const char *check_chain(const struct chain *chain,
                               const struct cpu_point *points, uint64_t n) {
  uint64_t at = 0;   /* the last vertex that is not behind the point */
  uint64_t seen = 0; /* vertices that are points */
  for (uint64_t i = 0; i < n; i++) {
    struct cpu_point p = points[i];
    while (at < chain->last && !cpu_point_before(p, vertex(chain, at + 1)))
      if (seen != ++at) return "a vertex is not a point of the input";
    bool equal = cpu_point_equal(p, vertex(chain, at));
    if (equal) seen = at + 1;
    if (!equal && (cpu_point_before(p, vertex(chain, at)) || at == chain->last))
      return "a point is outside of the hull";
    if (!equal &&
        chain->side * cpu_orient(vertex(chain, at), vertex(chain, at + 1), p) <
            0)
      return "a point is outside of the hull";
  }
  return seen == chain->last + 1 ? NULL
                                 : "a vertex is not a point of the input";
}

/* The input once more, sorted, in place of what a run has left of it. */
static const char *sort_input(const struct algo_run *run, bool floats) {
  struct cpu_point *points = cpu_hull_points(run, 0);
  for (uint64_t i = 0; i < run->n; i++)
    points[i] = cpu_points_at(run, i, floats);
  cpu_points_sort(points, run->n);
  for (uint64_t i = 1; i < run->n; i++)
    if (cpu_point_before(points[i], points[i - 1]))
      return "the input could not be sorted";
  if (cpu_hull_print(points, run->n) != run->fingerprint[0])
    return "the input has been changed";
  return NULL;
}

static const char *check(const struct algo_run *run, bool floats) {
  const uint64_t vertices = run->result;
  const struct cpu_point *hull = cpu_hull_points(run, 1);
  if (vertices > run->n || !vertices != !run->n)
    return "the hull has too few or too many vertices";
  if (!vertices) return NULL;
  uint64_t right = 0;
  for (uint64_t i = 1; i < vertices; i++)
    if (cpu_point_before(hull[right], hull[i])) right = i;
  const struct chain lower = {hull, vertices, right, 1};
  const struct chain upper = {hull, vertices, right ? vertices - right : 0, -1};
  if ((!right && vertices > 1) || !convex(&lower) || !convex(&upper))
    return "the hull is not convex";
  const char *wrong = sort_input(run, floats);
  if (!wrong) wrong = check_chain(&lower, cpu_hull_points(run, 0), run->n);
  if (!wrong) wrong = check_chain(&upper, cpu_hull_points(run, 0), run->n);
  return wrong;
}

const char *cpu_hull_check(const struct algo_run *run) {
  return check(run, false);
}

const char *cpu_hull_check_float(const struct algo_run *run) {
  return check(run, true);
}
