/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/data/data.h -- data of one's own: files read and written.
 *
 * A kind of data is what an algorithm says it takes (struct algo.data); each
 * has one form as text, and keys a binary one, too: doc/data-formats.md.
 * Nothing in a file is trusted.  What is wrong is reported as a sentence
 * "FILE:LINE: what; the mend", for the caller to print.
 */
#ifndef EXPERIMENTS_DATA_DATA_H
#define EXPERIMENTS_DATA_DATA_H
#include <stdbool.h>
#include <stddef.h>
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
  /* Fill data->part; 0, or -1 having refused. */
  int (*read)(struct data_source *source, struct data *data);
  /* Fill the part with a second file; 0, or -1 having refused.  NULL: there is
   * none. */
  int (*read_queries)(struct data_source *source, struct algo_data *part);
  /* Put all into the sink, which keeps an error for later. */
  void (*write)(struct data_sink *sink, const struct algo_data *answer);
};

extern const struct data_kind *const data_kinds[]; /* NULL-ended */
extern const struct data_kind data_dna, data_graph_components,
    data_graph_distances, data_graph_forest, data_keys, data_list, data_matrix,
    data_points, data_reads, data_signal, data_text;

/* The kind called `name`, or NULL. */
const struct data_kind *data_kind_find(const char *name);

/*
 * Read a file; "-" is standard input.  Returns 0, or -1 with `error`; then
 * errno is ENOMEM where a limit on this process is why.  Release with
 * data_fini() in either case.
 */
int data_read(struct data *data, const struct data_kind *kind, const char *path,
              char error[DATA_ERROR]);
/* Read the second file, as data->part[1].  As above. */
int data_read_queries(struct data *data, const struct data_kind *kind,
                      const char *path, char error[DATA_ERROR]);
void data_fini(struct data *data); /* a zeroed one is fine */

/*
 * Write a file, which appears whole or not at all, or to a device or a pipe;
 * "-" is standard output.  Returns 0, or -1 with `error`: also where a signal
 * waits (driver/interrupt.h).
 */
int data_write(const struct data_kind *kind, const struct algo_data *answer,
               const char *path, char error[DATA_ERROR]);

/* Before there is anything to write: could it be?  As above. */
int data_write_try(const char *path, char error[DATA_ERROR]);
#endif
