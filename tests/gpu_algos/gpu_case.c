/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/gpu_algos/gpu_case.h"

#include <config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/graph.h"
#include "cpu_algos/histogram.h"
#include "gpu_algos/failure.h"
#include "gpu_algos/fft/signals.h"
#include "gpu_algos/sort/sort_keys.h"
#include "gpu_algos/strings/texts.h"
#include "gpu_algos/words.h"

const struct gpu_set *gpu_emu(void) {
#ifdef HAVE_EMU
  return &gpu_emu_set;
#else
  return NULL;
#endif
}

static bool is_on_cuda(void) {
  const char *device = getenv("VAT_TEST_DEVICE");
  return device && !strcmp(device, "cuda");
}

const struct gpu_set *gpu_counted(void) {
#ifdef HAVE_EMU_COUNTED
  return is_on_cuda() ? NULL : &gpu_counted_set;
#else
  return NULL;
#endif
}

const struct gpu_set *gpu_cuda(void) {
#ifdef HAVE_CUDA
  return &gpu_cuda_set;
#else
  return NULL;
#endif
}

const struct gpu_set *gpu_tested(void) {
  return is_on_cuda() ? gpu_cuda() : gpu_emu();
}

const char *gpu_skip_emu(void) {
  return gpu_emu() ? NULL : "vat is built without the emulator";
}

const char *gpu_skip_counted(void) {
  if (is_on_cuda()) return "VAT_TEST_DEVICE=cuda, where nothing is counted";
  return gpu_counted() ? NULL : "vat is built without counted kernels";
}

const char *gpu_skip_cuda(void) {
  static char why[2 * sizeof(struct gpu_failure)];
  if (!gpu_cuda()) return "vat is built without CUDA";
  if (!gpu_cuda()->device->open()) return NULL;
  const struct gpu_failure *failure = gpu_failure_first();
  snprintf(why, sizeof why, "%s: %s (%s)", failure->call, failure->name,
           failure->text);
  gpu_failure_forget();
  return why;
}

const char *gpu_skip_tested(void) {
  return is_on_cuda() ? gpu_skip_cuda() : gpu_skip_emu();
}

size_t gpu_index(const char *name) {
  const struct gpu_set *set = gpu_emu() ? gpu_emu() : gpu_cuda();
  size_t index = 0;
  while (strcmp(set->algos[index]->name, name) != 0) index++;
  return index;
}

struct algo_run gpu_case_open(const struct gpu_case *c) {
  return gpu_case_open_blocks(c, 0, 0);
}

struct algo_run gpu_case_open_blocks(const struct gpu_case *c,
                                     unsigned block_threads,
                                     unsigned dummy_shared) {
  struct algo_run run = workspace_open(gpu_algo(c), c->n, c->seed);
  run.generator = c->generator;
  run.gpu.block_threads = block_threads;
  run.gpu.dummy_shared = dummy_shared;
  gpu_algo(c)->setup(&run);
  return run;
}

static void expect_no_failure(const struct gpu_case *c) {
  const struct gpu_failure *failure = gpu_failure_first();
  CU_ASSERT_PTR_NULL(failure);
  if (failure)
    fprintf(stderr, "%s n=%llu: %s: %s (%s)\n", gpu_algo(c)->name,
            (unsigned long long)c->n, failure->call, failure->name,
            failure->text);
  gpu_failure_forget();
}

void gpu_case_run(const struct gpu_case *c, struct algo_run *run) {
  const struct gpu_device *device = c->set->device;
  struct algo_run there = *run;
  uint64_t ns;
  there.memory = device->allocate(run->bytes);
  CU_ASSERT_PTR_NOT_NULL_FATAL(there.memory);
  CU_ASSERT_EQUAL(device->upload(there.memory, run->memory, run->bytes, &ns),
                  0);
  CU_ASSERT_EQUAL(device->run(c->runs->algos[c->index], &there, &ns), 0);
  CU_ASSERT_EQUAL(device->download(run->memory, there.memory, run->bytes, &ns),
                  0);
  device->release(there.memory);
  expect_no_failure(c);
  CU_ASSERT_TRUE(workspace_guarded(run));
}

