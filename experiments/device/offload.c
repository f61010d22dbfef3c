/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/device/offload.h"

#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "gpu_algos/failure.h"
#include "gpu_algos/gpu_algo.h"

static const struct gpu_device *gpu(const struct offload *offload) {
  return offload->device->set->device;
}

/* Too little memory is what the machine does not have; all else is a failure.
 */
static int offload_report_failure(const struct offload *offload,
                                  const char *what) {
  const struct gpu_failure *failure = gpu_failure_first();
  int code = fail(failure->memory ? VAT_ABSENT : VAT_FAILED,
                  "%s on %s: %s: %s (%s)%s%s", what, offload->device->name,
                  failure->call, failure->name, failure->text,
                  failure->memory ? "; choose " : "",
                  failure->memory ? offload->smaller : "");
  gpu_failure_forget();
  return code;
}

int offload_open(struct offload *offload, const struct device *device,
                 size_t bytes, size_t room, const char *smaller) {
  *offload =
      (struct offload){.device = device, .room = room, .smaller = smaller};
  if (!device->own_memory) return VAT_OK;
  offload->memory = gpu(offload)->allocate(bytes);
  if (!offload->memory) return offload_report_failure(offload, "memory");
  if (!device->is_gpu) return VAT_OK;
  struct gpu_properties properties;
  if (gpu(offload)->describe(&properties))
    return offload_report_failure(offload, "its properties");
  /* As much again as it holds, or a part of what was read first stays. */
  offload->flush_bytes = 2 * properties.l2_bytes;
  if (!offload->flush_bytes) return VAT_OK;
  offload->flush = gpu(offload)->allocate(offload->flush_bytes);
  return offload->flush ? VAT_OK : offload_report_failure(offload, "memory");
}

void offload_close(struct offload *offload) {
  if (offload->memory) gpu(offload)->release(offload->memory);
  if (offload->flush) gpu(offload)->release(offload->flush);
  *offload = (struct offload){0};
}

/* Of a run in parts, how it is there; chunk 0: it is in none. */
static struct algo_run there_of(const struct algo *algo,
                                const struct algo_run *run, size_t room) {
  const struct gpu_algo *gpu = algo->gpu;
  struct algo_run there = *run;
  there.chunk = gpu && gpu->chunk ? gpu->chunk(run, room) : 0;
  if (there.chunk) there.bytes = gpu->part_bytes(&there);
  return there;
}

size_t offload_bytes(const struct algo *algo, const struct algo_run *run,
                     size_t room) {
  return there_of(algo, run, room).bytes;
}

/* What is at `here` to `there` in the device's memory, or back. */
static int copy(struct offload *offload, bool back, void *here, size_t there,
                size_t bytes) {
  char *at = (char *)offload->memory + there;
  uint64_t ns;
  if (back ? gpu(offload)->download(here, at, bytes, &ns)
           : gpu(offload)->upload(at, here, bytes, &ns))
    return offload_report_failure(offload,
                                  back ? "the download" : "the upload");
  *(back ? &offload->download_ns : &offload->upload_ns) += ns;
  return VAT_OK;
}

int offload_upload(struct offload *offload, const struct algo *algo,
                   const struct algo_run *run) {
  int code = VAT_OK;
  offload->upload_ns = 0;
  if (!there_of(algo, run, offload->room).chunk)
    code = copy(offload, false, run->memory, 0, run->bytes);
  if (!code && offload->flush &&
      gpu(offload)->flush(offload->flush, offload->flush_bytes))
    code = offload_report_failure(offload, "the upload");
  return code;
}

/* The row of `algo` in the set of those that are counted. */
static const struct algo *twin(const struct offload *offload,
                               const struct algo *algo) {
  const struct device *device = offload->device;
  for (size_t i = 0; offload->counted && device->set->algos[i]; i++)
    if (device->set->algos[i] == algo) return device->counted->algos[i];
  return algo;
}

/* Whoever is stopped is not told of it here. */
static int tell_run(const struct offload *offload, const struct algo *algo) {
  if (!interrupt_pending()) return offload_report_failure(offload, algo->name);
  gpu_failure_forget();
  return VAT_FAILED;
}

/* What parts share, to there or back. */
static int copy_shared(struct offload *offload, const struct algo *algo,
                       const struct algo_run *there, unsigned char *memory,
                       bool back) {
  struct algo_span spans[ALGO_SPANS];
  const size_t count = algo->gpu->part_spans(there, spans);
  int code = VAT_OK;
  for (const struct algo_span *s = spans; !code && s < spans + count; s++)
    if (back ? s->back : s->there)
      code = copy(offload, back, memory + s->whole, s->part, s->bytes);
  return code;
}

/* Part by part, on streams. */
static int run_lanes(struct offload *offload, const struct algo *algo,
                     struct algo_run *there, const struct algo_run *run,
                     uint64_t *ns) {
  struct algo_span spans[ALGO_SPANS];
  struct gpu_part_times times;
  struct gpu_parts *parts = gpu(offload)->parts_open(run->memory, run->bytes);
  int failed = 0;
  size_t count;
  if (!parts) return offload_report_failure(offload, "its streams");
  for (there->part = 1; !failed && !interrupt_pending() &&
                        (count = algo->gpu->part_spans(there, spans));
       there->part++)
    failed =
        gpu(offload)->part(parts, twin(offload, algo), there, spans, count);
  if (gpu(offload)->parts_close(parts, &times)) return tell_run(offload, algo);
  *ns = times.run_ns;
  offload->upload_ns += times.upload_ns;
  offload->download_ns += times.download_ns;
  there->part = 0;
  return VAT_OK;
}

int offload_run(struct offload *offload, const struct algo *algo,
                struct algo_run *run, uint64_t *ns) {
  struct algo_run there = there_of(algo, run, offload->room);
  there.memory = offload->memory;
  if (!there.chunk)
    return gpu(offload)->run(twin(offload, algo), &there, ns)
               ? tell_run(offload, algo)
               : VAT_OK;
  offload->download_ns = 0;
  int code = copy_shared(offload, algo, &there, run->memory, false);
  if (!code) code = run_lanes(offload, algo, &there, run, ns);
  return code ? code : copy_shared(offload, algo, &there, run->memory, true);
}

int offload_download(struct offload *offload, const struct algo *algo,
                     const struct algo_run *run) {
  if (there_of(algo, run, offload->room).chunk) return VAT_OK;
  offload->download_ns = 0;
  return copy(offload, true, run->memory, 0, run->bytes);
}
