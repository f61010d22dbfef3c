/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/device/device.h"

#include <config.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "gpu_algos/failure.h"
#include "gpu_algos/simt/simt.h"

static const char *const usual[] = {
    "accesses",          "sectors_read",   "sectors_written",
    "lines_read",        "lines_written",  "bank_waves",
    "atomics",           "atomic_sectors", "barriers",
    "warp_instructions",
#ifdef HAVE_EMU_ARITHMETIC
    "arithmetic",
#endif
    "blocks_issued",     "lanes_issued",   "threads",
    "thread_blocks",     "pages",          NULL};

/* Of the emulator's i-th counter; the next call overwrites it. */
static const struct counter_info *emulated(size_t index) {
  static struct counter_info info;
  const struct simt_counter *counter = &simt_counter_table[index];
  if (!counter->name) return NULL;
  info = (struct counter_info){.name = counter->name,
                               .unit = "counts",
                               .meaning = counter->summary,
                               .present = true};
  snprintf(info.source, sizeof info.source, "emulator");
  return &info;
}

static void read_counters(uint64_t values[]) {
  struct simt_counters counters;
  simt_read_counters(&counters);
  for (size_t i = 0; simt_counter_table[i].name; i++)
    memcpy(&values[i], (const char *)&counters + simt_counter_table[i].offset,
           sizeof values[i]);
}

const struct counter_source counters_emulated = {
    .known = emulated,
    .usual = usual,
    .start = simt_reset_counters,
    .read = read_counters,
};

/* The same quantities, absent: of devices where nobody counts them. */
static const struct counter_source counters_uncounted = {
    .known = emulated,
    .usual = usual,
    .why = "only the emulator counts it",
    .fix = "--device emu",
};

const struct device devices[] = {
    {.name = "cpu", .summary = "the processor"},
    {.name = "emu",
     .summary = "a GPU emulated on the processor, which counts",
     .own_memory = true,
#ifdef HAVE_EMU
     .set = &gpu_emu_set,
#endif
#ifdef HAVE_EMU_COUNTED
     .counted = &gpu_counted_set,
     .counters = &counters_emulated,
#else
     .counters = &counters_uncounted,
#endif
     .unbuilt = "this vat was built without the emulator",
     .fix =
         "install g++ and binutils, then ./configure --with-emu=yes && make"},
    {.name = "cuda",
     .summary = "a GPU by NVIDIA",
     .counters = &counters_uncounted,
     .own_memory = true,
     .warm_up = true,
     .is_gpu = true,
#ifdef HAVE_CUDA
     .set = &gpu_cuda_set,
#endif
     .unbuilt = "this vat was built without CUDA",
     .fix = "--device emu; or, with an NVIDIA GPU and the CUDA toolkit, "
            "./configure --with-cuda=yes && make"},
};

bool device_is_emulated(const struct device *device) {
  return device->own_memory && !device->is_gpu;
}

const struct algo *const *device_algos(const struct device *device) {
  static const struct algo *const none[] = {NULL};
  if (!device->own_memory) return cpu_algos;
  return device->set ? device->set->algos : none;
}

const struct device *device_find(const char *name) {
  for (size_t i = 0; i < DEVICES; i++)
    if (!name || !strcmp(devices[i].name, name)) return &devices[i];
  return NULL;
}

const struct algo *device_algo(const struct device *device, const char *name) {
  const struct algo *const *algo = device_algos(device);
  while (*algo && strcmp((*algo)->name, name) != 0) algo++;
  return *algo;
}

void device_offer_algos(const struct device *device,
                        struct spelling *spelling) {
  const struct algo *const *algo = device_algos(device);
  /* All GPUs have the same; so another tells those of one that is not built. */
  for (size_t i = 0; device->own_memory && !device->set && i < DEVICES; i++)
    if (devices[i].set) algo = devices[i].set->algos;
  for (; *algo; algo++) spelling_offer(spelling, (*algo)->name);
}

static bool has_earlier(size_t device, const char *name) {
  while (device-- > 0)
    if (device_algo(&devices[device], name)) return true;
  return false;
}

const struct algo *device_any_algo(size_t index) {
  for (size_t d = 0; d < DEVICES; d++) {
    const struct algo *const *algo = device_algos(&devices[d]);
    for (; *algo; algo++)
      if (!has_earlier(d, (*algo)->name) && !index--) return *algo;
  }
  return NULL;
}

const char *device_names(const char *algo, char names[NAMES_SIZE]) {
  *names = '\0';
  for (size_t i = 0; i < DEVICES; i++)
    if (device_algo(&devices[i], algo)) names_add(names, devices[i].name);
  return names;
}

/* What helps against CUDA's errors of a machine that cannot run anything. */
static const struct {
  const char *error, *fix;
} fixes[] = {
    {"cudaErrorNoDevice",
     "run on a machine with an NVIDIA GPU, or use --device emu"},
    {"cudaErrorInsufficientDriver",
     "run on a machine with an NVIDIA GPU and a driver that is not older than "
     "this CUDA, or use --device emu"},
    {"cudaErrorSystemDriverMismatch", "reboot: the driver was updated"},
    {"cudaErrorDevicesUnavailable", "wait until no other program uses the GPU"},
    {NULL, "check the GPU with nvidia-smi, or use --device emu"},
};

int device_missing(const struct device *device, struct hp_missing *missing) {
  *missing = (struct hp_missing){0};
  if (!device->own_memory) return 0;
  if (!device->set) {
    snprintf(missing->why, sizeof missing->why, "%s", device->unbuilt);
    snprintf(missing->fix, sizeof missing->fix, "%s", device->fix);
    return -1;
  }
  gpu_failure_forget();
  if (!device->set->device->open()) return 0;
  const struct gpu_failure *failure = gpu_failure_first();
  size_t i = 0;
  while (fixes[i].error && strcmp(fixes[i].error, failure->name)) i++;
  snprintf(missing->why, sizeof missing->why, "%.40s: %.40s (%.70s)",
           failure->call, failure->name, failure->text);
  snprintf(missing->fix, sizeof missing->fix, "%s", fixes[i].fix);
  gpu_failure_forget();
  return -1;
}

int device_open(const struct device *device) {
  struct hp_missing missing;
  if (!device_missing(device, &missing)) return VAT_OK;
  return fail(VAT_ABSENT, "--device %s: %s; fix: %s", device->name, missing.why,
              missing.fix);
}

size_t device_free_bytes(const struct device *device) {
  struct gpu_properties properties;
  if (!device->is_gpu || device->set->device->describe(&properties)) {
    gpu_failure_forget();
    return SIZE_MAX;
  }
  return properties.free_bytes;
}

json_t *device_record(const struct device *device) {
  struct gpu_properties p;
  double rate = 0;
  bool known = device->is_gpu && !device->set->device->describe(&p) &&
               !device->set->device->copy_rate(&rate);
  gpu_failure_forget();
  if (!known) return NULL;
  return json_pack("{ss s[ii] si si si si sI sI si si sf}", "name", p.name,
                   "compute_capability", p.major, p.minor, "sms", p.sms,
                   "clock_khz", p.clock_khz, "memory_clock_khz",
                   p.memory_clock_khz, "memory_bus_bits", p.memory_bus_bits,
                   "memory_bytes", (json_int_t)p.memory_bytes, "l2_bytes",
                   (json_int_t)p.l2_bytes, "driver", p.driver, "runtime",
                   p.runtime, "copy_bytes_per_s", rate);
}
