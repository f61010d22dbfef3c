/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/graph/gpu_apsp.h"

#include <string.h>

static uint32_t *next_array(uint32_t **memory, uint64_t words) {
  uint32_t *array = *memory;
  *memory += gpu_words_padded(words);
  return array;
}

struct gpu_apsp gpu_apsp_of(const struct algo_run *run) {
  uint64_t n = run->n, m = cpu_graph_of(run).m;
  uint32_t *memory = (uint32_t *)(void *)run->memory;
  struct gpu_apsp apsp = {.n = (uint32_t)n, .m = (uint32_t)m};
  apsp.distances = (int32_t *)next_array(&memory, n * n);
  apsp.offsets = next_array(&memory, n + 1);
  apsp.ends = next_array(&memory, m);
  apsp.weights = (int32_t *)next_array(&memory, m);
  apsp.own = memory;
  return apsp;
}

static uint32_t *scratch_of(const struct algo_run *run) {
  return (uint32_t *)(void *)(run->memory + run->bytes) -
         gpu_words_padded(2 * run->n);
}

size_t gpu_apsp_bytes(uint64_t n, uint64_t m, uint64_t own) {
  if (n > GPU_APSP_MOST || m > GPU_WORDS_MAX) return 0;
  uint64_t words = gpu_words_padded(n * n) + gpu_words_padded(n + 1) +
                   2 * gpu_words_padded(m) + gpu_words_padded(own) +
                   gpu_words_padded(2 * n);
  return (size_t)words * sizeof(uint32_t);
}

static uint64_t mixed(uint64_t hash, const void *array, uint64_t count) {
  const uint32_t *words = array;
  for (uint64_t i = 0; i < count; i++) hash = cpu_random_fold(hash, words[i]);
  return hash;
}

static uint64_t graph_print(const struct gpu_apsp *apsp) {
  uint64_t hash = mixed(0, apsp->offsets, apsp->n + UINT64_C(1));
  return mixed(mixed(hash, apsp->ends, apsp->m), apsp->weights, apsp->m);
}

void gpu_apsp_restore(struct algo_run *run) {
  struct gpu_apsp apsp = gpu_apsp_of(run);
  memset(apsp.distances, 0xff, run->n * run->n * sizeof *apsp.distances);
}

void gpu_apsp_setup(struct algo_run *run) {
  struct gpu_apsp apsp = gpu_apsp_of(run);
  struct cpu_graph graph = cpu_graph_of(run);
  memset(run->memory, 0, run->bytes);
  cpu_graph_rows(&graph, false, apsp.offsets, apsp.ends, apsp.weights);
  run->fingerprint[0] = graph_print(&apsp);
  run->fingerprint[1] = 0;
  gpu_apsp_restore(run);
}

const char *gpu_apsp_check(const struct algo_run *run) {
  struct gpu_apsp apsp = gpu_apsp_of(run);
  struct cpu_apsp_rows rows = {apsp.offsets, apsp.ends, apsp.weights};
  if (graph_print(&apsp) != run->fingerprint[0]) return "the graph is altered";
  if (cpu_apsp_are_shortest(&rows, apsp.distances, apsp.n, scratch_of(run)))
    return NULL;
  return "a distance is not that of the shortest path";
}

void gpu_apsp_answer(const struct algo_run *run, struct algo_data *answer) {
  *answer = (struct algo_data){.count = run->n * run->n,
                               .rows = run->n,
                               .items = gpu_apsp_of(run).distances};
}
