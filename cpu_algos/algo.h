/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/algo.h -- an algorithm under study.
 *
 * An algorithm gets a workspace and computes in it; it knows nothing of pages,
 * counters, clocks or the model.  The driver calls setup once per size, then
 * run / check / restore per repetition; only run is timed.  The same seed and
 * n give the same input on every machine.
 */
#ifndef CPU_ALGOS_ALGO_H
#define CPU_ALGOS_ALGO_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One instance: an input of size n living in a workspace. */
struct algo_run {
  uint64_t n;
  uint64_t seed;
  uint64_t searches;     /* how many a search makes, for benchmarks; 0: n */
  unsigned char *memory; /* workspace, aligned to a page; contents arbitrary */
  size_t bytes;          /* at least algo->bytes(n) */
  uint64_t fingerprint[2]; /* of the input, made by setup for check */
  uint64_t result;         /* what run computed, where it is one number */
};

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
  /* One of the seven of Jurkiewicz, PhD thesis, section 2.1: measured where no
   * algorithm is named.  The others are measured when named. */
  bool classic;
};

extern const struct algo *const cpu_algos[]; /* NULL-ended, listing order */

/* The algorithm called `name`, or NULL with errno EINVAL. */
const struct algo *cpu_algo_find(const char *name);
#endif
