/* SPDX-License-Identifier: GPL-3.0-or-later */
/* footprints PROGRAM SIZE TIMES: see footprints.h. */
#include "tests/bench/footprints/footprints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20, MILLION = 1000000 };

/* One line each. */
static const struct footprint {
  const char *name, *arguments;
  uint64_t (*of_bytes)(size_t bytes, uint64_t times);
  uint64_t (*of_graph)(const struct graph *graph, uint64_t times);
  uint64_t unit, each; /* of both arguments */
} footprints[] = {
    {"chase", "MIB MILLIONS", chase, NULL, MIB, MILLION},
    {"join", "MIB MILLIONS", join, NULL, MIB, MILLION},
    {"search", "MIB MILLIONS", search, NULL, MIB, MILLION},
    {"gups", "MIB MILLIONS", gups, NULL, MIB, MILLION},
    {"grid", "MIB MILLIONS", grid, NULL, MIB, MILLION},
    {"btree", "MIB MILLIONS", btree, NULL, MIB, MILLION},
    {"spmv", "MIB TIMES", spmv, NULL, MIB, 1},
    {"kronecker", "LG_VERTICES DEGREE >GRAPH", kronecker, NULL, 1, 1},
    {"bfs", "GRAPH SOURCES", NULL, bfs, 0, 1},
    {"pagerank", "GRAPH ITERATIONS", NULL, pagerank, 0, 1},
    {"components", "GRAPH TIMES", NULL, components, 0, 1},
};
enum { FOOTPRINTS = sizeof footprints / sizeof *footprints };

static int usage(void) {
  fputs("usage:\n", stderr);
  for (size_t i = 0; i < FOOTPRINTS; i++)
    fprintf(stderr, "  footprints %s %s\n", footprints[i].name,
            footprints[i].arguments);
  return 2;
}

static uint64_t number(const char *text) {
  char *end;
  uint64_t value = strtoull(text, &end, 10);
  return *end ? 0 : value;
}

static uint64_t run(const struct footprint *it, const char *what,
                    uint64_t times) {
  struct graph graph;
  if (it->of_bytes) return it->of_bytes(number(what) * it->unit, times);
  graph_read(&graph, what);
  uint64_t result = it->of_graph(&graph, times);
  graph_free(&graph);
  return result;
}

int main(int argc, char **argv) {
  for (size_t i = 0; argc == 4 && i < FOOTPRINTS; i++) {
    const struct footprint *it = &footprints[i];
    uint64_t times = number(argv[3]) * it->each;
    if (strcmp(argv[1], it->name)) continue;
    if (!times || (it->of_bytes && !number(argv[2]))) break;
    uint64_t result = run(it, argv[2], times);
    if (it->of_bytes != kronecker) printf("%llu\n", (unsigned long long)result);
    return 0;
  }
  return usage();
}
