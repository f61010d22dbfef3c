/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/device_calls.h -- what the CUDA calls of the host do here.
 *
 * The emulator does everything at once, so streams are names and events times.
 * A launch that failed is told by the next call that would wait for it, until
 * cudaGetLastError() has it.
 */
#pragma once
#include <stddef.h>

#include "gpu_algos/simt/cuda_error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum simt_error simt_malloc(void **memory, size_t bytes);
enum simt_error simt_free(void *memory);
enum simt_error simt_host_malloc(void **memory, size_t bytes);
enum simt_error simt_host_free(void *memory);
enum simt_error simt_copy(void *to, const void *from, size_t bytes);
enum simt_error simt_fill(void *memory, int byte, size_t bytes);
enum simt_error simt_memory_info(size_t *free_bytes, size_t *bytes);

struct simt_event {
  double seconds; /* when it was recorded; 0: not yet */
};
enum simt_error simt_event_create(struct simt_event **event);
enum simt_error simt_event_destroy(struct simt_event *event);
enum simt_error simt_event_record(struct simt_event *event);
enum simt_error simt_event_elapsed(float *milliseconds,
                                   const struct simt_event *from,
                                   const struct simt_event *to);

#ifdef __cplusplus
}
#endif
