/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs as the ninth DIMACS implementation challenge has them, .gr: comments
 * "c ...", one line "p sp VERTICES EDGES", and a line "a FROM TO LENGTH" for
 * each edge; vertices are counted from 1, as in what algorithms answer. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/apsp.h"
#include "cpu_algos/graph.h"
#include "experiments/cli/memory.h"
#include "experiments/data/data_sink.h"
#include "experiments/data/data_source.h"

struct reading {
  struct data_source *source;
  uint64_t vertices, edges, header; /* as promised, by that line; 0: not yet */
  struct data_array words;          /* two an edge */
  struct data_array lines;          /* of each edge */
};

/* Is the next word `letter` or the like?  Take it then. */
static bool take_word(struct data_source *source, const char *word) {
  size_t length = strlen(word), left = source->end - source->at;
  const char *at = source->buffer + source->at;
  if (left < length || memcmp(at, word, length) != 0) return false;
  if (left > length && !strchr(" \t\r\n", at[length])) return false;
  source->at += length;
  return true;
}

static int read_header(struct reading *r) {
  struct data_source *source = r->source;
  source->expected = "a graph begins with 'p sp VERTICES EDGES'";
  if (r->header)
    return data_refuse(source,
                       "a second 'p' line; line %" PRIu64
                       " already gives the size of the graph",
                       r->header);
  r->header = source->line;
  if (data_next_word(source) < 0) return -1;
  if (!take_word(source, "sp"))
    return data_refuse(source, "a problem that is not 'sp'; %s",
                       source->expected);
  if (data_take_u64(source, &r->vertices) || data_take_u64(source, &r->edges))
    return -1;
  if (r->vertices >= UINT32_MAX || r->edges >= UINT32_MAX)
    return data_refuse(source, "more than 2^32 vertices or edges");
  return data_end_line(source);
}

static int next_vertex(struct reading *r, uint32_t *vertex) {
  uint64_t value;
  if (data_take_u64(r->source, &value)) return -1;
  if (!value || value > r->vertices)
    return data_refuse(r->source,
                       "%" PRIu64 " is not one of the %" PRIu64
                       " vertices, which are numbered from 1",
                       value, r->vertices);
  *vertex = (uint32_t)(value - 1);
  return 0;
}

static int read_edge(struct reading *r) {
  struct data_source *source = r->source;
  struct cpu_graph_edge edge;
  source->expected =
      "an edge is written 'a FROM TO LENGTH', with whole numbers";
  if (!r->header)
    return data_refuse(source, "an edge before the line 'p sp VERTICES EDGES'");
  if (r->lines.count == r->edges)
    return data_refuse(source,
                       "more than the %" PRIu64 " edges that line %" PRIu64
                       " announces",
                       r->edges, r->header);
  uint64_t line = source->line;
  if (next_vertex(r, &edge.from) || next_vertex(r, &edge.to)) return -1;
  if (edge.from == edge.to)
    return data_refuse(source, "an edge from vertex %" PRIu64 " to itself",
                       edge.from + UINT64_C(1));
  if (data_take_i64(source, &edge.weight) || data_end_line(source)) return -1;
  uint64_t words[2];
  memcpy(words, &edge, sizeof words);
  return data_push(source, &r->lines, line) ||
                 data_push(source, &r->words, words[0]) ||
                 data_push(source, &r->words, words[1])
             ? -1
             : 0;
}

/* A comment may be of any length. */
static int skip_line(struct data_source *source) {
  for (;;) {
    if (data_need(source)) return -1;
    char *at = source->buffer + source->at;
    char *end = memchr(at, '\n', source->end - source->at);
    source->at = end ? (size_t)(end - source->buffer) : source->end;
    if (end || (source->ended && source->at == source->end))
      return data_end_line(source);
  }
}

static int read_line(struct reading *r) {
  struct data_source *source = r->source;
  source->expected = "lines begin with 'c', 'p' or 'a'";
  if (take_word(source, "a")) return read_edge(r);
  if (take_word(source, "c")) return skip_line(source);
  if (take_word(source, "p")) return read_header(r);
  return data_refuse(source, "%s", source->expected);
}

