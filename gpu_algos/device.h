/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/device.h -- what runs kernels: the emulator, or a GPU.
 *
 * One source, device.cu, is both.  Functions return 0, or -1 with
 * gpu_failure_first() telling the call and CUDA's error; or NULL likewise.
 * One device at a time, from one thread.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/parts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What it is, for the record; 0 or "" where it does not tell. */
struct gpu_properties {
  char name[256];
  int sms, major, minor; /* multiprocessors; compute capability */
  int clock_khz, memory_clock_khz, memory_bus_bits;
  size_t memory_bytes, free_bytes, l2_bytes;
  int driver, runtime; /* 13000: 13.0 */
};

/* Two streams that parts of a run are on. */
struct gpu_parts;

/* For how long any copy or kernel of the parts was under way: what two parts do
 * at once is counted once, and a copy beside a kernel as both. */
struct gpu_part_times {
  uint64_t upload_ns, run_ns, download_ns;
};

struct gpu_device {
  int (*open)(void); /* the first there is */
  int (*describe)(struct gpu_properties *properties);
  void *(*allocate)(size_t bytes);
  void (*release)(void *memory); /* NULL is fine */
  /* Whole copies, timed from call to return. */
  int (*upload)(void *device, const void *host, size_t bytes, uint64_t *ns);
  int (*download)(void *host, const void *device, size_t bytes, uint64_t *ns);
  /* Make the cache of the device hold other things than `memory`, an
   * allocation at least twice as large as the cache that nothing else uses. */
  int (*flush)(void *memory, size_t bytes);
  /* Run, and wait for it; ns between events before and behind. */
  int (*run)(const struct algo *algo, struct algo_run *run, uint64_t *ns);
  /* Pin the memory of the host that parts are copied from and to; begin one
   * after the other, each as soon as its lane is free; wait for all, which has
   * to be called whatever failed. */
  struct gpu_parts *(*parts_open)(void *host, size_t bytes);
  int (*part)(struct gpu_parts *parts, const struct algo *algo,
              struct algo_run *run, const struct algo_span *spans,
              size_t count);
  int (*parts_close)(struct gpu_parts *parts, struct gpu_part_times *times);
  /* Bytes read and written a second, copying between two allocations. */
  int (*copy_rate)(double *bytes_per_s);
};

#ifdef __cplusplus
}
#endif
