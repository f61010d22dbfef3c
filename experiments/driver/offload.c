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

static bool in_parts(const struct algo *algo, const struct algo_run *run) {
  return algo->part_bytes && algo->part_bytes(run);
}

size_t offload_bytes(const struct algo *algo, const struct algo_run *run) {
  return in_parts(algo, run) ? algo->part_bytes(run) : run->bytes;
}

static int upload(struct offload *offload, size_t to, const void *from,
                  size_t bytes) {
  uint64_t ns;
  if (gpu(offload)->upload((char *)offload->memory + to, from, bytes, &ns))
    return tell(offload, "the upload");
  offload->upload_ns += ns;
  return VAT_OK;
}

static int download(struct offload *offload, void *to, size_t from,
                    size_t bytes) {
  uint64_t ns;
  if (gpu(offload)->download(to, (char *)offload->memory + from, bytes, &ns))
    return tell(offload, "the download");
  offload->download_ns += ns;
  return VAT_OK;
}

int offload_upload(struct offload *offload, const struct algo *algo,
                   const struct algo_run *run) {
  int code = VAT_OK;
  offload->upload_ns = 0;
  if (!in_parts(algo, run)) code = upload(offload, 0, run->memory, run->bytes);
  if (!code && offload->flush &&
      gpu(offload)->flush(offload->flush, offload->flush_bytes))
    code = tell(offload, "the upload");
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

static int run_there(struct offload *offload, const struct algo *algo,
                     struct algo_run *there, uint64_t *ns) {
  there->memory = offload->memory;
  if (!gpu(offload)->run(twin(offload, algo), there, ns)) return VAT_OK;
  if (!interrupt_pending()) return tell(offload, algo->name);
  gpu_failure_forget();
  return VAT_FAILED;
}

/* Copy, run, and copy back. */
static int run_part(struct offload *offload, const struct algo *algo,
                    unsigned char *memory, struct algo_run *there,
                    const struct algo_span *spans, size_t count, uint64_t *ns) {
  uint64_t took = 0;
  int code = VAT_OK;
  for (const struct algo_span *s = spans; !code && s < spans + count; s++)
    if (s->there) code = upload(offload, s->part, memory + s->whole, s->bytes);
  if (!code) code = run_there(offload, algo, there, &took);
  for (const struct algo_span *s = spans; !code && s < spans + count; s++)
    if (s->back) code = download(offload, memory + s->whole, s->part, s->bytes);
  *ns += took;
  return code;
}

/* Whoever is stopped is not told of it here. */
static int run_parts(struct offload *offload, const struct algo *algo,
                     const struct algo_run *run, uint64_t *ns) {
  struct algo_span spans[ALGO_SPANS];
  struct algo_run there = *run;
  int code = VAT_OK;
  size_t count;
  *ns = offload->download_ns = 0;
  for (there.part = 1; !code && !interrupt_pending() &&
                       (count = algo->part_spans(&there, spans));
       there.part++)
    code = run_part(offload, algo, run->memory, &there, spans, count, ns);
  return code;
}

int offload_run(struct offload *offload, const struct algo *algo,
                struct algo_run *run, uint64_t *ns) {
  struct algo_run there = *run;
  if (in_parts(algo, run)) return run_parts(offload, algo, run, ns);
  return run_there(offload, algo, &there, ns);
}

int offload_download(struct offload *offload, const struct algo *algo,
                     const struct algo_run *run) {
  if (in_parts(algo, run)) return VAT_OK;
  offload->download_ns = 0;
  return download(offload, run->memory, 0, run->bytes);
}
