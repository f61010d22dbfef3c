/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/algo.h -- an algorithm under study.
 *
 * An algorithm gets a workspace and computes in it; it knows nothing of pages,
 * counters, clocks or the model.  The driver calls setup once per size, then
 * run / check / restore per repetition; only run is timed.  The same seed and
 * n give the same input on every machine.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Data from outside, or the answer of a run: `count` items of the algorithm's
 * kind of data, struct algo.data. */
struct algo_data {
  uint64_t count;
  uint64_t rows, cols; /* of a matrix: count = rows * cols; of a graph */
  const void *items;
  const struct algo_data *next; /* a second matrix; NULL: none */
};

enum { ALGO_COUNTS = 8 };

/* Memory for an algorithm that allocates its nodes one by one. */
struct algo_allocator {
  void *(*allocate)(void *context, size_t bytes); /* NULL: there is no more */
  void (*release)(void *context, void *memory);
  void *context;
};

/* How the kernels of a run are launched; 0 or NULL: as the algorithm likes. */
struct algo_launch {
  unsigned block_threads; /* of those with gpu->refuse_block */
  unsigned dummy_shared; /* bytes that a block of theirs has and leaves alone */
  unsigned grid_blocks;  /* of those with gpu->any_grid */
  void *stream;          /* of the device, that its kernels run on */
};

/* One instance: an input of size n living in a workspace. */
struct algo_run {
  uint64_t n;
  uint64_t seed;
  uint64_t searches;     /* how many a search makes, for benchmarks; 0: n */
  unsigned char *memory; /* workspace, aligned to a page; contents arbitrary */
  size_t bytes;          /* cpu_algo_bytes() */
  /* The input, in place of a generated one; NULL: none.  n is cpu_given_n() of
   * it.  It outlives the run. */
  const struct algo_data *given;
  const char *generator; /* of algo->generators; NULL: the first of them */
  /* Of algorithms with parts, on a device: items of each, and which of them it
   * is, counted from 1; part 0: what all of them share.  Chunk 0: the workspace
   * holds all. */
  uint64_t chunk, part;
  struct algo_launch gpu;
  /* Of algorithms with refuse_parameters, "k=6,w=11"; NULL or "": the usual. */
  const char *parameters;
  /* Where nodes come from; NULL: one after the other from the workspace. */
  const struct algo_allocator *allocator;
  uint64_t fingerprint[2]; /* of the input, made by setup for check */
  uint64_t result;         /* what run computed, where it is one number */
};

struct gpu_algo; /* gpu_algos/gpu_algo.h */

struct algo {
  const char *name;       /* as typed: "random_scan" */
  const char *title;      /* as read: "random scan" */
  const char *summary;    /* one line for listings */
  const char *device;     /* "cpu" */
  const char *complexity; /* RAM complexity as text: "n log2 n" */
  /* RAM complexity, in operations; what times are divided by. >= 1. */
  double (*ram_ops)(uint64_t n);
  /* Workspace for n in bytes, or 0 when it overflows size_t. */
  size_t (*bytes)(uint64_t n);
  /* Fill the workspace with the input of (n, seed). */
  void (*setup)(struct algo_run *run);
  /* Make the input anew after a run; NULL: run leaves its input intact. */
  void (*restore)(struct algo_run *run);
  void (*run)(struct algo_run *run);
  /* NULL when the answer is right, else a sentence saying what is wrong. */
  const char *(*check)(const struct algo_run *run);
  /* What the input is made of, and the answer: "keys" (uint64_t), "points" (two
   * doubles), "matrix" (doubles, row by row), "list" (int64_t: successors, -1
   * at the end; the answer: ranks); "graph-distances", "graph-components" and
   * "graph-forest" (graph.h: edges, and rows is how many vertices).
   * NULL: it takes no data from outside. */
  const char *data;
  /* Names of its kinds of input, ended by NULL; NULL: there is only one. */
  const char *const *generators;
  /* Workspace for data from outside, or 0 on overflow; NULL: bytes(count). */
  size_t (*bytes_given)(const struct algo_data *given);
  /* RAM complexity of data from outside, >= 1; NULL: ram_ops(n). */
  double (*ops_given)(const struct algo_data *given);
  /* Why run cannot have these data, a sentence (the next call may overwrite
   * it), or NULL: it can.  NULL: it takes any of its kind. */
  const char *(*refuse)(const struct algo_data *given);
  const struct gpu_algo *gpu; /* more of it, on a GPU; NULL: there is none */
  /* Why it cannot have these, a sentence, or NULL: it can.  NULL: it has no
   * parameters. */
  const char *(*refuse_parameters)(const char *parameters);
  /* Threads that a run with these has; NULL: one. */
  unsigned (*threads)(const char *parameters);
  /* After the last run: the answer, which lies in the workspace and may take
   * the place of the input.  NULL where `data` is, or where the answer is
   * run->result alone. */
  void (*answer)(const struct algo_run *run, struct algo_data *answer);
  /* What a run counts of itself, at most ALGO_COUNTS: names, ended by NULL, and
   * after the run the values in the workspace.  NULL: nothing. */
  const char *const *counts;
  void (*count)(const struct algo_run *run, uint64_t values[ALGO_COUNTS]);
  /* True: its nodes are allocated one by one, by run->allocator. */
  bool allocates;
  /* The program of Jurkiewicz, PhD thesis, section 2.1, of which it is a tuned
   * version: "heapify_levels".  NULL: it is none. */
  const char *tunes;
  /* The largest size of at most n that it takes, and which those are: "powers
   * of two".  NULL: it takes all. */
  uint64_t (*fit)(uint64_t n);
  const char *fits;
};

extern const struct algo *const cpu_algos[]; /* NULL-ended, listing order */

/* The algorithm called `name`, or NULL with errno EINVAL. */
const struct algo *cpu_algo_find(const char *name);

/* Why an algorithm of that name is not built in, and what helps; NULL: it is,
 * or there is none. */
const char *cpu_algo_unbuilt(const char *name);

/* The entry of algo->generators that is `name`, or NULL. */
const char *cpu_algo_generator(const struct algo *algo, const char *name);

/* The size of data from outside: how many there are, or the largest dimension
 * of the matrices. */
uint64_t cpu_given_n(const struct algo_data *given);

/* algo->fit(n), or n. */
uint64_t cpu_algo_fit(const struct algo *algo, uint64_t n);

/* Workspace, or 0 on overflow, and RAM complexity on an input of size n: on
 * data from outside where `given` is not NULL. */
size_t cpu_algo_bytes(const struct algo *algo, uint64_t n,
                      const struct algo_data *given);
double cpu_algo_ops(const struct algo *algo, uint64_t n,
                    const struct algo_data *given);
