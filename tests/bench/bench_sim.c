/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast translation caches are simulated.
 *
 *   bench_sim [-n TRANSLATIONS] [-r ROUNDS] [-w NODES] [STREAM...]
 *
 * Each stream lies in memory; its rows are measured in turns, round by round,
 * one thread, in processor time, so that others who want the processor do not
 * count.  Printed is the median round.  Exits with 1 where a bar is missed. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/streams.h"
#include "vat/curve.h"
#include "vat/policy.h"

static const struct vat_tree tree = {
    .index_bits = 9, .page_bits = 12, .levels = 4};

struct stream {
  const char *name;
  const char *summary;
  bool bytes; /* items are byte addresses, not page numbers */
  uint64_t (*next)(uint64_t i);
  uint64_t *items;
  size_t count;
  uint64_t changed; /* nodes on the path that the translation before had not */
};

enum { ROUNDS_MAX = 99 };

/* A line of the table; another kind of simulation is another `run`. */
struct row {
  const char *stream;
  const char *policy;
  /* Simulate the whole stream; returns misses. */
  uint64_t (*run)(const struct row *row, const struct stream *stream,
                  uint64_t nodes);
  double bar; /* at least so many translations a second; 0: no bar */
  double seconds[ROUNDS_MAX];
  uint64_t misses;
};

static uint64_t next_uniform(uint64_t i) {
  (void)i;
  return stream_random(UINT64_C(1) << 20);
}
static uint64_t next_search(uint64_t i) {
  return stream_search(i) * 8 >> tree.page_bits;
}
static uint64_t next_scan(uint64_t i) {
  return UINT64_C(0x55d0c0000000) + 8 * i;
}

static struct stream streams[] = {
    {"uniform", "random pages of 2^20", false, next_uniform, NULL, 0, 0},
    {"search", "pages of binary searches, 2^26 8-byte elements", false,
     next_search, NULL, 0, 0},
    {"scan", "addresses of 8-byte words in order", true, next_scan, NULL, 0, 0},
    {0}};

static uint64_t run_tc_of(const struct row *row, const struct stream *stream,
                          uint64_t nodes,
                          const struct vat_tc_options *options) {
  struct vat_tc *tc =
      vat_tc_create(vat_policy_find(row->policy), &tree, nodes, options);
  if (!tc) err(2, "%s", row->policy);
  if ((stream->bytes ? vat_tc_addresses : vat_tc_pages)(tc, stream->items,
                                                        stream->count) ||
      vat_tc_finish(tc))
    err(2, "%s", row->policy);
  uint64_t misses = vat_tc_counts(tc).misses;
  vat_tc_destroy(tc);
  return misses;
}

static uint64_t run_tc(const struct row *row, const struct stream *stream,
                       uint64_t nodes) {
  return run_tc_of(row, stream, nodes, NULL);
}

/* 64 ranges of pages of 64 KiB and 2 MiB in turns, none of which the streams
 * access: the same work, but that every page has to be looked up. */
static struct vat_layout *unused_layout(void) {
  struct vat_layout_range ranges[64];
  for (uint64_t i = 0; i < 64; i++) {
    uint64_t start = (UINT64_C(1) << 40) + (i << 24);
    ranges[i] =
        (struct vat_layout_range){start, start + (65 << 16), i % 2 ? 16 : 21};
  }
  return vat_layout_create(&tree, ranges, 64, tree.page_bits);
}

static uint64_t run_layout(const struct row *row, const struct stream *stream,
                           uint64_t nodes) {
  struct vat_layout *layout = unused_layout();
  const struct vat_tc_options options = {.layout = layout};
  uint64_t misses = run_tc_of(row, stream, nodes, &options);
  vat_layout_destroy(layout);
  return misses;
}

static uint64_t run_curve(const struct row *row, const struct stream *stream,
                          uint64_t nodes) {
  const struct vat_policy *policy = vat_policy_find(row->policy);
  struct vat_curve *curve = vat_curve_create(policy, &tree, NULL);
  struct vat_curve_point *points;
  size_t count, at = 0;
  if (!curve || vat_curve_pages(curve, stream->items, stream->count) ||
      vat_curve_finish(curve) || vat_curve_points(curve, &points, &count))
    err(2, "%s, all W", row->policy);
  while (at + 1 < count && points[at + 1].nodes <= nodes) at++;
  uint64_t misses = points[at].misses;
  free(points);
  vat_curve_destroy(curve);
  return misses;
}

static struct row rows[] = {{"uniform", "lru", run_tc, 30e6, {0}, 0},
                            {"uniform", "islru", run_tc, 30e6, {0}, 0},
                            {"uniform", "min", run_tc, 8e6, {0}, 0},
                            {"uniform", "ismin", run_tc, 8e6, {0}, 0},
                            {"uniform", "lru", run_layout, 15e6, {0}, 0},
                            {"uniform", "islru", run_layout, 15e6, {0}, 0},
                            {"uniform", "min", run_layout, 4e6, {0}, 0},
                            {"uniform", "lru", run_curve, 0, {0}, 0},
                            {"uniform", "islru", run_curve, 5e6, {0}, 0},
                            {"search", "lru", run_tc, 80e6, {0}, 0},
                            {"search", "islru", run_tc, 80e6, {0}, 0},
                            {"search", "min", run_tc, 16e6, {0}, 0},
                            {"search", "ismin", run_tc, 16e6, {0}, 0},
                            {"search", "lru", run_layout, 40e6, {0}, 0},
                            {"search", "islru", run_layout, 40e6, {0}, 0},
                            {"search", "min", run_layout, 8e6, {0}, 0},
                            {"search", "lru", run_curve, 0, {0}, 0},
                            {"search", "islru", run_curve, 15e6, {0}, 0},
                            {"scan", "lru", run_tc, 500e6, {0}, 0},
                            {"scan", "islru", run_tc, 500e6, {0}, 0},
                            {"scan", "lru", run_layout, 250e6, {0}, 0},
                            {"scan", "islru", run_layout, 250e6, {0}, 0},
                            {"scan", "min", run_tc, 500e6, {0}, 0},
                            {"scan", "ismin", run_tc, 500e6, {0}, 0},
                            {0}};

