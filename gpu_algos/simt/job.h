/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/job.h -- a kernel and what it is called with.
 *
 * A tuple, by hand: no need for the C++ library, and its accesses must not be
 * taken for the kernel's.
 */
#pragma once
#include "gpu_algos/simt/kernel_words.h"

template <class... P>
struct simt_arguments;

template <>
struct simt_arguments<> {
  template <class Kernel, class... Before>
  SIMT_UNSEEN __forceinline__ void call(Kernel kernel,
                                        const Before &...before) const {
    kernel(before...);
  }
};

template <class First, class... Rest>
struct simt_arguments<First, Rest...> {
  First first;
  simt_arguments<Rest...> rest;
  explicit simt_arguments(First value, Rest... values)
      : first(value), rest(values...) {}
  template <class Kernel, class... Before>
  SIMT_UNSEEN __forceinline__ void call(Kernel kernel,
                                        const Before &...before) const {
    rest.call(kernel, before..., first);
  }
};

template <class... P>
struct simt_job {
  void (*kernel)(P...);
  simt_arguments<P...> arguments;
  explicit simt_job(void (*called)(P...), P... values)
      : kernel(called), arguments(values...) {}
  SIMT_UNSEEN static void run(const void *self) {
    const simt_job *job = (const simt_job *)self;
    job->arguments.call(job->kernel);
  }
};

template <class... P>
static inline void simt_launch_job(const simt_job<P...> &job, dim3 grid,
                                   dim3 block, size_t shared_bytes) {
  struct simt_launch launch = {};
  launch.kernel = (const void *)job.kernel;
  launch.run = simt_job<P...>::run;
  launch.job = &job;
  launch.grid = {grid.x, grid.y, grid.z};
  launch.block = {block.x, block.y, block.z};
  launch.shared_bytes = shared_bytes;
  launch.counted = SIMT_IS_COUNTED;
  simt_run(&launch);
}
