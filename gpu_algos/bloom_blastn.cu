/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Bloom filter in front of BLASTN: blocks test the w-mers of a database for
 * being in a sub-query, whose Bloom vector they have in shared memory.
 *
 * L. Ma, PhD thesis, Washington University in St. Louis 2014, section 5.2.2:
 * sub-queries are the blocks', w-mers the threads'; a warp has 32 that follow
 * each other, so that it reads the database side by side.  Vectors are made on
 * the host.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "cpu_algos/blastn.h"
#include "cpu_algos/keys.h"
#include "gpu_algos/blocks.h"
}

extern __shared__ unsigned char smem[];

namespace {

enum { USUAL = 256, SLICE = 1 << 11 }; /* threads; words of a task */
enum : uint32_t {
  GRID_MOST = 1024,
  PIECE_BITS = 6,
  VALUE = (1u << CPU_BLASTN_VALUE_BITS) - 1,
  NONE = ~0u
};

/* What blocks have to do: a slice of the database for a sub-query each. */
struct work {
  cpu_blastn filter;
  uint32_t slices;
};

template <class word>
__device__ __forceinline__ void load(word *to, const word *from,
                                     uint32_t words) {
  for (uint32_t i = threadIdx.x; i < words; i += blockDim.x) to[i] = from[i];
}

/* The w-mer at letter `lane` of 32 that begin with this word; three words are
 * there, of 16 letters each. */
__device__ __forceinline__ uint32_t mer_at(const uint32_t *words, uint32_t lane,
                                           uint32_t w) {
  uint32_t shift = 2 * (lane % 16);
  uint64_t both = words[lane / 16] | (uint64_t)words[lane / 16 + 1] << 32;
  return (uint32_t)(both >> shift) & ((1u << 2 * w) - 1);
}

__device__ __forceinline__ bool passes(const cpu_blastn &filter,
                                       const uint32_t *vector,
                                       const uint64_t *table, uint32_t mer) {
  for (uint32_t j = 0; j < filter.k; j += CPU_BLASTN_ABREAST) {
    uint64_t values = 0;
#pragma unroll
    for (uint32_t piece = 0; piece < CPU_BLASTN_PIECES; piece++) {
      uint32_t x = mer >> PIECE_BITS * piece & (CPU_BLASTN_PIECE - 1);
      values ^= table[piece * CPU_BLASTN_PIECE + x];
    }
#pragma unroll
    for (uint32_t i = 0; i < CPU_BLASTN_ABREAST; i++) {
      uint32_t place = (uint32_t)values & VALUE;
      if (j + i < filter.k && !(vector[place / 32] >> place % 32 & 1))
        return false;
      values >>= CPU_BLASTN_VALUE_BITS;
    }
    table += CPU_BLASTN_PIECES * CPU_BLASTN_PIECE;
  }
  return true;
}

/* The w-mers of one slice, a warp 32 at a time; how many of the warp's hit. */
__device__ __forceinline__ uint32_t test(const work &work, uint32_t slice,
                                         const uint32_t *vector,
                                         const uint64_t *table) {
  const cpu_blastn &filter = work.filter;
  uint32_t lane = threadIdx.x % 32, word = slice * SLICE + threadIdx.x / 32;
  uint32_t end = (slice + 1) * SLICE, found = 0;
  if (end > filter.words) end = filter.words;
  for (; word < end; word += blockDim.x / 32) {
    uint32_t mer = mer_at(filter.database + 2 * (uint64_t)word, lane, filter.w);
    bool is_one = filter.starts[word] >> lane & 1;
    bool hit = is_one && passes(filter, vector, table, mer);
    uint32_t hits = __ballot_sync(~0u, hit);
    if (hits && !lane) atomicOr(&filter.hits[word], hits);
    found += (uint32_t)__popc(hits);
  }
  return found;
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX) bloom_test(work work) {
  const cpu_blastn &filter = work.filter;
  uint32_t vector_words = 1u << (filter.lg_m - 5), loaded = NONE;
  uint32_t sets = (filter.k + CPU_BLASTN_ABREAST - 1) / CPU_BLASTN_ABREAST;
  uint32_t table_words = sets * CPU_BLASTN_PIECES * CPU_BLASTN_PIECE;
  uint64_t *table = (uint64_t *)(void *)smem;
  uint32_t *vector = (uint32_t *)(void *)(table + table_words);
  uint64_t tasks = (uint64_t)work.slices * filter.subs;
  for (uint64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    uint32_t sub = (uint32_t)(task / work.slices);
    if (sub != loaded) {
      __syncthreads();
      load(vector, filter.vectors + (uint64_t)sub * vector_words, vector_words);
      load(table, filter.tables + (uint64_t)sub * table_words, table_words);
      __syncthreads();
      loaded = sub;
    }
    uint32_t found = test(work, (uint32_t)(task % work.slices), vector, table);
    if (found && threadIdx.x % 32 == 0) atomicAdd(&filter.counts[sub], found);
  }
}

void filter_database(struct algo_run *run) {
  work work = {cpu_blastn_of(run), 0};
  const cpu_blastn &filter = work.filter;
  work.slices = gpu_blocks(filter.words, SLICE);
  uint64_t tasks = (uint64_t)work.slices * filter.subs;
  uint32_t blocks = tasks < GRID_MOST ? (uint32_t)tasks : (uint32_t)GRID_MOST;
  if (run->gpu.grid_blocks) blocks = run->gpu.grid_blocks;
  size_t bytes = cpu_blastn_vector(&filter) * sizeof *filter.vectors +
                 cpu_blastn_table(&filter) * sizeof *filter.tables;
  if (!tasks) return;
  GPU_LAUNCH_STREAM(bloom_test, blocks, gpu_block_threads(run, USUAL),
                    bytes + run->gpu.dummy_shared, run->gpu.stream, work);
}

const struct gpu_algo on_gpu = {
    .refuse_block = gpu_block_refuse,
    .any_grid = true,
    .chunk = cpu_blastn_chunk,
    .part_bytes = cpu_blastn_part_bytes,
    .part_spans = cpu_blastn_part_spans,
};

}  // namespace

GPU_ALGO(bloom_blastn) = {
    .name = "bloom_blastn",
    .title = "Bloom filter of BLASTN",
    .summary = "find the w-mers of a database that may be in a query",
    .device = GPU_DEVICE,
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = cpu_blastn_bytes,
    .setup = cpu_blastn_setup,
    .restore = cpu_blastn_restore,
    .run = filter_database,
    .check = cpu_blastn_check,
    .data = "dna",
    .generators = cpu_blastn_generators,
    .bytes_given = cpu_blastn_bytes_given,
    .ops_given = cpu_blastn_ops_given,
    .refuse = cpu_blastn_refuse,
    .gpu = &on_gpu,
    .refuse_parameters = cpu_blastn_refuse_parameters,
    .answer = cpu_blastn_answer,
    .counts = cpu_blastn_counts,
    .count = cpu_blastn_count,
};
