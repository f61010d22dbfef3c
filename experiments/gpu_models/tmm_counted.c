/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/tmm_counted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/graph.h"
#include "experiments/cli/command.h"
#include "experiments/gpu_models/model_run.h"
#include "gpu_algos/blocks.h"
#include "gpu_algos/gpu_algo.h"

#define WORDS_ALL (GPU_SHARED_BYTES / 4.)

/*
 * Z is less than all where the formula needs n to be larger and that would take
 * the emulator too long: sub-blocks of 8 x 8 distances, blocks of 512 keys.
 * With 4 words no distances of johnson_array's lie in shared memory, with all
 * of it they do; there, blocks of few threads take the emulator less.
 */
const struct tmm_counted tmm_counteds[] = {
    {"reduce", "reduce", NULL, "2^12..2^20*4", WORDS_ALL, 0},
    {"scan", "scan", NULL, "2^12..2^20*4", WORDS_ALL, 0},
    {"merge", "merge_32", NULL, "2^12..2^18*4", 512, 0},
    {"blocked_merge", "merge_32", NULL, "2^12..2^18*4", 512, 0},
    {"merge_sort", "merge_sort_32", NULL, "2^11..2^17*4", 512, 0},
    {"odd_even_sort", "odd_even_sort_32", NULL, "2^11..2^17*4", 512, 0},
    {"connected_components", "connected_components", NULL, "2^10..2^16*4",
     WORDS_ALL, 0},
    {"mst_boruvka", "mst_boruvka", NULL, "2^10..2^16*4", WORDS_ALL, 0},
    {"suffix_tree", "suffix_tree", NULL, "2^8..2^14*4", WORDS_ALL, 0},
    {"suffix_array", "suffix_array", NULL, "2^8..2^14*4", WORDS_ALL, 0},
    {"fft_stockham", "fft_stockham", NULL, "2^10..2^16*4", WORDS_ALL, 0},
    {"list_ranking_wyllie", "list_ranking_wyllie", NULL, "2^10..2^16*4",
     WORDS_ALL, 0},
    {"apsp_matmul", "apsp_matmul", NULL, "8..512*2", 128, 0},
    {"johnson_heap", "johnson_heap", NULL, "16..1024*4", WORDS_ALL, 0},
    {"johnson_array", "johnson_array", NULL, "8..512*2", WORDS_ALL, 0},
    {"johnson_array", "johnson_array", NULL, "8..512*2", 4, 32},
    {"bellman_ford", "bellman_ford", NULL, "4..256*2", WORDS_ALL, 0},
    {0}};

/* 1 but for matching, where a run of n letters has as many in all queries. */
static double letters_of(const struct algo *algo, const struct tmm_algo *row,
                         const char *generator) {
  if (!strchr(row->sizes, 'k')) return 1;
  if (!generator) generator = algo->generators[0];
  return atof(strchr(generator, '-') + 1); /* "length-16" */
}

void tmm_counted_model(const struct algo *algo, const struct tmm_algo *row,
                       const char *generator, uint64_t n,
                       const struct tmm_machine *machine,
                       struct tmm_count *count) {
  struct algo_run run = {.n = n, .generator = generator};
  double letters = letters_of(algo, row, generator);
  bool matching = strchr(row->sizes, 'k');
  bool graph = algo->data && !strncmp(algo->data, "graph", strlen("graph"));
  *count = (struct tmm_count){.n = (double)n / letters,
                              .m = NAN,
                              .k = matching ? letters : NAN,
                              .accesses = NAN,
                              .work = NAN};
  if (matching || graph)
    count->m = graph ? (double)cpu_graph_of(&run).m : (double)n;
  struct tmm_at at = {count->n, count->m, count->k, NAN, machine};
  count->program = tmm_algo_program(row, &at);
}

int tmm_counted_at(const struct device *emu, const struct tmm_counted *counted,
                   double n, double Z, double C, struct tmm_count *count) {
  const struct algo *algo = device_algo(emu, counted->algo);
  const struct tmm_algo *row = tmm_algo_find(counted->row);
  /* As long as P Z / Q is none, the edges of a graph are never all in it. */
  struct tmm_machine machine = {.P = 1, .C = C, .Z = Z, .Q = INFINITY};
  struct simt_counters counters;
  struct algo_run run = {
      .seed = 1,
      .generator = counted->generator,
      .gpu = {.block_threads = counted->block_threads,
              .dummy_shared = (unsigned)(GPU_SHARED_BYTES - 4 * Z)}};
  const char *why =
      algo->gpu && algo->gpu->refuse_block
          ? algo->gpu->refuse_block(run.gpu.block_threads, run.gpu.dummy_shared)
          : NULL;
  if (why) return fail(VAT_USAGE, "--Z %g: %s", Z, why);
  run.n = (uint64_t)(n * letters_of(algo, row, counted->generator));
  tmm_counted_model(algo, row, counted->generator, run.n, &machine, count);
  int code = emulated_count(emu, algo, &run, &counters);
  const struct simt_counters *c = &counters;
  uint64_t moved = C == 8 ? c->sectors_read + c->sectors_written
                          : c->lines_read + c->lines_written;
  count->accesses = (double)(moved + c->atomic_sectors);
  count->work = (double)counters.lanes_issued;
  return code;
}
