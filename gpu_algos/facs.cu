/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FACS: which of several references a read is of, by a Bloom filter of each,
 * in global memory.
 *
 * L. Ma, PhD thesis, Washington University in St. Louis 2014, section 5.2.5,
 * figure 5.15: reads are the blocks', the w-mers of a read the threads', which
 * compute all functions of theirs, for a group of references.  Vectors are made
 * on the host.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "cpu_algos/facs.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"
#include "gpu_algos/blocks.h"
}

namespace {

enum : uint32_t {
  USUAL = 128, /* threads: the w-mers of a short read */
  GRID_MOST = 1 << 16,
  WARPS = GPU_BLOCK_MAX / 32,
  GROUP = CPU_FACS_GROUP,
  ROWS = GROUP + 1
};

/* Which w-mers of a read, as many as the block has threads, pass: a row for
 * each reference of a group, and behind them which there are.  The first word
 * of a row is the last of those before, since w-mers reach into the next. */
struct tally {
  uint32_t hits[ROWS][WARPS + 1];
  uint32_t covered[ROWS];
};

struct hash {
  uint64_t first, step;
};

__device__ __forceinline__ uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Of the w-mer at letter i of those that are here and the one on the other
 * strand the lesser. */
__device__ __forceinline__ hash hash_at(const cpu_facs &facs, uint64_t i) {
  const uint64_t odd = 0x5555555555555555u;
  const uint64_t *word = facs.letters + i / 32;
  uint32_t shift = 2 * (uint32_t)(i % 32);
  uint64_t mer = word[0] >> shift | (shift ? word[1] << (64 - shift) : 0);
  mer &= ((uint64_t)1 << 2 * facs.w) - 1;
  uint64_t other = __brevll(~mer);
  other = ((other >> 1 & odd) | (other & odd) << 1) >> (64 - 2 * facs.w);
  hash hash;
  hash.first = mix((mer < other ? mer : other) + CPU_RANDOM_STEP);
  hash.step = mix(hash.first + CPU_RANDOM_STEP) | 1;
  return hash;
}

__device__ __forceinline__ bool passes(const cpu_facs &facs, uint32_t reference,
                                       const hash &hash) {
  const uint64_t *vector = facs.words + facs.vectors[reference].begin;
  uint64_t bits = facs.vectors[reference].bits, random = hash.first;
  for (uint32_t j = 0; j < facs.k; j++, random += hash.step) {
    uint64_t place = __umul64hi(random, bits);
    if (!(vector[place / 64] >> place % 64 & 1)) return false;
  }
  return true;
}

/* The letters that begin a w-mer, and the w - 1 behind each: of 32, with the 32
 * before them. */
__device__ __forceinline__ uint32_t covered_of(uint32_t hits, uint32_t before,
                                               uint32_t w) {
  uint64_t letters = (uint64_t)hits << 32 | before;
  for (uint32_t has = 1, more; has < w; has += more) {
    more = has < w - has ? has : w - has;
    letters |= letters << more;
  }
  return (uint32_t)__popc((uint32_t)(letters >> 32));
}

/* A warp has a row, and a lane a word of it. */
__device__ __forceinline__ void add_covered(tally *tally, uint32_t rows,
                                            uint32_t w) {
  uint32_t lane = threadIdx.x % 32, warps = blockDim.x / 32;
  for (uint32_t row = threadIdx.x / 32; row < rows; row += warps) {
    uint32_t *hits = tally->hits[row], covered = 0;
    if (lane < warps) covered = covered_of(hits[lane + 1], hits[lane], w);
    covered = __reduce_add_sync(~0u, covered);
    __syncwarp();
    if (!lane) {
      tally->covered[row] += covered;
      hits[0] = hits[warps];
    }
  }
}

/* A read against references [first, first + count). */
__device__ __forceinline__ void look_up(const cpu_facs &facs, uint32_t read,
                                        uint32_t first, uint32_t count,
                                        tally *tally) {
  uint32_t lane = threadIdx.x % 32, word = threadIdx.x / 32 + 1;
  uint64_t at = facs.begins[read] - facs.origin;
  uint64_t end = facs.begins[read + 1] - facs.origin;
  for (uint32_t row = threadIdx.x; row <= count; row += blockDim.x)
    tally->covered[row] = tally->hits[row][0] = 0;
  for (; at < end; at += blockDim.x) {
    uint64_t i = at + threadIdx.x;
    bool is_one = i < end && (facs.starts[i / 64] >> i % 64 & 1);
    hash hash = {0, 0};
    if (is_one) hash = hash_at(facs, i);
    for (uint32_t row = 0; row <= count; row++) {
      bool hit = is_one && (row == count || passes(facs, first + row, hash));
      uint32_t hits = __ballot_sync(~0u, hit);
      if (!lane) tally->hits[row][word] = hits;
    }
    __syncthreads();
    add_covered(tally, count + 1, facs.w);
    __syncthreads();
  }
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX) classify(cpu_facs facs) {
  __shared__ tally tally;
  for (uint32_t read = blockIdx.x; read < facs.reads; read += gridDim.x) {
    cpu_facs_class best = {0, 0, 0, 0};
    for (uint32_t first = 0; first < facs.references; first += GROUP) {
      uint32_t left = facs.references - first;
      uint32_t count = left < GROUP ? left : (uint32_t)GROUP;
      look_up(facs, read, first, count, &tally);
      __syncthreads();
      best.letters = tally.covered[count];
      for (uint32_t r = 0; r < count; r++)
        if (tally.covered[r] > best.covered) {
          best.covered = tally.covered[r];
          best.reference = first + r + 1;
        }
      __syncthreads();
    }
    if (!best.covered ||
        100 * (uint64_t)best.covered < (uint64_t)facs.cover * best.letters)
      best.reference = 0;
    if (!threadIdx.x) facs.classes[read] = best;
  }
}

void classify_reads(struct algo_run *run) {
  cpu_facs facs = cpu_facs_of(run);
  uint32_t blocks = facs.reads < GRID_MOST ? facs.reads : (uint32_t)GRID_MOST;
  if (run->gpu.grid_blocks) blocks = run->gpu.grid_blocks;
  if (!facs.reads) return;
  GPU_LAUNCH_STREAM(classify, blocks, gpu_block_threads(run, USUAL),
                    run->gpu.dummy_shared, run->gpu.stream, facs);
}

const struct gpu_algo on_gpu = {
    .refuse_block = gpu_block_refuse,
    .any_grid = true,
    .chunk = cpu_facs_chunk,
    .part_bytes = cpu_facs_part_bytes,
    .part_spans = cpu_facs_part_spans,
};

}  // namespace

GPU_ALGO(facs) = {
    .name = "facs",
    .title = "FACS",
    .summary = "find of which references reads are, by Bloom filters",
    .device = GPU_DEVICE,
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = cpu_facs_bytes,
    .setup = cpu_facs_setup,
    .restore = cpu_facs_restore,
    .run = classify_reads,
    .check = cpu_facs_check,
    .data = "reads",
    .bytes_given = cpu_facs_bytes_given,
    .ops_given = cpu_facs_ops_given,
    .refuse = cpu_facs_refuse,
    .gpu = &on_gpu,
    .refuse_parameters = cpu_facs_refuse_parameters,
    .answer = cpu_facs_answer,
    .counts = cpu_facs_counts,
    .count = cpu_facs_count,
};
