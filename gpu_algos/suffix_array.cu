/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Match a batch of queries against a text by its suffix array: Ma, PhD thesis,
 * section 4.2.2.
 *
 * A thread a query looks for the first suffix that begins with it, and for the
 * first one behind that does not, comparing four letters at a time.  With n
 * letters of queries of k each and m letters of text, a search takes lg m steps
 * of up to k comparisons: T1 = n lg m, Tinf = k lg m, M = n lg m / C if
 * suffixes are read in pieces of C, which one thread by itself does not do: it
 * reads word by word, though all of them lie in one or two lines.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "cpu_algos/keys.h"
#include "gpu_algos/blocks.h"
#include "gpu_algos/strings/suffixes.h"
#include "gpu_algos/strings/texts.h"
#include "gpu_algos/words.h"
}

namespace {

enum { THREADS = 128 }; /* of a block */

/* Below 0: the suffix is before all that begin with the query; 0: it is one of
 * them.  Behind the text are zeros, which no query has, so that it ends there.
 */
__device__ __forceinline__ int order(const uint32_t *text, uint32_t suffix,
                                     const uint32_t *query, uint32_t letters) {
  const uint32_t *words = text + suffix / 4;
  uint32_t shift = 8 * (suffix % 4), word = *words;
  for (uint32_t i = 0; i < letters; i += 4) {
    uint32_t next = *++words, left = letters - i;
    uint32_t a = __funnelshift_l(next, word, shift), b = query[i / 4];
    if (left < 4) a &= ~0u << (32 - 8 * left);
    if (a != b) return a < b ? -1 : 1;
    word = next;
  }
  return 0;
}

/* How many suffixes are of an order below `limit`, at least `low`. */
__device__ uint32_t count_below(const gpu_text &text, const uint32_t *query,
                                uint32_t letters, uint32_t low, int limit) {
  uint32_t high = text.letters;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (order(text.text, text.suffixes[middle], query, letters) < limit)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX) find_in_array(gpu_text text) {
  uint32_t q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= text.queries) return;
  uint2 bounds = ((const uint2 *)text.bounds)[q];
  const uint32_t *query = text.sought + bounds.x;
  uint32_t first = count_below(text, query, bounds.y, 0, 0);
  uint32_t end = count_below(text, query, bounds.y, first, 1);
  if (first == end) first = end = 0;
  ((uint2 *)text.found)[q] = make_uint2(first, end);
}

uint64_t scratch_words(uint64_t letters) {
  return letters / 4 + 1 + gpu_suffix_scratch(letters);
}

size_t bytes_of(uint64_t n, const struct algo_data *given) {
  uint64_t letters = gpu_text_size(n, given);
  if (!gpu_text_fits(n, given)) return 0;
  return gpu_words_bytes(0, 0,
                         gpu_text_words(n, given) + scratch_words(letters));
}

size_t bytes(uint64_t n) { return bytes_of(n, nullptr); }

size_t bytes_given(const struct algo_data *given) { return bytes_of(0, given); }

void setup(struct algo_run *run) {
  gpu_text_setup(run, gpu_text_of(run).behind);
}

void match(struct algo_run *run) {
  gpu_text text = gpu_text_of(run);
  uint32_t threads = gpu_block_threads(run, THREADS);
  if (text.queries)
    GPU_LAUNCH_SHARED(find_in_array, gpu_blocks(text.queries, threads), threads,
                      run->gpu.dummy_shared, text);
}

double ops_given(const struct algo_data *given) {
  return gpu_text_ops(given) * cpu_ops_nlogn(given->rows) /
         cpu_ops_linear(given->rows);
}

}  // namespace

GPU_ALGO(suffix_array) = {
    .name = "suffix_array",
    .title = "string matching by a suffix array",
    .summary = "match queries of n letters in all against a text of n letters",
    .device = GPU_DEVICE,
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = bytes,
    .setup = setup,
    .restore = gpu_text_restore,
    .run = match,
    .check = gpu_text_check,
    .data = "text",
    .generators = gpu_text_generators,
    .bytes_given = bytes_given,
    .ops_given = ops_given,
    .refuse = gpu_text_refuse,
    .gpu = &gpu_any_block,
    .answer = gpu_text_answer,
};
