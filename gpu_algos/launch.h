/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/launch.h -- how every kernel is launched.
 *
 * launch(kernel<T, 256>, grid, block, shared_bytes, stream, arguments...) is
 * CUDA's kernel<<<...>>>(...) under nvcc; under g++ it runs on the emulator.
 * Arguments are converted to what the kernel takes.  Returns
 * cudaPeekAtLastError(): what went wrong stays for cudaGetLastError().
 *
 * What a kernel may use of CUDA, so that it runs on both:
 * - <cuda_runtime.h> through this header; kernels at global scope;
 * - dynamic shared memory as `extern __shared__ unsigned char smem[];`, cast;
 * - warp operations with a mask that names the lanes that take part, all of
 *   them alive; no __activemask(), no cooperative groups;
 * - a loop that waits for another thread calls __nanosleep() in it;
 * - no memcpy() and no memset(), vector types for wide accesses;
 * - no C++ that needs its run-time library (exceptions, RTTI, containers).
 */
#pragma once
#include <cuda_runtime.h>

#ifdef __CUDACC__
template <class... P, class... A>
static inline cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block,
                                 size_t shared_bytes, cudaStream_t stream,
                                 A... arguments) {
  kernel<<<grid, block, shared_bytes, stream>>>((P)arguments...);
  return cudaPeekAtLastError();
}
#else
#include "gpu_algos/simt/job.h"

template <class... P, class... A>
static inline cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block,
                                 size_t shared_bytes, cudaStream_t,
                                 A... arguments) {
  simt_job<P...> job(kernel, (P)arguments...);
  simt_launch_job(job, grid, block, shared_bytes);
  return cudaPeekAtLastError();
}
#endif
