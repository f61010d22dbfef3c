/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/driver/offload.h"

#include "experiments/command.h"
#include "experiments/driver/interrupt.h"
#include "gpu_algos/failure.h"

static const struct gpu_device *gpu(const struct offload *offload) {
  return offload->device->set->device;
}

/* Too little memory is what a machine lacks; all else is a failure. */
static int tell(const struct offload *offload, const char *what) {
  const struct gpu_failure *failure = gpu_failure_first();
  const char *mend = failure->memory ? "; choose smaller --sizes" : "";
  int code = fail(failure->memory ? VAT_ABSENT : VAT_FAILED,
                  "%s on %s: %s: %s (%s)%s", what, offload->device->name,
                  failure->call, failure->name, failure->text, mend);
  gpu_failure_forget();
  return code;
}

/* As much again as the cache holds, or a part of what was read first stays. */
static int open_flush(struct offload *offload) {
  struct gpu_properties properties;
  if (!offload->device->is_gpu) return VAT_OK;
  if (gpu(offload)->describe(&properties))
    return tell(offload, "its properties");
  offload->flush_bytes = 2 * properties.l2_bytes;
  if (!offload->flush_bytes) return VAT_OK;
  offload->flush = gpu(offload)->allocate(offload->flush_bytes);
  return offload->flush ? VAT_OK : tell(offload, "memory");
}

int offload_open(struct offload *offload, const struct device *device,
                 size_t bytes) {
  *offload = (struct offload){.device = device, .bytes = bytes};
  if (!device->own_memory) return VAT_OK;
  offload->memory = gpu(offload)->allocate(bytes);
  if (!offload->memory) return tell(offload, "memory");
  return open_flush(offload);
}

void offload_close(struct offload *offload) {
  if (offload->memory) gpu(offload)->release(offload->memory);
  if (offload->flush) gpu(offload)->release(offload->flush);
  *offload = (struct offload){0};
}

int offload_upload(struct offload *offload, const struct algo_run *run) {
  const struct gpu_device *device = gpu(offload);
  if (device->upload(offload->memory, run->memory, run->bytes,
                     &offload->upload_ns) ||
      (offload->flush && device->flush(offload->flush, offload->flush_bytes)))
    return tell(offload, "the upload");
  return VAT_OK;
}

/* The row of `algo` in the set of those that are counted. */
static const struct algo *twin(const struct offload *offload,
                               const struct algo *algo) {
  const struct device *device = offload->device;
  for (size_t i = 0; offload->counted && device->set->algos[i]; i++)
    if (device->set->algos[i] == algo) return device->counted->algos[i];
  return algo;
}

int offload_run(struct offload *offload, const struct algo *algo,
                struct algo_run *run, uint64_t *ns) {
  struct algo_run there = *run;
  there.memory = offload->memory;
  if (!gpu(offload)->run(twin(offload, algo), &there, ns)) return VAT_OK;
  if (!interrupt_pending()) return tell(offload, algo->name);
  gpu_failure_forget();
  return VAT_FAILED;
}

int offload_download(struct offload *offload, const struct algo_run *run) {
  if (!gpu(offload)->download(run->memory, offload->memory, run->bytes,
                              &offload->download_ns))
    return VAT_OK;
  return tell(offload, "the download");
}
