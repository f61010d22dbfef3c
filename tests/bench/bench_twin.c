/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What it costs to simulate an algorithm's own addresses, against running it.
 *
 *   bench_twin [-n KEYS] [-m SIDE] [-p SIDE] [-r ROUNDS] [-w NODES] [ALGO...]
 *
 * The algorithm as `vat run` measures it, on 4 KiB pages, and its traced twin
 * with the simulator of `vat sim --algo` behind it, in turns, round by round;
 * in processor time of all threads; setup and check do not count.  Printed are
 * medians.  KEYS are those of arrays, the sides those of matrices to transpose
 * and to multiply.  Exits with 1 where the bar is missed. */
#include <config.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "experiments/cli/numbers.h"
#include "experiments/sim/sim.h"
#include "huge_pages/region.h"

enum { ROUNDS_MAX = 99 };

/* The traced twin takes at most so many times as long. */
static const double bar = 8;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double start_s, spent_s;

static void watch(bool running) {
  if (running)
    start_s = seconds();
  else
    spent_s = seconds() - start_s;
}

struct options {
  uint64_t keys, transposed, multiplied; /* n by what it is a size of */
  uint64_t nodes;
  unsigned rounds;
};

struct row {
  const struct algo *algo;
  uint64_t n;
  struct algo_run run;
  struct hp_region region;
  struct sim_request request;
  struct sim_result result;
  double native[ROUNDS_MAX], traced[ROUNDS_MAX], ratio[ROUNDS_MAX];
};

/* Sides, where operations are their square or cube. */
static uint64_t size_of(const struct algo *algo, const struct options *o) {
  if (!strcmp(algo->complexity, "n^2")) return o->transposed;
  return strcmp(algo->complexity, "n^3") ? o->keys : o->multiplied;
}

static void begin(struct row *row, const struct options *options) {
  const struct algo *algo = row->algo;
  row->n = size_of(algo, options);
  size_t bytes = algo->bytes(row->n);
  if (!bytes ||
      hp_region_map(&row->region, hp_kind_find("4k"), bytes, NULL, NULL))
    err(2, "%s", algo->name);
  row->run = (struct algo_run){
      .n = row->n, .seed = 1, .memory = row->region.base, .bytes = bytes};
  algo->setup(&row->run);
  row->request = (struct sim_request){
      .policy = vat_policies[0],
      .stream = {.algo = algo, .n = row->n, .seed = 1, .watch = watch},
      .nodes = options->nodes,
      .tree = {.index_bits = 9, .page_bits = 12, .levels = 4}};
  row->request.stream.base = UINT64_C(1) << 32;
}

static double run_native(struct row *row) {
  const struct algo *algo = row->algo;
  watch(true);
  algo->run(&row->run);
  watch(false);
  const char *wrong = algo->check(&row->run);
  if (wrong) errx(2, "%s: %s", algo->name, wrong);
  if (algo->restore) algo->restore(&row->run);
  return spent_s;
}

static double run_traced(struct row *row) {
  static struct sim_input input;
  if (sim_input_open(&input, &row->request) ||
      sim_run(&row->request, &input, &row->result))
    exit(2);
  sim_input_close(&input);
  return spent_s;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, unsigned count) {
  qsort(values, count, sizeof *values, by_size);
  return (values[count / 2] + values[(count - 1) / 2]) / 2;
}

static bool print_row(struct row *row, unsigned rounds) {
  double ops = row->algo->ram_ops(row->n) * 1e-9;
  double accesses = (double)row->result.accesses * 1e-9;
  double native = median(row->native, rounds);
  double traced = median(row->traced, rounds);
  double ratio = median(row->ratio, rounds);
  printf("%-20s %10llu %8.3f %8.2f %8.3f %8.2f %8.4f %7.1f %s\n",
         row->algo->name, (unsigned long long)row->n, native / ops,
         traced / ops, accesses * 1e9 / ops * 1e-9, traced / accesses,
         (double)row->result.counts.misses / (accesses * 1e9), ratio,
         ratio <= bar ? "holds" : "MISSED");
  fflush(stdout);
  return ratio <= bar;
}

/* The first round warms caches and does not count. */
static bool measure(const struct algo *algo, const struct options *options) {
  static struct row row;
  row = (struct row){.algo = algo};
  begin(&row, options);
  for (unsigned round = 0; round <= options->rounds; round++) {
    unsigned at = round ? round - 1 : 0;
    row.native[at] = run_native(&row);
    row.traced[at] = run_traced(&row);
    row.ratio[at] = row.traced[at] / row.native[at];
  }
  hp_region_unmap(&row.region);
  return print_row(&row, options->rounds);
}

static bool wanted(const struct algo *algo, char *const *names) {
  bool all = !*names;
  for (; *names; names++) all |= !strcmp(*names, algo->name);
  return all;
}

static void parse(struct options *o, int argc, char **argv) {
  bool bad = false;
  for (int c; (c = getopt(argc, argv, "n:m:p:r:w:")) != -1;) {
    if (c == 'n') bad |= size_parse(optarg, &o->keys);
    if (c == 'm') bad |= size_parse(optarg, &o->transposed);
    if (c == 'p') bad |= size_parse(optarg, &o->multiplied);
    if (c == 'r') o->rounds = (unsigned)strtoul(optarg, NULL, 10);
    if (c == 'w') bad |= size_parse(optarg, &o->nodes);
    if (c == '?' || bad || !o->rounds || o->rounds > ROUNDS_MAX)
      errx(2,
           "usage: bench_twin [-n KEYS] [-m SIDE] [-p SIDE] [-r ROUNDS] "
           "[-w NODES] [ALGO...]");
  }
  for (int i = optind; i < argc; i++)
    if (!cpu_algo_find(argv[i])) errx(2, "%s: no such algorithm", argv[i]);
}

int main(int argc, char **argv) {
  struct options options = {1 << 24, 2048, 512, 1536, 3};
  bool hold = true;
  parse(&options, argc, argv);
#ifndef HAVE_STREAMS
  errx(2, "built without address streams; ./configure says why");
#endif
  printf(
      "islru, W = %llu; median of %u rounds\n"
      "  ns and accesses: per operation of the RAM complexity\n",
      (unsigned long long)options.nodes, options.rounds);
  printf("%-20s %10s %8s %8s %8s %8s %8s %7s\n", "algorithm", "n", "native ns",
         "traced", "accesses", "ns/acc", "miss/acc", "ratio");
  for (size_t i = 0; cpu_algos[i]; i++)
    if (wanted(cpu_algos[i], argv + optind))
      hold &= measure(cpu_algos[i], &options);
  return !hold;
}