void gpu_case_expect_right(const struct gpu_case *c) {
  struct algo_run run = gpu_case_open(c);
  gpu_case_run(c, &run);
  const char *wrong = gpu_algo(c)->check(&run);
  CU_ASSERT_PTR_NULL(wrong);
  if (wrong)
    fprintf(stderr, "%s n=%llu seed=%llu %s: %s\n", gpu_algo(c)->name,
            (unsigned long long)c->n, (unsigned long long)c->seed,
            c->generator ? c->generator : "", wrong);
  workspace_close(&run);
}

/* Where it lies, in arrays of n words each, and how much it is. */
static uint64_t all(uint64_t n) { return n; }
static uint64_t one(uint64_t n) { return n > 0; }
static uint64_t bins(uint64_t n) { return n ? CPU_HISTOGRAM_BINS : 0; }
static const struct {
  const char *name;
  unsigned array;
  uint64_t (*count)(uint64_t n);
} answers[] = {
    {"copy", 1, all},
    {"reduce", 1, one},
    {"random_window", 1, one},
    {"hash_random", 1, one},
    {"scan", 1, all},
    {"coalescing", 0, all},
    {"bank_conflicts", 1, all},
    {"list_ranking_hj", 1, all},
    {"list_ranking_wyllie", 1, all},
    {"histogram_shared", 1, bins},
};
enum { ANSWERS = sizeof answers / sizeof *answers };

bool gpu_sorts(const struct algo *algo) {
  return algo->generators == cpu_keys_generators;
}

static struct gpu_answer sorted(const struct algo *algo,
                                const struct algo_run *run) {
  bool narrow =
      algo->setup == gpu_sort_setup_32 || algo->check == gpu_sort_check_32;
  unsigned bytes = narrow ? 4 : 8;
  return (struct gpu_answer){gpu_sort_array(run, bytes, 1),
                             run->n * (bytes / 4), 0};
}

static struct gpu_answer transformed(const struct algo *algo,
                                     const struct algo_run *run) {
  unsigned half = algo->setup == gpu_signal_setup_float ? 4 : 8;
  return (struct gpu_answer){gpu_signal_array(run, 2 * half, 1),
                             2 * run->n * (half / 4), half};
}

/* The leading half of a double, the exponent of a float and seven bits more. */
bool gpu_answer_needs(const struct gpu_answer *answer, uint64_t word,
                      unsigned bit) {
  if (answer->rounded == 8) return word % 2;
  return !answer->rounded || bit >= 16;
}

struct gpu_answer gpu_case_answer(const struct gpu_case *c,
                                  const struct algo_run *run) {
  if (gpu_sorts(gpu_algo(c))) return sorted(gpu_algo(c), run);
  if (gpu_algo(c)->generators == gpu_signal_generators)
    return transformed(gpu_algo(c), run);
  if (gpu_algo(c)->generators == gpu_text_generators) {
    struct gpu_text text = gpu_text_of(run);
    return (struct gpu_answer){text.found, 2 * text.queries, 0};
  }
  for (size_t i = 0; i < ANSWERS; i++)
    if (!strcmp(answers[i].name, gpu_algo(c)->name))
      return (struct gpu_answer){gpu_words(run, answers[i].array),
                                 answers[i].count(run->n), 0};
  const char *data = gpu_algo(c)->data;
  if (data && !strcmp(data, "graph-forest")) /* which edges are of it */
    return (struct gpu_answer){gpu_words(run, 0), cpu_graph_of(run).m, 0};
  if (gpu_algo(c)->answer) { /* words, or points */
    struct algo_data answer;
    gpu_algo(c)->answer(run, &answer);
    unsigned words = strcmp(data, "points") ? 1 : 4;
    return (struct gpu_answer){answer.items, words * answer.count, 0};
  }
  /* The third of three matrices. */
  struct algo_run square = *run;
  square.n *= square.n;
  return (struct gpu_answer){gpu_words(&square, 2), square.n, 0};
}

/* 600 ns an operation in place of 40: a block meets at barriers for each
 * vertex. */
static bool is_barriers(const struct algo *algo) {
  return !strcmp(algo->name, "johnson_array") ||
         !strcmp(algo->name, "bellman_ford");
}

double gpu_emulated_ops(const struct algo *algo, uint64_t n) {
  return algo->ram_ops(n) * (is_barriers(algo) ? 16 : 1);
}

uint64_t gpu_at_most(const struct algo *algo, uint64_t n, double ops) {
  while (gpu_emulated_ops(algo, n) > ops) n -= n / 100 + 1;
  return cpu_algo_fit(algo, n);
}
