/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/model/emulated.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "experiments/command.h"
#include "experiments/driver/offload.h"
#include "huge_pages/available_memory.h"

int emulated_open(const struct device **emu, const char *what) {
  *emu = device_find("emu");
  int code = device_open(*emu);
  if (!code && !(*emu)->counted)
    code = fail(VAT_ABSENT,
                "%s: counts were not built; mend: install g++ and binutils, "
                "then ./configure && make",
                what);
  return code;
}

/* Run it on the input that `run` has, and see that the answer is right. */
static int count_run(const struct device *emu, const struct algo *algo,
                     struct algo_run *run, struct simt_counters *counters) {
  struct offload offload;
  uint64_t ns;
  int code = offload_open(&offload, emu, run->bytes);
  offload.counted = true;
  if (!code) code = offload_upload(&offload, algo, run);
  simt_reset_counters();
  if (!code) code = offload_run(&offload, algo, run, &ns);
  simt_read_counters(counters);
  if (!code) code = offload_download(&offload, algo, run);
  offload_close(&offload);
  const char *wrong = code ? NULL : algo->check(run);
  if (wrong)
    return fail(VAT_FAILED, "%s gave a wrong answer (n %llu): %s", algo->name,
                (unsigned long long)run->n, wrong);
  return code;
}

int emulated_count(const struct device *emu, const struct algo *algo,
                   struct algo_run *run, struct simt_counters *counters) {
  uint64_t fit = cpu_algo_fit(algo, run->n);
  if (fit != run->n)
    return fail(VAT_USAGE,
                "%s: n = %llu is none of the sizes it takes, %s: the next "
                "smaller one is %llu",
                algo->name, (unsigned long long)run->n, algo->fits,
                (unsigned long long)fit);
  run->bytes = algo->bytes(run->n);
  if (!run->bytes)
    return fail(VAT_USAGE,
                "%s: n = %llu is more than it takes on a GPU; choose a smaller "
                "--n",
                algo->name, (unsigned long long)run->n);
  /* The workspace, and the emulated device's copy of it. */
  if (run->bytes > hp_memory_available() / 2)
    return fail(VAT_USAGE,
                "%s: n = %llu needs 2 x %.1f GiB, and %.1f GiB of memory is "
                "free; choose a smaller --n",
                algo->name, (unsigned long long)run->n,
                (double)run->bytes / 0x1p30,
                (double)hp_memory_available() / 0x1p30);
  void *memory = mmap(NULL, run->bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return fail(VAT_ABSENT, "%s: memory: %s", algo->name, strerror(errno));
  run->memory = memory;
  algo->setup(run);
  int code = count_run(emu, algo, run, counters);
  munmap(memory, run->bytes);
  run->memory = NULL;
  return code;
}
