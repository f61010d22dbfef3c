/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gpu_algos/device.h"
#include "gpu_algos/gpu.h"
#include "gpu_algos/overlap.h"

namespace {

uint64_t now_ns() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The first call that reaches for the driver is what fails without one. */
int open_first() {
  int count = 0;
  TRY(cudaGetDeviceCount(&count));
  TRY(cudaSetDevice(0));
  TRY(cudaFree(nullptr));
  return 0;
}

#ifdef __CUDACC__
int describe(struct gpu_properties *properties) {
  struct cudaDeviceProp told;
  *properties = {};
  TRY(cudaGetDeviceProperties(&told, 0));
  TRY(cudaDeviceGetAttribute(&properties->clock_khz, cudaDevAttrClockRate, 0));
  TRY(cudaDeviceGetAttribute(&properties->memory_clock_khz,
                             cudaDevAttrMemoryClockRate, 0));
  TRY(cudaDriverGetVersion(&properties->driver));
  TRY(cudaRuntimeGetVersion(&properties->runtime));
  TRY(cudaMemGetInfo(&properties->free_bytes, &properties->memory_bytes));
  snprintf(properties->name, sizeof properties->name, "%s", told.name);
  properties->sms = told.multiProcessorCount;
  properties->major = told.major;
  properties->minor = told.minor;
  properties->memory_bus_bits = told.memoryBusWidth;
  properties->l2_bytes = (size_t)told.l2CacheSize;
  return 0;
}
#else
int describe(struct gpu_properties *properties) {
  *properties = {};
  TRY(cudaMemGetInfo(&properties->free_bytes, &properties->memory_bytes));
  return 0;
}
#endif

void *allocate(size_t bytes) {
  char call[64];
  void *memory = nullptr;
  snprintf(call, sizeof call, "cudaMalloc of %zu bytes", bytes);
  return gpu_failed(cudaMalloc(&memory, bytes), call) ? nullptr : memory;
}

/* What failed before is told by then; there is no more to be had from this. */
void release(void *memory) { (void)cudaFree(memory); }

int upload(void *device, const void *host, size_t bytes, uint64_t *ns) {
  uint64_t start = now_ns();
  TRY(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
  *ns = now_ns() - start;
  return 0;
}

int download(void *host, const void *device, size_t bytes, uint64_t *ns) {
  uint64_t start = now_ns();
  TRY(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
  *ns = now_ns() - start;
  return 0;
}

/* It is read, not written: a cache full of what has yet to be written would
 * have that done while what comes next is timed. */
__global__ void flush_read(const uint4 *memory, uint32_t vectors,
                           uint32_t *unused) {
  uint32_t i = blockIdx.x * 256 + threadIdx.x;
  if (i >= vectors) return;
  uint4 vector = memory[i];
  /* As good as never: or no compiler would leave the load. */
  if ((vector.x & vector.y & vector.z & vector.w) == 0x5eed5eed) *unused = i;
}

int flush(void *memory, size_t bytes) {
  uint32_t vectors = (uint32_t)(bytes / sizeof(uint4));
  if (!vectors) return 0;
  GPU_LAUNCH(flush_read, gpu_blocks(vectors, 256), 256, (const uint4 *)memory,
             vectors, (uint32_t *)memory);
  return gpu_failure_first() ? -1 : 0;
}

struct timer {
  cudaEvent_t start, stop;
};

int timer_open(struct timer *timer) {
  TRY(cudaEventCreate(&timer->start));
  TRY(cudaEventCreate(&timer->stop));
  return 0;
}

/* Waits for what lies between; how long that took. */
int timer_close(struct timer *timer, uint64_t *ns) {
  float ms = 0;
  TRY(cudaEventRecord(timer->stop));
  TRY(cudaEventSynchronize(timer->stop));
  TRY(cudaEventElapsedTime(&ms, timer->start, timer->stop));
  TRY(cudaEventDestroy(timer->start));
  TRY(cudaEventDestroy(timer->stop));
  *ns = (uint64_t)(ms * 1e6);
  return 0;
}

int run_timed(const struct algo *algo, struct algo_run *run, uint64_t *ns) {
  struct timer timer;
  if (timer_open(&timer)) return -1;
  TRY(cudaEventRecord(timer.start));
  algo->run(run);
  if (gpu_failure_first()) return -1;
  return timer_close(&timer, ns);
}

int copy_timed(void *to, const void *from, size_t bytes, uint64_t *ns) {
  struct timer timer;
  if (timer_open(&timer)) return -1;
  TRY(cudaEventRecord(timer.start));
  TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice));
  return timer_close(&timer, ns);
}

/* The best of a few: what the memory can do, not what it did at first. */
int copy_rate(double *bytes_per_s) {
  struct gpu_properties properties;
  if (describe(&properties)) return -1;
  size_t most = (size_t)1 << 30, bytes = properties.free_bytes / 4;
  if (bytes > most) bytes = most;
  char *from = (char *)allocate(bytes), *to = (char *)allocate(bytes);
  int failed = !from || !to;
  uint64_t best = 0;
  for (int rep = 0; !failed && rep < 8; rep++) {
    uint64_t ns = 0;
    failed = copy_timed(to, from, bytes, &ns);
    if (!best || ns < best) best = ns;
  }
  release(from);
  release(to);
  if (!failed) *bytes_per_s = best ? 2e9 * (double)bytes / (double)best : 0;
  return failed ? -1 : 0;
}

}  // namespace

extern "C" const struct gpu_device GPU_SYMBOL(device);
const struct gpu_device GPU_SYMBOL(device) = {
    .open = open_first,
    .describe = describe,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = download,
    .flush = flush,
    .run = run_timed,
    .parts_open = parts_open,
    .part = part_run,
    .parts_close = parts_close,
    .copy_rate = copy_rate,
};
