/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All pairs' shortest paths by squaring the matrix of distances, with min and +
 * in place of + and *, until paths of n - 1 edges are in it: L. Ma, PhD thesis,
 * 2014, section 4.1.1.
 *
 * A block has a sub-block of S_D x S_D distances, and each of its threads as
 * many of them in registers; two such sub-blocks of the factors lie in shared
 * memory.  S_D is 64, 32, 16 or 8: what Z, the shared memory, has room for.
 *
 * Work n^3 lg n, span n lg n, M = n^3 lg n / (S_D C): 2 n^3 / S_D words are
 * read for each of the ceil(lg(n - 1)) products, in rows of S_D words.  With
 * S_D = 16 those fill half of C, and M is twice that; with 8, four times.
 *
 * Matrices are padded to whole sub-blocks by vertices that no edge has.
 */
#include "gpu_algos/graph/min_plus.h"
extern "C" {
#include "gpu_algos/blocks.h"
#include "gpu_algos/graph/gpu_apsp.h"
}

namespace {

enum { LARGEST = 64, LEAST = 8, USUAL = 256 };

template <int SIDE, int THREADS>
void square(const int32_t *from, int32_t *to, uint32_t side, unsigned dummy) {
  GPU_LAUNCH_SHARED((square_distances<SIDE, THREADS>),
                    dim3(side / SIDE, side / SIDE), THREADS, dummy, from, to,
                    side);
}

typedef void squaring(const int32_t *from, int32_t *to, uint32_t side,
                      unsigned dummy);

/* By S_D and threads: those that come out even. */
const struct {
  unsigned side, threads;
  squaring *square;
} squarings[] = {
    {64, 32, square<64, 32>},   {64, 64, square<64, 64>},
    {64, 128, square<64, 128>}, {64, 256, square<64, 256>},
    {64, 512, square<64, 512>}, {64, 1024, square<64, 1024>},
    {32, 32, square<32, 32>},   {32, 64, square<32, 64>},
    {32, 128, square<32, 128>}, {32, 256, square<32, 256>},
    {32, 512, square<32, 512>}, {32, 1024, square<32, 1024>},
    {16, 32, square<16, 32>},   {16, 64, square<16, 64>},
    {16, 128, square<16, 128>}, {16, 256, square<16, 256>},
    {8, 32, square<8, 32>},     {8, 64, square<8, 64>},
};

unsigned side_of(unsigned dummy) {
  unsigned side = LARGEST;
  while (side && 2 * side * side * sizeof(int32_t) + dummy > GPU_SHARED_BYTES)
    side = side > LEAST ? side / 2 : 0;
  return side;
}

/* No more than there are distances in a sub-block. */
unsigned usual_threads(unsigned side) {
  return side * side < USUAL ? side * side : (unsigned)USUAL;
}

squaring *squaring_of(unsigned threads, unsigned dummy) {
  for (unsigned i = 0; i < sizeof squarings / sizeof *squarings; i++)
    if (squarings[i].side == side_of(dummy) && squarings[i].threads == threads)
      return squarings[i].square;
  return nullptr;
}

const char *refuse_block(unsigned threads, unsigned dummy) {
  unsigned side = side_of(dummy);
  if (!side) return "2 sub-blocks of 8 x 8 distances need 512 of 49152 bytes";
  if (squaring_of(threads ? threads : usual_threads(side), dummy))
    return nullptr;
  return "its blocks have 32, 64, 128, 256, 512 or 1024 threads, and of "
         "sub-blocks of 16 x 16 distances 256 at most, of 8 x 8 64";
}

/* The side of the matrices, in whole sub-blocks. */
uint32_t padded_side(uint64_t n, unsigned side) {
  return gpu_blocks(n, side) * side;
}

size_t bytes_of(uint64_t n, uint64_t m) {
  if (n > GPU_APSP_MOST) return 0;
  uint64_t side = padded_side(n, LARGEST);
  return gpu_apsp_bytes(n, m, 2 * side * side);
}

size_t bytes(uint64_t n) { return bytes_of(n, cpu_graph_most(n)); }

size_t bytes_given(const struct algo_data *given) {
  return bytes_of(given->rows, given->count);
}

/* The edges as a matrix; of parallel ones the shortest. */
void restore(struct algo_run *run) {
  struct gpu_apsp apsp = gpu_apsp_of(run);
  uint64_t side = padded_side(run->n, side_of(run->gpu.dummy_shared));
  int32_t *matrix = (int32_t *)apsp.own;
  gpu_apsp_restore(run);
  for (uint64_t i = 0; i < side * side; i++)
    matrix[i] = i / side == i % side ? 0 : CPU_APSP_NONE;
  for (uint32_t u = 0; u < apsp.n; u++)
    for (uint32_t i = apsp.offsets[u]; i < apsp.offsets[u + 1]; i++) {
      int32_t *length = &matrix[u * side + apsp.ends[i]];
      if (apsp.weights[i] < *length) *length = apsp.weights[i];
    }
}

void setup(struct algo_run *run) {
  gpu_apsp_setup(run);
  restore(run);
}

void find_paths(struct algo_run *run) {
  struct gpu_apsp apsp = gpu_apsp_of(run);
  unsigned dummy = run->gpu.dummy_shared;
  uint32_t side = padded_side(run->n, side_of(dummy));
  unsigned threads = gpu_block_threads(run, usual_threads(side_of(dummy)));
  squaring *square_once = squaring_of(threads, dummy);
  int32_t *from = (int32_t *)apsp.own, *to = from + (uint64_t)side * side;
  if (!apsp.n) return;
  for (uint64_t edges = 1; edges + 1 < run->n; edges *= 2) {
    square_once(from, to, side, dummy);
    int32_t *squared = to;
    to = from;
    from = squared;
  }
  GPU_LAUNCH(copy_distances, dim3(gpu_blocks(run->n, COPY), apsp.n), COPY,
             (const int32_t *)from, apsp.distances, side, apsp.n);
}

double ram_ops(uint64_t n) {
  double products = 1;
  for (uint64_t edges = 2; edges + 1 < n; edges *= 2) products++;
  return n > 1 ? (double)n * (double)n * (double)n * products : 1;
}

const struct gpu_algo on_gpu = {
    .refuse_block = refuse_block,
};

}  // namespace

GPU_ALGO(apsp_matmul) = {
    .name = "apsp_matmul",
    .title = "all pairs' shortest paths, squaring the matrix",
    .summary = "shortest paths between all of n vertices, by lg n products",
    .device = GPU_DEVICE,
    .complexity = "n^3 log2 n",
    .ram_ops = ram_ops,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = find_paths,
    .check = gpu_apsp_check,
    .data = "graph-distances",
    .generators = cpu_graph_generators_signed,
    .bytes_given = bytes_given,
    .refuse = cpu_graph_refuse_cycles,
    .gpu = &on_gpu,
    .answer = gpu_apsp_answer,
};
