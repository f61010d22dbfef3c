/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/launch_limits.h"

#include "gpu_algos/simt/block.h"

enum {
  SHARED_UNASKED = 48 * 1024,
  GRID_YZ_MAX = 65535,
  GRID_X_MAX = INT32_MAX,
  BLOCK_Z_MAX = 64,
  ASKERS_MAX = 256, /* kernels that ask for more shared memory */
};

static struct {
  const void *kernel;
  size_t bytes;
} askers[ASKERS_MAX];
static unsigned asker_count;

enum simt_error simt_allow_shared(const void *kernel, int bytes) {
  unsigned i = 0;
  while (i < asker_count && askers[i].kernel != kernel) i++;
  if (i == ASKERS_MAX || bytes < 0 || bytes > SIMT_DYNAMIC_SHARED_MAX)
    return simt_note_error(SIMT_INVALID_VALUE);
  if (i == asker_count) asker_count++;
  askers[i].kernel = kernel;
  askers[i].bytes = (size_t)bytes;
  return SIMT_SUCCESS;
}

static size_t shared_allowed(const void *kernel) {
  for (unsigned i = 0; i < asker_count; i++)
    if (askers[i].kernel == kernel && askers[i].bytes > SHARED_UNASKED)
      return askers[i].bytes;
  return SHARED_UNASKED;
}

static bool empty(struct simt_index size) {
  return !size.x || !size.y || !size.z;
}

const char *simt_launch_wrong(const struct simt_launch *launch) {
  struct simt_index block = launch->block, grid = launch->grid;
  if (empty(block) || empty(grid)) return "a grid or block without threads";
  if (block.x > SIMT_THREADS_MAX || block.y > SIMT_THREADS_MAX ||
      block.z > BLOCK_Z_MAX ||
      (uint64_t)block.x * block.y * block.z > SIMT_THREADS_MAX)
    return "a block of more than 1024 threads, or 64 in z";
  if (grid.x > GRID_X_MAX || grid.y > GRID_YZ_MAX || grid.z > GRID_YZ_MAX)
    return "a grid of more than 2^31-1 blocks in x, 65535 in y or z";
  if (launch->shared_bytes > shared_allowed(launch->kernel))
    return "more dynamic shared memory than allowed: 48 KiB, or what "
           "cudaFuncSetAttribute() says";
  return NULL;
}