static int read_lines(struct reading *r) {
  int more;
  while ((more = data_next_line(r->source)) > 0)
    if (read_line(r)) return -1;
  if (more < 0) return -1;
  if (!r->header)
    return data_refuse(r->source,
                       "the file ends without a line 'p sp VERTICES EDGES'");
  if (r->lines.count < r->edges)
    return data_refuse(r->source,
                       "the file ends after %zu of the %" PRIu64
                       " edges that line %" PRIu64 " announces",
                       r->lines.count, r->edges, r->header);
  return 0;
}

static int compare_ends(const void *left, const void *right, void *context) {
  const struct cpu_graph_edge *edges = context;
  uint32_t i = *(const uint32_t *)left, j = *(const uint32_t *)right;
  const struct cpu_graph_edge *a = &edges[i], *b = &edges[j];
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->to != b->to) return a->to < b->to ? -1 : 1;
  return i < j ? -1 : i > j;
}

/* Files of this form have each edge once. */
static int check_twice(struct reading *r) {
  const struct cpu_graph_edge *edges = (const void *)r->words.items;
  const uint64_t *lines = r->lines.items;
  uint32_t *order = memory_zeroed(r->lines.count + 1, sizeof *order);
  int code = 0;
  for (size_t i = 0; i < r->lines.count; i++) order[i] = (uint32_t)i;
  qsort_r(order, r->lines.count, sizeof *order, compare_ends, (void *)edges);
  for (size_t i = 1; !code && i < r->lines.count; i++) {
    const struct cpu_graph_edge *a = &edges[order[i - 1]];
    const struct cpu_graph_edge *b = &edges[order[i]];
    if (a->from != b->from || a->to != b->to) continue;
    r->source->line = lines[order[i]];
    code = data_refuse(r->source,
                       "the edge from %" PRIu64 " to %" PRIu64
                       " is already in line %" PRIu64 "",
                       a->from + UINT64_C(1), a->to + UINT64_C(1),
                       lines[order[i - 1]]);
  }
  free(order);
  return code;
}

static int read_graph(struct data_source *source, struct algo_data *part) {
  struct reading r = {.source = source};
  int failed = read_lines(&r) || check_twice(&r);
  free(r.lines.items);
  data_give(&r.words, part);
  part->count /= 2;
  part->rows = r.vertices;
  return failed ? -1 : 0;
}

static void write_distances(struct data_sink *sink,
                            const struct algo_data *answer) {
  const int32_t *distance = answer->items;
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    const char *behind = (i + 1) % answer->rows ? " " : "\n";
    if (distance[i] != CPU_APSP_NONE) {
      data_put_i64(sink, distance[i], behind);
    } else {
      data_put_text(sink, "inf");
      data_put_text(sink, behind);
    }
  }
}

static void write_components(struct data_sink *sink,
                             const struct algo_data *answer) {
  const uint32_t *least = answer->items;
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++)
    data_put_u64(sink, least[i] + UINT64_C(1), "\n");
}

static void write_forest(struct data_sink *sink,
                         const struct algo_data *answer) {
  const struct cpu_graph_edge *edges = answer->items;
  int64_t total = 0;
  for (uint64_t i = 0; i < answer->count; i++) total += edges[i].weight;
  data_put_text(sink, "total ");
  data_put_i64(sink, total, "\n");
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    data_put_u64(sink, edges[i].from + UINT64_C(1), " ");
    data_put_u64(sink, edges[i].to + UINT64_C(1), " ");
    data_put_i64(sink, edges[i].weight, "\n");
  }
}

#define GRAPH(answer)                                                     \
  const struct data_kind data_graph_##answer = {.name = "graph-" #answer, \
                                                .words = 2,               \
                                                .one_way = true,          \
                                                .read = read_graph,       \
                                                .write = write_##answer}

GRAPH(components);
GRAPH(distances);
GRAPH(forest);
