/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 4.1 to 4.7, 4.10 and 4.12 to 4.14 of L. Ma, PhD thesis 2014: what the
 * TMM model says on the GPUs of the source, by its formulas and by accesses
 * that the emulator counted. */
#include "experiments/report/figure.h"
#include "experiments/report/tmm_panel.h"

/* The next panel, "GeForce GTX 480, predicted"; and the machine. */
static struct chart_panel *predicted(struct chart *chart, const char *name,
                                     const struct tmm_machine **machine) {
  *machine = tmm_machine_find(name);
  return chart_panel(chart, "", "", "%s, predicted", (*machine)->title);
}

/* What was measured stands beside it, where there is any. */
static struct chart_panel *beside(struct chart *chart) {
  return chart_panel(chart, "", "", "%s", "");
}

static void over_threads(const struct survey *survey, struct chart *chart,
                         const char *algo, enum tmm_by by) {
  const struct tmm_machine *gtx480;
  struct chart_panel *panel = predicted(chart, "gtx480", &gtx480);
  tmm_over_threads(panel, survey, algo, gtx480, by, tmm_speedup);
  tmm_measured(beside(chart), survey, algo, by, true, false);
  chart_drop_empty(chart);
}

static void matmul_sizes(const struct survey *survey, struct chart *chart) {
  over_threads(survey, chart, "apsp_matmul", TMM_BY_N);
}

static void johnson_densities(const struct survey *survey,
                              struct chart *chart) {
  over_threads(survey, chart, "johnson_array", TMM_BY_M);
}

static void matmul_blocks(const struct survey *survey, struct chart *chart) {
  over_threads(survey, chart, "apsp_matmul", TMM_BY_Z);
}

static void johnson_edges(const struct survey *survey, struct chart *chart) {
  const struct tmm_machine *gtx480;
  struct chart_panel *panel = predicted(chart, "gtx480", &gtx480);
  tmm_over_edges(panel, survey, "johnson_array", gtx480);
}

static void matmul_differences(const struct survey *survey,
                               struct chart *chart) {
  for (int i = 0; i < 2; i++) {
    const struct tmm_machine *gtx480;
    struct chart_panel *panel = predicted(chart, "gtx480", &gtx480);
    tmm_over_blocks(panel, survey, "apsp_matmul", gtx480, i);
  }
  chart_drop_empty(chart);
}

static void matmul_machines(const struct survey *survey, struct chart *chart) {
  static const char *const machines[] = {"gtx480", "gtx680"};
  for (int i = 0; i < 2; i++) {
    const struct tmm_machine *machine;
    struct chart_panel *panel = predicted(chart, machines[i], &machine);
    tmm_over_threads(panel, survey, "apsp_matmul", machine, TMM_BY_Z,
                     tmm_speedup);
  }
  chart_drop_empty(chart);
}

static void matmul_over_johnson(const struct survey *survey,
                                struct chart *chart) {
  const struct tmm_machine *gtx480;
  struct chart_panel *panel = predicted(chart, "gtx480", &gtx480);
  tmm_over_other(panel, survey, "apsp_matmul", "johnson_array", gtx480);
  panel = beside(chart);
  tmm_measured(panel, survey, "apsp_matmul", TMM_BY_M, true, true);
  tmm_measured(panel, survey, "johnson_array", TMM_BY_M, true, true);
  chart_drop_empty(chart);
}

static void matching(const struct survey *survey, struct chart *chart) {
  static const char *const names[] = {"suffix_tree", "suffix_array"};
  const struct tmm_machine *gtx580;
  struct chart_panel *panel = predicted(chart, "gtx580", &gtx580);
  struct chart_panel *measured = beside(chart);
  for (int i = 0; i < 2; i++) {
    tmm_over_sizes(panel, survey, names[i], gtx580);
    tmm_measured(measured, survey, names[i], TMM_BY_N, false, false);
  }
  chart_drop_empty(chart);
}

static void fft_latencies(const struct survey *survey, struct chart *chart) {
  const struct tmm_machine *gtx280;
  struct chart_panel *panel = predicted(chart, "gtx280", &gtx280);
  tmm_over_latencies(panel, survey, "fft_stockham", gtx280);
}

static void over_sizes(const struct survey *survey, struct chart *chart,
                       const char *algo) {
  const struct tmm_machine *gtx280;
  struct chart_panel *panel = predicted(chart, "gtx280", &gtx280);
  tmm_over_sizes(panel, survey, algo, gtx280);
  tmm_linear(panel);
  panel = beside(chart);
  tmm_measured(panel, survey, algo, TMM_BY_N, false, false);
  tmm_linear(panel);
  chart_drop_empty(chart);
}

static void merge_sort(const struct survey *survey, struct chart *chart) {
  over_sizes(survey, chart, "merge_sort");
}

static void list_ranking(const struct survey *survey, struct chart *chart) {
  over_sizes(survey, chart, "list_ranking_wyllie");
}

