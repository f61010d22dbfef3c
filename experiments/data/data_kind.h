/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/data/data_kind.h -- a kind of data: how its files are read and
 * written.  data.c lists them.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "cpu_algos/algo.h"

enum { DATA_ERROR = 512, DATA_PARTS = 2 };

/* A file that was read. */
struct data {
  struct algo_data part[DATA_PARTS]; /* the first, and where it goes on */
  uint64_t bytes;                    /* of the file */
  uint64_t hash;                     /* of what was read */
};

struct data_source; /* data_source.h */
struct data_sink;   /* data_sink.h */

struct data_kind {
  const char *name;
  unsigned words; /* of 64 bits, in an item */
  bool binary;    /* files whose name ends in .u64 are little-endian numbers */
  bool one_way;   /* what is written is no input again */
  /* What the second file is, and how it is named; NULL: what is sought in the
   * first, by --queries. */
  const char *seeks;
  /* Fill the part, and those behind it where the file has several; 0, or -1
   * having refused. */
  int (*read)(struct data_source *source, struct algo_data *part);
  /* The same with a second file; NULL: there is none. */
  int (*read_queries)(struct data_source *source, struct algo_data *part);
  /* Put all into the sink, which keeps an error for later. */
  void (*write)(struct data_sink *sink, const struct algo_data *answer);
};

extern const struct data_kind data_dna, data_graph_components,
    data_graph_distances, data_graph_forest, data_keys, data_list, data_matrix,
    data_points, data_reads, data_signal, data_text;