/* How many nodes the translation of `to` adds to the path of `from`. */
static unsigned changed(const struct stream *stream, uint64_t from,
                        uint64_t to) {
  unsigned layer = 0, shift = stream->bytes ? tree.page_bits : 0;
  while (layer <= tree.levels && vat_tree_node(&tree, from >> shift, layer) !=
                                     vat_tree_node(&tree, to >> shift, layer))
    layer++;
  return layer;
}

static void fill(struct stream *stream, size_t count) {
  stream->count = count;
  stream->items = malloc(count * sizeof *stream->items);
  if (!stream->items) err(2, "%s", stream->name);
  stream_seed = 1;
  stream->changed = tree.levels + 1;
  for (size_t i = 0; i < count; i++) {
    stream->items[i] = stream->next(i);
    if (i)
      stream->changed +=
          changed(stream, stream->items[i - 1], stream->items[i]);
  }
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool print_row(struct row *row, const struct stream *stream,
                      unsigned rounds) {
  qsort(row->seconds, rounds, sizeof *row->seconds, by_size);
  double s = (row->seconds[rounds / 2] + row->seconds[(rounds - 1) / 2]) / 2;
  double count = (double)stream->count, rate = count / s;
  printf("%-8s %-8s %-5s %8.1f %8.2f %8.2f %8.2f %8.3f", row->stream,
         row->policy,
         row->run == run_curve    ? "all"
         : row->run == run_layout ? "mixed"
                                  : "one",
         rate * 1e-6, s / count * 1e9, s / count * 1e9 / (tree.levels + 1),
         s / (double)stream->changed * 1e9, (double)row->misses / count);
  return bench_verdict(rate * 1e-6, row->bar * 1e-6);
}

/* The first round warms caches and branch predictors and does not count. */
static bool measure(struct stream *stream, size_t count, unsigned rounds,
                    uint64_t nodes) {
  bool hold = true;
  fill(stream, count);
  for (unsigned round = 0; round <= rounds; round++)
    for (struct row *row = rows; row->stream; row++) {
      if (strcmp(row->stream, stream->name) != 0) continue;
      double start = bench_seconds();
      row->misses = row->run(row, stream, nodes);
      if (round) row->seconds[round - 1] = bench_seconds() - start;
    }
  for (struct row *row = rows; row->stream; row++)
    if (!strcmp(row->stream, stream->name))
      hold &= print_row(row, stream, rounds);
  free(stream->items);
  return hold;
}

static void print_head(size_t count, unsigned rounds, uint64_t nodes) {
  printf("%zu translations, W = %llu, K = 2^%u, d = %u; median of %u rounds\n",
         count, (unsigned long long)nodes, tree.index_bits, tree.levels,
         rounds);
  for (const struct stream *s = streams; s->name; s++)
    printf("  %s: %s\n", s->name, s->summary);
  puts(
      "  ns/node: per node access of the model, d + 1 a translation\n"
      "  ns/new: per node that the path of the translation before had not\n"
      "  misses: per translation, over all layers; with all W, for that one\n"
      "  mixed: pages are looked up in a layout of 64 ranges");
  printf("%-8s %-8s %-5s %8s %8s %8s %8s %8s %6s\n", "stream", "policy", "W",
         "M/s", "ns", "ns/node", "ns/new", "misses", "bar");
}

static bool wanted(const struct stream *stream, char *const *names) {
  bool all = !*names;
  for (; *names; names++) all |= !strcmp(*names, stream->name);
  return all;
}

static void check_names(char *const *names) {
  for (; *names; names++) {
    const struct stream *s = streams;
    while (s->name && strcmp(s->name, *names) != 0) s++;
    if (!s->name) errx(2, "%s: no such stream", *names);
  }
}

int main(int argc, char **argv) {
  size_t count = 20000000;
  uint64_t nodes = 1536;
  unsigned rounds = 5;
  bool hold = true;
  for (int c; (c = getopt(argc, argv, "n:r:w:")) != -1;) {
    if (c == 'n') count = strtoull(optarg, NULL, 10);
    if (c == 'r') rounds = (unsigned)strtoul(optarg, NULL, 10);
    if (c == 'w') nodes = strtoull(optarg, NULL, 10);
    if (c == '?' || !count || !rounds || rounds > ROUNDS_MAX)
      errx(2,
           "usage: bench_sim [-n TRANSLATIONS] [-r ROUNDS] [-w NODES] "
           "[STREAM...]");
  }
  check_names(argv + optind);
  print_head(count, rounds, nodes);
  for (struct stream *stream = streams; stream->name; stream++)
    if (wanted(stream, argv + optind))
      hold &= measure(stream, count, rounds, nodes);
  return !hold;
}
