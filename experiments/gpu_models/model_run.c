/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/model_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "experiments/cli/command.h"
#include "experiments/cli/progress.h"
#include "experiments/device/offload.h"
#include "huge_pages/available_memory.h"

int model_memory_map(const char *name, const char *fix, unsigned copies,
                     const struct algo *algo, struct algo_run *run) {
  size_t available = hp_memory_available();
  if (!run->bytes)
    return fail(VAT_USAGE, "%s is too large for %s; choose %s", name,
                algo->name, fix);
  if (run->bytes > available / copies)
    return fail(VAT_ABSENT,
                "%s needs %s%.1f GiB, and %.1f GiB of memory is free; choose "
                "%s",
                name, copies > 1 ? "2 x " : "", (double)run->bytes / 0x1p30,
                (double)available / 0x1p30, fix);
  void *mapped = mmap(NULL, run->bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED)
    return fail(VAT_ABSENT, "%s: memory: %s", algo->name, strerror(errno));
  run->memory = mapped;
  return VAT_OK;
}

int emulated_open(const struct device **emu, const char *what) {
  *emu = device_find("emu");
  int code = device_open(*emu);
  if (!code && !(*emu)->counted)
    code = fail(VAT_ABSENT,
                "%s: this vat was built without counts; fix: install g++ and "
                "binutils, then ./configure && make",
                what);
  return code;
}

/* How much of it is left, nobody knows. */
static struct progress emulating;
static const char *emulated;

static bool show_emulating(void) {
  progress_draw(&emulating, 0, NAN, emulated);
  return false;
}

/* Run it on the input that `run` has, and see that the answer is right. */
static int count_run(const struct device *emu, const struct algo *algo,
                     struct algo_run *run, struct simt_counters *counters) {
  struct offload offload;
  uint64_t ns;
  int code = offload_open(&offload, emu, run->bytes, SIZE_MAX, "a smaller --n");
  offload.counted = true;
  if (!code) code = offload_upload(&offload, algo, run);
  simt_reset_counters();
  progress_init(&emulating);
  emulated = algo->name;
  simt_set_stop(show_emulating);
  if (!code) code = offload_run(&offload, algo, run, &ns);
  simt_set_stop(NULL);
  progress_clear(&emulating);
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
  char name[96];
  if (fit != run->n)
    return fail(VAT_USAGE,
                "%s: n = %llu is an unsupported size; it takes %s, the next "
                "smaller one is %llu",
                algo->name, (unsigned long long)run->n, algo->fits,
                (unsigned long long)fit);
  run->bytes = algo->bytes(run->n);
  if (!run->bytes)
    return fail(VAT_USAGE,
                "%s: n = %llu is too large on a GPU; choose a smaller --n",
                algo->name, (unsigned long long)run->n);
  /* The workspace, and the emulated device's copy of it. */
  snprintf(name, sizeof name, "%s: n = %llu", algo->name,
           (unsigned long long)run->n);
  int code = model_memory_map(name, "a smaller --n", 2, algo, run);
  if (code) return code;
  algo->setup(run);
  code = count_run(emu, algo, run, counters);
  munmap(run->memory, run->bytes);
  return code;
}
