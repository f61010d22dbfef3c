/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cpu_algos/hulls.h"

#include <math.h>

#include "tests/cpu_algos/workspace.h"

__extension__ typedef __int128 wide;

int whole_orient(struct whole_point a, struct whole_point b,
                 struct whole_point c) {
  wide left = (wide)(b.x - a.x) * (c.y - a.y);
  wide right = (wide)(b.y - a.y) * (c.x - a.x);
  return (left > right) - (left < right);
}

static bool same(struct whole_point p, struct whole_point q) {
  return p.x == q.x && p.y == q.y;
}

/* Is r, on the line of p and q, not beyond either? */
static bool between(struct whole_point p, struct whole_point q,
                    struct whole_point r) {
  int64_t low_x = p.x < q.x ? p.x : q.x, high_x = p.x < q.x ? q.x : p.x;
  int64_t low_y = p.y < q.y ? p.y : q.y, high_y = p.y < q.y ? q.y : p.y;
  return low_x <= r.x && r.x <= high_x && low_y <= r.y && r.y <= high_y;
}

static bool is_edge(const struct whole_point *points, uint64_t n,
                    struct whole_point p, struct whole_point q) {
  if (same(p, q)) return false;
  for (uint64_t i = 0; i < n; i++) {
    int side = whole_orient(p, q, points[i]);
    if (side < 0 || (side == 0 && !between(p, q, points[i]))) return false;
  }
  return true;
}

uint64_t hull_by_definition(const struct whole_point *points, uint64_t n,
                            struct whole_point *hull) {
  if (!n) return 0;
  struct whole_point first = points[0];
  for (uint64_t i = 1; i < n; i++)
    if (points[i].x < first.x ||
        (points[i].x == first.x && points[i].y < first.y))
      first = points[i];
  hull[0] = first;
  for (uint64_t count = 1;; count++) {
    uint64_t next = 0;
    while (next < n && !is_edge(points, n, hull[count - 1], points[next]))
      next++;
    if (next == n || same(points[next], first)) return count;
    if (count == n) abort(); /* the definition closes the polygon */
    hull[count] = points[next];
  }
}

struct cpu_point *hull_by_algo(const char *name, const struct cpu_point *points,
                               uint64_t n, uint64_t *vertices) {
  const struct algo *algo = cpu_algo_find(name);
  const struct algo_data given = {.count = n, .items = points};
  struct algo_data answer;
  if (!algo || algo->refuse(&given)) abort();
  struct algo_run run = workspace_open(algo, n, 1);
  run.given = &given;
  algo->setup(&run);
  algo->run(&run);
  algo->answer(&run, &answer);
  *vertices = answer.count;
  CU_ASSERT_TRUE(workspace_guarded(&run));
  CU_ASSERT_TRUE_FATAL(answer.count <= n);
  struct cpu_point *hull = malloc((n + 1) * sizeof *hull);
  if (!hull) abort();
  memcpy(hull, answer.items, answer.count * sizeof *hull);
  const char *wrong = algo->check(&run);
  CU_ASSERT_PTR_NULL(wrong);
  if (wrong) fprintf(stderr, "%s: %s\n", name, wrong);
  workspace_close(&run);
  return hull;
}

static void complain(const char *name, const struct cpu_point *points,
                     uint64_t n) {
  fprintf(stderr, "%s is wrong on %llu points:", name, (unsigned long long)n);
  for (uint64_t i = 0; i < n && i < 64; i++)
    fprintf(stderr, " %a,%a", points[i].x, points[i].y);
  fprintf(stderr, "\n");
}

bool all_find(const struct cpu_point *points, uint64_t n,
              const struct cpu_point *hull, uint64_t vertices, bool floats) {
  static const char *const names[] = {"hull2d", "andrew_hull", "hull2d_float",
                                      "andrew_hull_float"};
  bool all = true;
  for (size_t i = 0; i < (floats ? 4 : 2); i++) {
    uint64_t count;
    struct cpu_point *found = hull_by_algo(names[i], points, n, &count);
    bool right = count == vertices;
    for (uint64_t j = 0; right && j < count; j++)
      right = cpu_point_equal(found[j], hull[j]);
    if (!right) complain(names[i], points, n);
    free(found);
    all &= right;
  }
  return all;
}

bool all_find_defined(const struct whole_point *points, uint64_t n, int shift,
                      bool floats) {
  enum { MOST = 64 };
  struct whole_point defined[MOST];
  struct cpu_point given[MOST], hull[MOST];
  if (n > MOST) abort();
  uint64_t vertices = hull_by_definition(points, n, defined);
  for (uint64_t i = 0; i < n; i++)
    given[i] = (struct cpu_point){ldexp((double)points[i].x, -shift),
                                  ldexp((double)points[i].y, -shift)};
  for (uint64_t i = 0; i < vertices; i++)
    hull[i] = (struct cpu_point){ldexp((double)defined[i].x, -shift),
                                 ldexp((double)defined[i].y, -shift)};
  return all_find(given, n, hull, vertices, floats);
}
