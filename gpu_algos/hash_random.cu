/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Look n random words up in a hash table of m bytes, in shared memory or in
 * global memory: each thread reads where to look, and looks there.
 *
 * Ma, PhD thesis, Washington University in St. Louis 2014, section 5.2.1,
 * figure 5.1: what its calibrated model was made on.
 */
#include <string.h>

#include "gpu_algos/gpu.h"
extern "C" {
#include "cpu_algos/keys.h"
#include "gpu_algos/blocks.h"
#include "gpu_algos/words.h"
}

extern __shared__ unsigned char smem[];

namespace {

enum { USUAL = 256, SHARE = 16 }; /* threads of a block; look-ups of one */

/* Where the table is, and its words: m / 4. */
const struct kind {
  const char *name;
  bool shared;
  uint32_t words;
} kinds[] = {{"shared-8k", true, 2 << 10},    {"shared-16k", true, 4 << 10},
             {"shared-32k", true, 8 << 10},   {"shared-48k", true, 12 << 10},
             {"global-8k", false, 2 << 10},   {"global-16k", false, 4 << 10},
             {"global-32k", false, 8 << 10},  {"global-64k", false, 16 << 10},
             {"global-128k", false, 1 << 15}, {"global-256k", false, 1 << 16},
             {"global-512k", false, 1 << 17}, {"global-1m", false, 1 << 18}};
enum { KINDS = sizeof kinds / sizeof *kinds };
enum { TABLE = 1 << 18 }; /* words of the largest */

/* Each block has a range of the places, as even as can be. */
template <bool SHARED>
__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    look_up(const uint32_t *places, const uint32_t *table, uint32_t n,
            uint32_t words, uint32_t *sum) {
  uint32_t end = (uint32_t)((uint64_t)n * (blockIdx.x + 1) / gridDim.x);
  uint32_t i = (uint32_t)((uint64_t)n * blockIdx.x / gridDim.x) + threadIdx.x;
  uint32_t *mine = (uint32_t *)(void *)smem, found = 0;
  if (SHARED) {
    for (uint32_t w = threadIdx.x; w < words; w += blockDim.x)
      mine[w] = table[w];
    __syncthreads();
  }
  for (; i < end; i += blockDim.x)
    found += SHARED ? mine[places[i]] : table[places[i]];
  found = __reduce_add_sync(~0u, found);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, found);
}

/* The workspace: places, the sum of what was found, the table. */
size_t bytes(uint64_t n) {
  return gpu_words_bytes(n, 1, (uint64_t)GPU_ALIGN + TABLE);
}
uint32_t *sum_of(const struct algo_run *run) { return gpu_words(run, 1); }
uint32_t *table_of(const struct algo_run *run) {
  return sum_of(run) + GPU_ALIGN;
}

const kind *kind_of(const struct algo_run *run) {
  for (const auto &kind : kinds)
    if (run->generator && !strcmp(run->generator, kind.name)) return &kind;
  return kinds;
}

void restore(struct algo_run *run) { gpu_words_clear(sum_of(run), 1); }

void setup(struct algo_run *run) {
  const kind *kind = kind_of(run);
  uint32_t *places = gpu_words(run, 0), *table = table_of(run), sum = 0;
  for (uint32_t w = 0; w < TABLE; w++)
    table[w] = w < kind->words ? gpu_word(~run->seed, w) : 0;
  gpu_words_fill(run, places);
  for (uint64_t i = 0; i < run->n; i++) {
    places[i] = (uint32_t)((uint64_t)places[i] * kind->words >> 32);
    sum += table[places[i]];
  }
  run->fingerprint[0] = sum;
  run->fingerprint[1] = 0;
  restore(run);
}

/* Enough to keep a GPU busy, each with look-ups that are worth its table. */
uint32_t usual_grid(uint64_t n, uint32_t threads) {
  uint32_t blocks = gpu_blocks(n, threads * SHARE);
  return blocks < 1024 ? blocks : 1024;
}

void look_all_up(struct algo_run *run) {
  const kind *kind = kind_of(run);
  uint32_t threads = gpu_block_threads(run, USUAL), n = (uint32_t)run->n;
  uint32_t blocks =
      run->gpu.grid_blocks ? run->gpu.grid_blocks : usual_grid(n, threads);
  uint32_t shared = kind->shared ? kind->words * (uint32_t)sizeof(uint32_t) : 0;
  if (!n) return;
  GPU_LAUNCH_SHARED((kind->shared ? look_up<true> : look_up<false>), blocks,
                    threads, shared + run->gpu.dummy_shared, gpu_words(run, 0),
                    table_of(run), n, kind->words, sum_of(run));
}

const char *check(const struct algo_run *run) {
  if (*sum_of(run) == run->fingerprint[0]) return NULL;
  return "the sum is not that of the words that places lead to";
}

const char *const generators[] = {
    kinds[0].name,  kinds[1].name,  kinds[2].name, kinds[3].name, kinds[4].name,
    kinds[5].name,  kinds[6].name,  kinds[7].name, kinds[8].name, kinds[9].name,
    kinds[10].name, kinds[11].name, NULL};
static_assert(sizeof generators / sizeof *generators == KINDS + 1, "");

const struct gpu_algo on_gpu = {
    .refuse_block = gpu_block_refuse,
    .any_grid = true,
};

}  // namespace

GPU_ALGO(hash_random) = {
    .name = "hash_random",
    .title = "random hashing",
    .summary = "look n random words up in a table in shared or global memory",
    .device = GPU_DEVICE,
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = look_all_up,
    .check = check,
    .generators = generators,
    .gpu = &on_gpu,
};
