/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/data/data_source.h -- a file of numbers, read from left to right.
 *
 * Numbers are words between blanks.  Lines end in LF or CR LF, the last one
 * also without.  What is refused is so once, by a sentence with the line.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cpu_algos/algo.h"
#include "experiments/cli/progress.h"

enum { DATA_ERROR = 512, DATA_PARTS = 2 };

/* A file that was read. */
struct data {
  struct algo_data part[DATA_PARTS]; /* the first, and where it goes on */
  uint64_t bytes;                    /* of the file */
  uint64_t hash;                     /* of what was read */
};

struct data_source;
struct data_sink; /* data_sink.h */

/* How files of a kind are read and written; data.c lists them. */
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

/* No word is longer: a double needs at most 767 digits and an exponent. */
enum { DATA_WORD = 1100 };

struct data_unpacker {
  /* Up to `room` > 2 unpacked bytes, of the source's packed ones; 0: there are
   * no more, -1: refused. */
  ssize_t (*read)(struct data_source *source, char *to, size_t room);
  void (*destroy)(void *unpacking);
};

struct data_source {
  const char *path;     /* as messages have it */
  const char *expected; /* what a line is: "one key a line" */
  bool binary;
  int fd;
  char *buffer; /* with room for a NUL behind `end` */
  size_t at, end;
  bool ended; /* there is nothing behind `end` */
  uint64_t line;
  uint64_t bytes, size; /* read so far, and of the file, 0 where unknown */
  struct progress progress;
  /* Set by data_unpack(): how its bytes are unpacked.  NULL: it is plain. */
  const struct data_unpacker *unpacker;
  void *unpacking; /* its state */
  uint8_t *packed; /* bytes as they are in the file */
  size_t packed_at, packed_end;
  bool packed_ended; /* there is nothing behind packed_end */
  char *error;
};

/* 0, or -1 having refused; close in either case. */
int data_source_open(struct data_source *source, const char *path, bool binary,
                     char *error);
void data_source_close(struct data_source *source);

/* "FILE:LINE: " and what is wrong; LINE is left out where it is 0.  -1. */
int data_refuse(struct data_source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* From here on unpack it, where its first bytes say that gzip or zstd packed
 * it, or that it is DNA of two bits a letter: call this before anything is
 * taken. 0, or -1 having refused. */
int data_unpack(struct data_source *source);
/* Unpack so what is there and what follows. */
void data_unpack_by(struct data_source *source,
                    const struct data_unpacker *unpacker, void *unpacking);

/* Read where no packed bytes are left.  0, or -1 having refused. */
int data_refill(struct data_source *source);

/* At least DATA_WORD bytes are there after it, or all.  0, or -1. */
int data_fill(struct data_source *source);

static inline int data_need(struct data_source *source) {
  if (source->end - source->at >= DATA_WORD || source->ended) return 0;
  return data_fill(source);
}

/* Go to the next word of the line.  1: there is one, 0: the line ends, or the
 * file does, -1: refused. */
int data_next_word(struct data_source *source);

/* Go to the next line that is not empty.  1: there is one, 0: the file ends. */
int data_next_line(struct data_source *source);

/* Is there nothing more?  1, 0, or -1. */
int data_at_end(struct data_source *source);

/* Take the line's end, and refuse what is before it.  0, or -1. */
int data_end_line(struct data_source *source);

/* Take the number that the line's next word is.  0, or -1. */
int data_take_u64(struct data_source *source, uint64_t *value);
int data_take_i64(struct data_source *source, int64_t *value);

/* An array that grows while a file is read, of numbers or other 8 bytes. */
struct data_array {
  uint64_t *items;
  size_t count, room;
};

/* Room for more.  0, or -1 having refused what does not fit the memory. */
int data_grow(struct data_source *source, struct data_array *array);

static inline int data_push(struct data_source *source,
                            struct data_array *array, uint64_t item) {
  if (array->count == array->room && data_grow(source, array)) return -1;
  array->items[array->count++] = item;
  return 0;
}

/* Take the finite number that the line's next word is.  0, or -1. */
int data_push_double(struct data_source *source, struct data_array *array);

/* Hand the array over, as the part's items. */
void data_give(struct data_array *array, struct algo_data *part);
