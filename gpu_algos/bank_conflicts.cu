/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write each of n words to shared memory over and over, the threads of a warp
 * `bank` words apart.
 *
 * Kothapalli et al.: A performance prediction model for the CUDA GPGPU
 * platform, 2009, experiment 2 and listing B.2.  There are 32 banks, so
 * gcd(bank, 32) threads of a warp meet in one.  In the listing all warps of a
 * block write the same 512 words; here each has 512 of its own, so that what
 * the words are in the end is no matter of luck.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "cpu_algos/keys.h"
#include "gpu_algos/words.h"
}

namespace {

enum { BLOCK = 256, WINDOW = 512, ROUNDS = 32 }; /* threads, words, writes */

__global__ void __launch_bounds__(BLOCK)
    bank_writes(const uint32_t *in, uint32_t *out, uint32_t n, uint32_t bank) {
  __shared__ uint32_t windows[BLOCK / 32][WINDOW];
  uint32_t lane = threadIdx.x % 32;
  /* volatile: every write is made. */
  volatile uint32_t *mine =
      &windows[threadIdx.x / 32][lane * bank % (uint32_t)WINDOW];
  uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;
  uint32_t word = in[i];
  for (uint32_t round = 1; round <= ROUNDS; round++) *mine = word + round;
  out[i] = *mine;
}

double ram_ops(uint64_t n) { return n ? (double)(n * ROUNDS) : 1; }

const char *const banks[] = {
    "bank-1",  "bank-2",  "bank-3",  "bank-4",  "bank-5",  "bank-6",
    "bank-7",  "bank-8",  "bank-9",  "bank-10", "bank-11", "bank-12",
    "bank-13", "bank-14", "bank-15", "bank-16", NULL};

void bank_conflicts(struct algo_run *run);

const char *check(const struct algo_run *run) {
  const uint32_t *out = gpu_words(run, 1);
  for (uint64_t i = 0; i < run->n; i++)
    if (out[i] != gpu_word(run->seed, i) + ROUNDS)
      return "a word is not what was written last";
  return NULL;
}

}  // namespace

GPU_ALGO(bank_conflicts) = {
    .name = "bank_conflicts",
    .title = "bank conflicts",
    .summary = "write n 32-bit words to shared memory 32 times, some apart",
    .device = GPU_DEVICE,
    .complexity = "32 n",
    .ram_ops = ram_ops,
    .bytes = gpu_word_pairs_bytes,
    .setup = gpu_word_pairs_setup,
    .restore = gpu_word_pairs_restore,
    .run = bank_conflicts,
    .check = check,
    .generators = banks,
};

namespace {

void bank_conflicts(struct algo_run *run) {
  uint32_t n = (uint32_t)run->n;
  if (!n) return;
  GPU_LAUNCH(bank_writes, gpu_blocks(n, BLOCK), BLOCK, gpu_words(run, 0),
             gpu_words(run, 1), n,
             gpu_parameter(run, &GPU_SYMBOL(bank_conflicts)));
}

}  // namespace
