/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/overlap.h -- parts of a workspace on streams, so that the copies of
 * one are made while the kernels of another run.
 *
 * A lane (struct algo_run.part) has a stream of its own: what is copied there,
 * the kernels, what is copied back, in that order, and only then the next part
 * that has the lane.  Copies overlap where the host's memory is pinned.  What
 * two lanes do at once counts once: see cover().
 */
#pragma once
#include <stdlib.h>

#include "gpu_algos/device.h"
#include "gpu_algos/gpu.h"

/* Calls whose failure leaves a function, told as they are written. */
#define TRY(call) \
  if (gpu_failed(call, #call)) return -1

/* Where a stream has come to: before and behind what it does of a part. */
enum { MARKS = 4 };

struct lane {
  cudaStream_t stream;
  cudaEvent_t mark[MARKS];
  bool busy;
};

/* Until when something of the kind was going on, and for how long in all. */
struct covered {
  double until_ms, ms;
};

struct gpu_parts {
  void *host; /* pinned; NULL: it is not */
  cudaEvent_t begin;
  struct lane lane[ALGO_LANES];
  uint64_t last; /* the part that was begun last */
  struct covered upload, run, download;
};

namespace {

/* Of what begins later than all before it; two at once are as one. */
void cover(struct covered *covered, double from_ms, double to_ms) {
  if (from_ms < covered->until_ms) from_ms = covered->until_ms;
  if (to_ms <= from_ms) return;
  covered->ms += to_ms - from_ms;
  covered->until_ms = to_ms;
}

/* Wait for the lane's part, and see how long what of it took. */
int lane_finish(struct gpu_parts *parts, struct lane *lane) {
  float at[MARKS];
  if (!lane->busy) return 0;
  lane->busy = false;
  TRY(cudaEventSynchronize(lane->mark[MARKS - 1]));
  for (int i = 0; i < MARKS; i++)
    TRY(cudaEventElapsedTime(&at[i], parts->begin, lane->mark[i]));
  cover(&parts->upload, at[0], at[1]);
  cover(&parts->run, at[1], at[2]);
  cover(&parts->download, at[2], at[3]);
  return 0;
}

/* The usual stream is waited for, which these do not wait for by themselves. */
int open_streams(struct gpu_parts *parts, void *host, size_t bytes) {
  TRY(cudaHostRegister(host, bytes, cudaHostRegisterDefault));
  parts->host = host;
  TRY(cudaEventCreate(&parts->begin));
  for (int l = 0; l < ALGO_LANES; l++) {
    TRY(cudaStreamCreateWithFlags(&parts->lane[l].stream,
                                  cudaStreamNonBlocking));
    for (int i = 0; i < MARKS; i++)
      TRY(cudaEventCreate(&parts->lane[l].mark[i]));
  }
  TRY(cudaDeviceSynchronize());
  TRY(cudaEventRecord(parts->begin));
  TRY(cudaEventSynchronize(parts->begin));
  return 0;
}

/* What was not made is NULL, and a lane's stream on an emulator, too. */
void close_streams(struct gpu_parts *parts) {
  gpu_failed(cudaDeviceSynchronize(), "cudaDeviceSynchronize()");
  for (int l = 0; l < ALGO_LANES; l++) {
    struct lane *lane = &parts->lane[l];
    for (int i = 0; i < MARKS; i++)
      if (lane->mark[i])
        gpu_failed(cudaEventDestroy(lane->mark[i]), "cudaEventDestroy()");
    if (lane->stream)
      gpu_failed(cudaStreamDestroy(lane->stream), "cudaStreamDestroy()");
  }
  if (parts->begin)
    gpu_failed(cudaEventDestroy(parts->begin), "cudaEventDestroy()");
  if (parts->host)
    gpu_failed(cudaHostUnregister(parts->host), "cudaHostUnregister()");
}

int parts_close(struct gpu_parts *parts, struct gpu_part_times *times) {
  for (int l = 1; l <= ALGO_LANES && !gpu_failure_first(); l++)
    lane_finish(parts, &parts->lane[(parts->last + l) % ALGO_LANES]);
  close_streams(parts);
  *times = {(uint64_t)(parts->upload.ms * 1e6), (uint64_t)(parts->run.ms * 1e6),
            (uint64_t)(parts->download.ms * 1e6)};
  free(parts);
  return gpu_failure_first() ? -1 : 0;
}

struct gpu_parts *parts_open(void *host, size_t bytes) {
  struct gpu_part_times none;
  struct gpu_parts *parts = (struct gpu_parts *)calloc(1, sizeof *parts);
  if (!parts) {
    gpu_failure_note("streams", "ENOMEM", "out of memory", true);
    return nullptr;
  }
  if (!open_streams(parts, host, bytes)) return parts;
  parts_close(parts, &none);
  return nullptr;
}

int part_run(struct gpu_parts *parts, const struct algo *algo,
             struct algo_run *run, const struct algo_span *spans,
             size_t count) {
  struct lane *lane = &parts->lane[run->part % ALGO_LANES];
  char *host = (char *)parts->host, *device = (char *)run->memory;
  const struct algo_span *end = spans + count;
  if (lane_finish(parts, lane)) return -1;
  run->gpu.stream = lane->stream;
  parts->last = run->part;
  TRY(cudaEventRecord(lane->mark[0], lane->stream));
  for (const struct algo_span *s = spans; s < end; s++)
    if (s->there)
      TRY(cudaMemcpyAsync(device + s->part, host + s->whole, s->bytes,
                          cudaMemcpyHostToDevice, lane->stream));
  TRY(cudaEventRecord(lane->mark[1], lane->stream));
  algo->run(run);
  if (gpu_failure_first()) return -1;
  TRY(cudaEventRecord(lane->mark[2], lane->stream));
  for (const struct algo_span *s = spans; s < end; s++)
    if (s->back)
      TRY(cudaMemcpyAsync(host + s->whole, device + s->part, s->bytes,
                          cudaMemcpyDeviceToHost, lane->stream));
  TRY(cudaEventRecord(lane->mark[3], lane->stream));
  lane->busy = true;
  return 0;
}

}  // namespace
