/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What algorithms on graphs answer; vertices are counted from 1, as in .gr. */
#include "cpu_algos/apsp.h"
#include "cpu_algos/graph.h"
#include "experiments/data/data_graph.h"
#include "experiments/data/data_sink.h"

static void put_i64(struct data_sink *sink, int64_t value) {
  if (value < 0) data_put(sink, "-", 1);
  data_put_u64(sink, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

static void write_distances(struct data_sink *sink,
                            const struct algo_data *answer) {
  const int32_t *distance = answer->items;
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    if (distance[i] == CPU_APSP_NONE)
      data_put(sink, "inf", 3);
    else
      put_i64(sink, distance[i]);
    data_put(sink, (i + 1) % answer->rows ? " " : "\n", 1);
  }
}

static void write_components(struct data_sink *sink,
                             const struct algo_data *answer) {
  const uint32_t *least = answer->items;
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    data_put_u64(sink, least[i] + UINT64_C(1));
    data_put(sink, "\n", 1);
  }
}

static void write_forest(struct data_sink *sink,
                         const struct algo_data *answer) {
  const struct cpu_graph_edge *edges = answer->items;
  int64_t total = 0;
  for (uint64_t i = 0; i < answer->count; i++) total += edges[i].weight;
  data_put(sink, "total ", 6);
  put_i64(sink, total);
  data_put(sink, "\n", 1);
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    data_put_u64(sink, edges[i].from + UINT64_C(1));
    data_put(sink, " ", 1);
    data_put_u64(sink, edges[i].to + UINT64_C(1));
    data_put(sink, " ", 1);
    put_i64(sink, edges[i].weight);
    data_put(sink, "\n", 1);
  }
}

#define GRAPH(answer)                                                     \
  const struct data_kind data_graph_##answer = {.name = "graph-" #answer, \
                                                .words = 2,               \
                                                .one_way = true,          \
                                                .read = data_read_graph,  \
                                                .write = write_##answer}

GRAPH(components);
GRAPH(distances);
GRAPH(forest);
