/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/gpu_algos/gpu_case.h -- an algorithm run once on a device, as the
 * driver does it: what the suites of this folder share. */
#pragma once
#include "gpu_algos/algos.h"
#include "tests/cpu_algos/workspace.h"

struct gpu_case {
  const struct gpu_set *set;  /* whose device, setup and check it is */
  const struct gpu_set *runs; /* whose kernels */
  size_t index;               /* of the algorithm in the sets */
  uint64_t n, seed;
  const char *generator; /* NULL: the first */
};

/* The sets that are built in; NULL: they are not. */
const struct gpu_set *gpu_emu(void);
const struct gpu_set *gpu_counted(void);
const struct gpu_set *gpu_cuda(void);

/* Where single kernels are tested: the emulator, or a GPU if the environment
 * has VAT_TEST_DEVICE=cuda; nothing is counted then. */
const struct gpu_set *gpu_tested(void);

/* Number of the algorithm in every set. */
size_t gpu_index(const char *name);

static inline const struct algo *gpu_algo(const struct gpu_case *c) {
  return c->set->algos[c->index];
}

/* A workspace with its input made; close it by workspace_close(). */
struct algo_run gpu_case_open(const struct gpu_case *c);
/* The same, to run in such blocks (struct algo_run). */
struct algo_run gpu_case_open_blocks(const struct gpu_case *c,
                                     unsigned block_threads,
                                     unsigned dummy_shared);

/* Upload, run, download; the device has just as much memory as was promised.
 * It has to end well, and nothing around the workspace is touched. */
void gpu_case_run(const struct gpu_case *c, struct algo_run *run);

/* All of that, and the answer has to be right. */
void gpu_case_expect_right(const struct gpu_case *c);

/* Does it sort keys, of one kind or another? */
bool gpu_sorts(const struct algo *algo);

/* The words that are the answer. */
struct gpu_answer {
  const uint32_t *words;
  uint64_t count;
  /* Bytes of the numbers that they are, which are rounded; 0: they are exact.
   */
  unsigned rounded;
};

/* Has check to see it where this bit of that word is another? */
bool gpu_answer_needs(const struct gpu_answer *answer, uint64_t word,
                      unsigned bit);

struct gpu_answer gpu_case_answer(const struct gpu_case *c,
                                  const struct algo_run *run);

/* Operations, those that take the emulator long as so many more. */
double gpu_emulated_ops(const struct algo *algo, uint64_t n);

/* n, or less: a size that it takes, of at most `ops` of them. */
uint64_t gpu_at_most(const struct algo *algo, uint64_t n, double ops);

/* For check_suite.skip. */
const char *gpu_skip_emu(void);
const char *gpu_skip_counted(void);
const char *gpu_skip_cuda(void);
const char *gpu_skip_tested(void);
