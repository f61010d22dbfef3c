/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/model_memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "experiments/cli/command.h"
#include "huge_pages/available_memory.h"

static int too_much(const struct model_memory *memory, size_t bytes,
                    size_t available) {
  char times[16] = "";
  if (memory->copies > 1)
    snprintf(times, sizeof times, "%u x ", memory->copies);
  return fail(VAT_ABSENT,
              "%s needs %s%.1f GiB, and %.1f GiB of memory is free; choose %s",
              memory->name, times, (double)bytes / 0x1p30,
              (double)available / 0x1p30, memory->mend);
}

int model_memory_map(const struct model_memory *memory, const struct algo *algo,
                     struct algo_run *run) {
  size_t available = hp_memory_available();
  if (!run->bytes)
    return fail(VAT_USAGE, "%s is larger than any that %s takes; choose %s",
                memory->name, algo->name, memory->mend);
  if (run->bytes > available / memory->copies)
    return too_much(memory, run->bytes, available);
  void *mapped = mmap(NULL, run->bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED)
    return fail(VAT_ABSENT, "%s: memory: %s", algo->name, strerror(errno));
  run->memory = mapped;
  return VAT_OK;
}

void model_memory_unmap(struct algo_run *run) {
  munmap(run->memory, run->bytes);
  run->memory = NULL;
}