/* What all of them say. */
#define LINES                                                             \
  " The TMM model's constants are 1: it says where curves bend, not how " \
  "high they are. Solid: with the accesses to global memory that were "   \
  "counted while the program ran in the emulator, of the sizes that ran " \
  "there; dashed: with those of the formula. Work and span are the "      \
  "formula's in both. Where a GPU was measured, its times stand beside it."

#define FIGURE(file, number, id, algo_, of_, title_, caption_)   \
  const struct figure figure_tmm_##id = {                        \
      .name = "fig-tmm-" file,                                   \
      .title = title_ " (Ma, figure " number ")",                \
      .caption = caption_ LINES,                                 \
      .of_gpu = true,                                            \
      .needs = "It needs counts: vat run --device emu " of_ ".", \
      .fill = id,                                                \
      .algo = algo_};

/* Sizes and inputs that make them: see doc/tmm.md. */
#define GRAPHS " --sizes 256 --generator degree-1,degree-4,degree-16,degree-64"
#define BLOCKS                                                                \
  " --sizes 256, and once more with --dummy-shared 36864, which leaves less " \
  "room for sub-blocks"
#define SIZES " --sizes 2^7:2^15*4"

FIGURE("4.01", "4.1", matmul_sizes, "apsp_matmul",
       "apsp_matmul --sizes 64,128,256",
       "Shortest paths by products, over threads",
       "Speed-up of the dynamic programming algorithm over threads per core, "
       "with sub-blocks of 64 x 64: it does not depend on n, and is flat from "
       "T = L / (C \342\210\232Z) on.")
FIGURE("4.02", "4.2", johnson_densities, "johnson_array",
       "johnson_array" GRAPHS, "Johnson's algorithm, over threads",
       "Speed-up of Johnson's algorithm with arrays over threads per core, for "
       "graphs of other densities: the more edges, the more threads it takes.")
FIGURE("4.03", "4.3", johnson_edges, "johnson_array", "johnson_array" GRAPHS,
       "Johnson's algorithm, over edges",
       "Time of Johnson's algorithm with arrays over the edges of a graph: the "
       "formula has an access for each. Edges of a vertex lie side by side, "
       "though, and what is counted grows more slowly; with m = n most "
       "vertices are out of reach.")
FIGURE(
    "4.04", "4.4", matmul_blocks, "apsp_matmul", "apsp_matmul" BLOCKS,
    "Sub-blocks, over threads",
    "Speed-up of the dynamic programming algorithm over threads per core "
    "where less shared memory is left, so that sub-blocks are smaller: a pair "
    "of lines for each --dummy-shared that was counted with.")
FIGURE("4.05", "4.5", matmul_differences, "apsp_matmul", "apsp_matmul" BLOCKS,
       "Two sub-blocks, over threads",
       "The two largest sub-blocks of figure 4.4 against each other: the "
       "difference of their speed-ups grows with the threads, and their ratio "
       "is that of their sides, as long as memory rules both. Then the model "
       "has them equal; the source measured a difference that stays.")
FIGURE("4.06", "4.6", matmul_machines, "apsp_matmul", "apsp_matmul" BLOCKS,
       "Two machines, over threads",
       "Speed-up of the dynamic programming algorithm on two GPUs, over "
       "threads per core: a pair of lines for each size Z of local memory that "
       "--dummy-shared left.")
FIGURE("4.07", "4.7", matmul_over_johnson, "apsp_matmul",
       "apsp_matmul johnson_array" GRAPHS, "Products or Johnson's algorithm",
       "Time of the dynamic programming algorithm over that of Johnson's with "
       "arrays, over threads per core: above 1 Johnson's is better.")
FIGURE("4.10", "4.10", matching, "suffix_tree",
       "suffix_tree suffix_array" SIZES, "String matching, over queries",
       "Time of batches of queries over how many there are: flat until threads "
       "are enough to hide all accesses, or are as many as there can be.")
FIGURE(
    "4.12", "4.12", fft_latencies, "fft_stockham", "fft_stockham" SIZES,
    "Fourier transforms, over the latency of memory",
    "Time over L, of the smallest and the largest n that were counted: below "
    "some L, which is less for few points, work or span rule. The source "
    "has the memory's clock, which grows to the left here.")
FIGURE("4.13", "4.13", merge_sort, "merge_sort", "merge_sort" SIZES,
       "Merge sort, over keys",
       "Time over the logarithm of n, beside a line that is linear in n: "
       "slower than that for few keys, faster for many. Work rules, and behind "
       "n = Z the formula's drops the sorting of blocks.")
FIGURE("4.14", "4.14", list_ranking, "list_ranking_wyllie",
       "list_ranking_wyllie" SIZES, "List ranking, over elements",
       "Time of Wyllie's algorithm over the logarithm of n, beside a line that "
       "is linear in n.")
