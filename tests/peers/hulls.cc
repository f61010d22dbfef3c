// SPDX-License-Identifier: GPL-3.0-or-later
// Convex hulls: qhull, loaded when the benchmark starts, and a monotone chain
// as one writes it with the standard library.  Both decide by rounded numbers,
// so that a hull of nearly collinear points is not quite right; they are held
// to the farthest points in some directions.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>

#include "tests/peers/peers.h"

extern "C" {
#include "cpu_algos/hull.h"
}
#if __has_include(<libqhull_r/libqhull_r.h>)
extern "C" {
#include <libqhull_r/libqhull_r.h>
}
#define HAVE_QHULL 1
#endif

// The farthest of n points, to so many degrees from the x axis.
static double farthest(const cpu_point *points, uint64_t n, int degrees) {
  const double x = degrees % 180 == 90 ? 0 : degrees < 90 ? 1 : -1;
  const double y = degrees % 180 == 0 ? 0 : degrees < 180 ? 1 : -1;
  double most = points[0].x * x + points[0].y * y;
  for (uint64_t i = 1; i < n; i++)
    most = std::max(most, points[i].x * x + points[i].y * y);
  return most;
}

static const char *check_farthest(const algo_run *run) {
  std::vector<cpu_point> input(run->n);
  for (uint64_t i = 0; i < run->n; i++) input[i] = cpu_points_at(run, i, false);
  if (run->result < 3 || run->result > run->n) return "that is no hull";
  for (int degrees = 0; degrees < 360; degrees += 90)
    if (farthest(input.data(), run->n, degrees) !=
        farthest(cpu_hull_points(run, 1), run->result, degrees))
      return "a vertex of the hull is missing";
  return nullptr;
}

static bool before(const cpu_point &a, const cpu_point &b) {
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

static double area(const cpu_point &a, const cpu_point &b, const cpu_point &c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static void plain_chain(algo_run *run) {
  cpu_point *points = cpu_hull_points(run, 0), *hull = cpu_hull_points(run, 1);
  const uint64_t n = run->n;
  std::sort(points, points + n, before);
  uint64_t count = 0;
  for (uint64_t i = 0; i < n; i++) {
    while (count >= 2 && area(hull[count - 2], hull[count - 1], points[i]) <= 0)
      count--;
    hull[count++] = points[i];
  }
  for (uint64_t i = n - 1, lower = count + 1; i-- > 0;) {
    while (count >= lower &&
           area(hull[count - 2], hull[count - 1], points[i]) <= 0)
      count--;
    hull[count++] = points[i];
  }
  run->result = count - 1;
}

static void andrew(algo_run *run) { cpu_algo_find("andrew_hull")->run(run); }

#ifdef HAVE_QHULL
static struct {
  decltype(&qh_zero) zero;
  decltype(&qh_new_qhull) compute;
  decltype(&qh_freeqhull) release;
  decltype(&qh_memfreeshort) release_memory;
  qhT state;
} qhull;

template <typename Function>
static bool find(void *library, const char *name, Function *function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function;
}

static bool load_qhull() {
  void *library = dlopen("libqhull_r.so", RTLD_NOW);
  return library && find(library, "qh_zero", &qhull.zero) &&
         find(library, "qh_new_qhull", &qhull.compute) &&
         find(library, "qh_freeqhull", &qhull.release) &&
         find(library, "qh_memfreeshort", &qhull.release_memory);
}

static void run_qhull(algo_run *run) {
  static char command[] = "qhull";
  cpu_point *points = cpu_hull_points(run, 0), *hull = cpu_hull_points(run, 1);
  qhT *qh = &qhull.state;
  qhull.zero(qh, stderr);
  run->result = 0;
  if (qhull.compute(qh, 2, static_cast<int>(run->n), &points->x, False, command,
                    nullptr, stderr))
    return;
  vertexT *vertex;
  FORALLvertices { *hull++ = {vertex->point[0], vertex->point[1]}; }
  run->result = hull - cpu_hull_points(run, 1);
}

// Its memory is freed here, where it is not timed.
static const char *check_qhull(const algo_run *run) {
  int kept, blocks;
  qhull.release(&qhull.state, !qh_ALL);
  qhull.release_memory(&qhull.state, &kept, &blocks);
  return check_farthest(run);
}
#else
static bool load_qhull() { return false; }
static void run_qhull(algo_run *) {}
static const char *check_qhull(const algo_run *) { return "no qhull"; }
#endif

static peer hull(const char *algo, const char *generator, const char *name,
                 double bar, void (*run)(algo_run *),
                 const char *(*check)(const algo_run *)) {
  peer it = {algo,  name,       bar,     {{generator, run, nullptr}},
             check, {10000000}, nullptr, 0};
  it.generator = generator;
  return it;
}

// On the ring, where all points are vertices, qhull takes minutes: one round.
std::vector<peer> hull_peers() {
  std::vector<peer> peers = {
      hull("andrew_hull", "square", "std::sort, chain", 1.05, plain_chain,
           check_farthest),
      hull("andrew_hull", "ring", "std::sort, chain", 1.05, plain_chain,
           check_farthest),
      hull("hull2d", "ring", "andrew_hull", 2.0, andrew, nullptr),
  };
  if (!load_qhull()) {
    fprintf(stderr,
            "bench_peers: no qhull, so hull2d has no peer; fix: ./bootstrap "
            "--install-bench-deps\n");
    return peers;
  }
  peers.push_back(hull("hull2d", "square", "qhull", 0, run_qhull, check_qhull));
  peers.push_back(hull("hull2d", "disc", "qhull", 0.3, run_qhull, check_qhull));
  peers.push_back(hull("hull2d", "ring", "qhull", 0.2, run_qhull, check_qhull));
  peers.back().rounds = 1;
  return peers;
}
