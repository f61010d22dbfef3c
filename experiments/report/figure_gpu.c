/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 3a, 3b, 4a, 4b and 5 of Kothapalli et al. (HiPC 2009): what the MAX
 * and SUM models say of five programs, beside what they took. */
#include "experiments/report/figure.h"
#include "experiments/report/gpu_panel.h"

static void of_size(const struct gpu_arch *arch, double n, double x,
                    double *parameters) {
  (void)arch;
  (void)x;
  parameters[0] = n;
}

static void of_stride(const struct gpu_arch *arch, double n, double x,
                      double *parameters) {
  (void)arch;
  parameters[0] = n;
  parameters[1] = x;
}

/* bank_conflicts writes each of n words 32 times, its case counts iterations of
 * a thread: as many where 512 threads of each multiprocessor share them out. */
static void of_bank(const struct gpu_arch *arch, double n, double x,
                    double *parameters) {
  enum { ROUNDS = 32, THREADS = 512 };
  parameters[0] = n * ROUNDS / THREADS / arch->sms;
  parameters[1] = x;
}

/* What all of them say. */
#define LINES                                                               \
  " Solid lines: the MAX and SUM models of what was counted while the "     \
  "kernel "                                                                 \
  "ran in the emulator; dashed, with open marks: of the formulas. "         \
  "Threads' cycles of computing "                                           \
  "and of memory hide each other (MAX) or add up (SUM). On the GTX 280, "   \
  "at its clock; beside it, where a GPU was measured, that one, with the "  \
  "GTX 280's cycles for accesses and its own multiprocessors, cores and "   \
  "clock. Where arithmetic was not counted, what they say of computing is " \
  "a lower bound."

#define FIGURE(id, sweep_, of_, name_, title_, caption_)                     \
  static void fill_##id(const struct survey *survey, struct chart *chart) {  \
    gpu_panels_fill(&sweep_, survey, chart);                                 \
  }                                                                          \
  const struct figure figure_##id = {                                        \
      .name = name_,                                                         \
      .title = title_,                                                       \
      .caption = caption_ LINES,                                             \
      .of_gpu = true,                                                        \
      .needs =                                                               \
          "It needs what the models take, counted or measured: vat run " of_ \
          " --device emu --counters auto, or cuda.",                         \
      .fill = fill_##id,                                                     \
      .write_csv = gpu_panels_write_csv};

static const struct gpu_sweep coalescing = {
    .algo = "coalescing",
    .case_name = "coalescing",
    .axis = "stride: threads that access words in sequence",
    .first = 32,
    .parameters = of_stride,
    .log_parameter = true};

FIGURE(gpu_coalescing, coalescing, "coalescing --generator all --sizes 2^16",
       "fig-gpu-3a", "Coalesced access (Kothapalli et al., figure 3a)",
       "Time to double n words, over the number of threads that go side by "
       "side, a logarithm: alone, each access is a transaction of its own; of "
       "16 and more, a half-warp shares one.")

static const struct gpu_sweep banks = {.algo = "bank_conflicts",
                                       .case_name = "bank_conflicts",
                                       .axis = "words between threads",
                                       .first = 1,
                                       .parameters = of_bank};

FIGURE(gpu_banks, banks, "bank_conflicts --generator all --sizes 2^16",
       "fig-gpu-3b", "Bank conflicts (Kothapalli et al., figure 3b)",
       "Time to write n words to shared memory 32 times, threads so many words "
       "apart. The formula has as many threads meet in a bank; counted are "
       "those that do, the greatest common divisor of the distance and the 32 "
       "banks: none at odd distances.")

static const struct gpu_sweep matmul = {.algo = "matmul_tiled",
                                        .case_name = "matmul",
                                        .axis =
                                            "log\342\202\202 n  (n \303\227 "
                                            "n matrices)",
                                        .from = 6,
                                        .to = 11,
                                        .parameters = of_size,
                                        .log_time = true};

FIGURE(gpu_matmul, matmul, "matmul_tiled --sizes 2^6:2^9*2", "fig-gpu-4a",
       "Matrix multiplication (Kothapalli et al., figure 4a)",
       "Time to multiply two matrices in tiles of 16 x 16, over the logarithm "
       "of their side; time is a logarithm, too.")

static const struct gpu_sweep ranking = {.algo = "list_ranking_hj",
                                         .case_name = "list_ranking",
                                         .axis = "log\342\202\202 n",
                                         .from = 18,
                                         .to = 22,
                                         .parameters = of_size,
                                         .log_time = true};

FIGURE(
    gpu_list_ranking, ranking, "list_ranking_hj --sizes 2^18:2^22*2",
    "fig-gpu-4b", "List ranking (Kothapalli et al., figure 4b)",
    "Time in ms to rank a random list of n elements, over the logarithm of "
    "n; time is a logarithm, too. What is compared are two ways to tell it: "
    "the formula is of the walk along n / log\342\202\202 n sublists alone, "
    "waits for the longest and computes nothing, so that MAX and SUM are one "
    "line; counted is all that the recursive algorithm does, of a mean "
    "thread. Below some 2^18 elements the formula is flat, since its threads "
    "do not fill the GPU.")

static const struct gpu_sweep histogram = {.algo = "histogram_shared",
                                           .case_name = "histogram",
                                           .axis = "log\342\202\202 n",
                                           .from = 20,
                                           .to = 26,
                                           .parameters = of_size,
                                           .log_time = true};

FIGURE(
    gpu_histogram, histogram, "histogram_shared --sizes 2^20:2^24*2",
    "fig-gpu-5", "Histogram (Kothapalli et al., figure 5)",
    "Time in ms to count n words in 256 bins, first in shared memory, over "
    "the logarithm of n; time is a logarithm, too. What is compared: the "
    "formula has a read, five operations and two accesses of shared memory a "
    "word, whose threads meet in banks as random ones do, and a share of the "
    "bins for each thread, so that it is flat for few words; counted is what "
    "the kernel does, its atomics on shared memory as turns of banks.")
