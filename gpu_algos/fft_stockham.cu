/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fast Fourier transform of a batch of signals, radix 2, by Stockham's
 * order of points: no pass that sorts them is needed, and what the threads of a
 * warp read lies side by side in every stage.
 *
 * Govindaraju et al.: High performance discrete Fourier transforms on graphics
 * processors, SC 2008, in global memory, as in Ma, PhD thesis, section 4.3: in
 * each of log2 N stages a thread computes one of N / 2 butterflies.  T1 =
 * N lg N, Tinf = lg N, M = N lg N / C; of the writes of the first log2 C stages
 * every second is to another line, which doubles them there.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "cpu_algos/fft.h"
#include "cpu_algos/keys.h"
#include "gpu_algos/blocks.h"
#include "gpu_algos/fft/signals.h"
#include "gpu_algos/words.h"
}

namespace {

enum { THREADS = 256 }; /* of a block */

/* exp(-pi i k / half), k < half. */
__device__ __forceinline__ double2 root(uint32_t k, uint32_t half, double2) {
  double2 w;
  sincos(-3.14159265358979323846 * k / half, &w.y, &w.x);
  return w;
}

/* k / half is exact, being shorter than 24 bits, or else is rounded as the
 * angle is. */
__device__ __forceinline__ float2 root(uint32_t k, uint32_t half, float2) {
  float2 w;
  sincosf(-3.14159265358979f * ((float)k / (float)half), &w.y, &w.x);
  return w;
}

/* From the N / half transforms of a signal, of `half` points each and side by
 * side, to those of twice as many: what belongs together is N / 2 apart. */
template <class POINT>
__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    fft_stage(const POINT *in, POINT *out, uint32_t pairs, uint32_t length,
              uint32_t half) {
  uint32_t pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= pairs) return;
  uint32_t i = pair & (length / 2 - 1), k = i & (half - 1);
  uint32_t signal = 2 * (pair - i);
  POINT a = in[signal + i], b = in[signal + i + length / 2];
  POINT w = root(k, half, a), sum, difference;
  auto re = b.x * w.x - b.y * w.y, im = b.x * w.y + b.y * w.x;
  sum.x = a.x + re;
  sum.y = a.y + im;
  difference.x = a.x - re;
  difference.y = a.y - im;
  out[signal + 2 * (i - k) + k] = sum;
  out[signal + 2 * (i - k) + k + half] = difference;
}

template <class POINT>
POINT *array(const struct algo_run *run, unsigned index) {
  return (POINT *)gpu_signal_array(run, sizeof(POINT), index);
}

/* Between the second and the third array, so that the last stage ends in the
 * second. */
template <class POINT>
void transform(struct algo_run *run) {
  const POINT *from = array<POINT>(run, 0);
  POINT *to = array<POINT>(run, 1), *other = array<POINT>(run, 2);
  uint32_t pairs = (uint32_t)(run->n / 2);
  uint32_t length = (uint32_t)gpu_signal_length(run);
  uint32_t threads = gpu_block_threads(run, THREADS);
  if (run->n && length == 1)
    gpu_failed(cudaMemcpyAsync(to, from, run->n * sizeof(POINT),
                               cudaMemcpyDeviceToDevice, 0),
               "cudaMemcpyAsync of signals of a point");
  bool odd = __builtin_ctz(length) % 2;
  for (uint32_t half = 1; half < length; half *= 2, odd = !odd) {
    POINT *next = odd ? to : other;
    GPU_LAUNCH_SHARED(fft_stage<POINT>, gpu_blocks(pairs, threads), threads,
                      run->gpu.dummy_shared, from, next, pairs, length, half);
    from = next;
  }
}

}  // namespace

#define SUMMARY "transform a batch of signals of n complex "
#define FFT_ROW(algo, title_, summary_, bytes_of, setup_of, point, check_of, \
                ...)                                                         \
  GPU_ALGO(algo) = {.name = #algo,                                           \
                    .title = title_,                                         \
                    .summary = summary_,                                     \
                    .device = GPU_DEVICE,                                    \
                    .complexity = "n log2 n",                                \
                    .ram_ops = cpu_ops_nlogn,                                \
                    .bytes = bytes_of,                                       \
                    .setup = setup_of,                                       \
                    .restore = setup_of,                                     \
                    .run = transform<point>,                                 \
                    .check = check_of,                                       \
                    __VA_ARGS__,                                             \
                    .fit = gpu_signal_fit,                                   \
                    .fits = "powers of two"}
FFT_ROW(fft_stockham, "FFT, Stockham's", SUMMARY "doubles in all",
        gpu_signal_bytes, gpu_signal_setup, double2, gpu_signal_check,
        .data = "signal", .generators = gpu_signal_generators,
        .refuse = cpu_fft_refuse_large, .gpu = &gpu_any_block,
        .answer = gpu_signal_answer);
FFT_ROW(fft_stockham_float, "FFT, Stockham's, floats", SUMMARY "floats in all",
        gpu_signal_bytes_float, gpu_signal_setup_float, float2,
        gpu_signal_check_float, .generators = gpu_signal_generators);
