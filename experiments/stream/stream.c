/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/stream/stream.h"

#include <config.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "experiments/command.h"
#include "huge_pages/available_memory.h"

uint64_t stream_last_address(const struct stream *stream) {
  return stream->base + (stream->algo->bytes(stream->n) - 1);
}

#ifdef HAVE_STREAMS
#include "experiments/stream/tsan_runtime.h"

/* The twin of an algorithm. */
static const struct algo *traced(const struct algo *algo) {
  for (size_t i = 0; cpu_algos_traced[i]; i++)
    if (!strcmp(cpu_algos_traced[i]->name, algo->name))
      return cpu_algos_traced[i];
  return NULL;
}

static int record(const struct stream *stream, struct algo_run *run,
                  const struct stream_sink *sink) {
  const struct algo *algo = stream->algo, *twin = traced(algo);
  if (!twin) return fail(VAT_ABSENT, "%s has no address stream", algo->name);
  algo->setup(run);
  recording_begin(run->memory, run->bytes, stream->base, sink);
  twin->run(run);
  int code = recording_end();
  if (code) return code;
  const char *wrong = algo->check(run);
  return wrong ? fail(VAT_FAILED, "%s: %s", algo->name, wrong) : VAT_OK;
}

int stream_run(const struct stream *stream, const struct stream_sink *sink) {
  size_t bytes = cpu_algo_bytes(stream->algo, stream->n, stream->given);
  struct algo_run run = {.n = stream->n,
                         .seed = stream->seed,
                         .bytes = bytes,
                         .given = stream->given,
                         .generator = stream->generator};
  void *memory = MAP_FAILED;
  if (bytes <= hp_memory_available())
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return fail(VAT_ABSENT,
                "--n %" PRIu64
                ": %s needs %zu MiB, more than is free; a smaller --n",
                stream->n, stream->algo->name, bytes >> 20);
  run.memory = memory;
  int code = record(stream, &run, sink);
  munmap(memory, bytes);
  return code;
}
#else
int stream_run(const struct stream *stream, const struct stream_sink *sink) {
  (void)sink;
  return fail(VAT_ABSENT,
              "--algo %s: this vat was built without address streams; "
              "./configure says why in its summary",
              stream->algo->name);
}
#endif
