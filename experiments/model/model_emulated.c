/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model says of an algorithm that is run in the emulator for it, and
 * counted: once a size, on its usual input. */
#include <config.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "experiments/command.h"
#include "experiments/driver/offload.h"
#include "experiments/model/model.h"
#include "experiments/model/model_print.h"
#include "gpu_algos/simt/simt.h"
#include "huge_pages/available_memory.h"

static struct gpu_counts counts_of(const struct simt_counters *c) {
  struct gpu_counts counts = {
      .warp_instructions = (double)c->warp_instructions,
      .arithmetic = (double)c->arithmetic,
      .accesses = (double)c->accesses,
      .lines = (double)(c->lines_read + c->lines_written),
      .bank_waves = (double)c->bank_waves,
      .threads = (double)c->threads,
      .thread_blocks = (double)c->thread_blocks};
#ifndef HAVE_EMU_ARITHMETIC
  counts.arithmetic = NAN;
#endif
  return counts;
}

/* Run it on the input that `run` has, and see that the answer is right. */
static int count_run(const struct device *emu, const struct algo *algo,
                     struct algo_run *run, struct gpu_counts *counts) {
  struct offload offload;
  struct simt_counters counters;
  uint64_t ns;
  int code = offload_open(&offload, emu, run->bytes);
  offload.counted = true;
  if (!code) code = offload_upload(&offload, run);
  simt_reset_counters();
  if (!code) code = offload_run(&offload, algo, run, &ns);
  simt_read_counters(&counters);
  if (!code) code = offload_download(&offload, run);
  offload_close(&offload);
  const char *wrong = code ? NULL : algo->check(run);
  if (wrong)
    return fail(VAT_FAILED, "%s gave a wrong answer (n %llu): %s", algo->name,
                (unsigned long long)run->n, wrong);
  *counts = counts_of(&counters);
  return code;
}

static int count_size(const struct device *emu, const struct algo *algo,
                      uint64_t n, struct gpu_counts *counts) {
  struct algo_run run = {.n = n, .seed = 1, .bytes = algo->bytes(n)};
  if (!run.bytes)
    return fail(VAT_USAGE,
                "%s: n = %llu is more than it takes on a GPU; choose a smaller "
                "--n",
                algo->name, (unsigned long long)n);
  /* The workspace, and the emulated device's copy of it. */
  if (run.bytes > hp_memory_available() / 2)
    return fail(VAT_ABSENT,
                "%s: n = %llu needs 2 x %.1f GiB, and %.1f GiB of memory is "
                "free; choose a smaller --n",
                algo->name, (unsigned long long)n, (double)run.bytes / 0x1p30,
                (double)hp_memory_available() / 0x1p30);
  void *memory = mmap(NULL, run.bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return fail(VAT_ABSENT, "%s: memory: %s", algo->name, strerror(errno));
  run.memory = memory;
  algo->setup(&run);
  int code = count_run(emu, algo, &run, counts);
  munmap(memory, run.bytes);
  return code;
}

int model_of_emulated(const struct model_request *request) {
  const struct device *emu = device_find("emu");
  const struct algo *algo = device_algo(emu, request->algo);
  const struct sizes *n = model_request_given(request, "n");
  int code = device_open(emu);
  if (!code && !emu->counted)
    code = fail(VAT_ABSENT,
                "--algo: counts were not built; mend: install g++ "
                "and binutils, then ./configure && make");
  if (!code && !algo)
    code = fail(VAT_USAGE,
                "--algo %s: --device emu has no such algorithm; vat list algos "
                "has those it has",
                request->algo);
  for (size_t i = 0; !code && i < n->count; i++) {
    struct gpu_counts counts;
    struct model_line line = {
        .name = algo->name, .counted = emu->name, .n = (double)n->at[i]};
    if ((code = count_size(emu, algo, n->at[i], &counts))) break;
    request->model->of_counts(request->arch, &counts, line.outputs);
    if (!i) model_print_head(request);
    code = model_print_line(request, &line);
    if (isnan(counts.arithmetic) && i + 1 == n->count) model_note_bound();
  }
  return code;
}
