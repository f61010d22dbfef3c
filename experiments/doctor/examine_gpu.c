/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "experiments/cli/program.h"
#include "experiments/device/device.h"
#include "experiments/doctor/doctor.h"
#include "gpu_algos/failure.h"

static size_t algorithms_of(const struct device *device) {
  size_t count = 0;
  while (device_algos(device)[count]) count++;
  return count;
}

static void describe(struct findings *findings, const struct device *device) {
  struct gpu_properties p;
  if (device->set->device->describe(&p)) {
    findings_lack(findings, device->name, "see what nvidia-smi says", "%s: %s",
                  gpu_failure_first()->call, gpu_failure_first()->name);
    gpu_failure_forget();
    return;
  }
  findings_ok(findings, device->name,
              "%s, %d multiprocessors, %.1f GiB, driver for CUDA %d.%d", p.name,
              p.sms, (double)p.memory_bytes / 0x1p30, p.driver / 1000,
              p.driver % 1000 / 10);
}

/* What cannot be mended on a machine without a GPU is a fact, not a lack. */
static void examine(struct findings *findings, const struct device *device,
                    bool has_gpu) {
  struct hp_lack lack;
  bool lacks = device_lacks(device, &lack);
  if (lacks && device->is_gpu && !has_gpu)
    findings_info(findings, device->name, "%s; for one: %s", lack.why,
                  lack.mend);
  else if (lacks)
    findings_lack(findings, device->name, lack.mend, "%s", lack.why);
  else if (device->is_gpu)
    describe(findings, device);
  else
    findings_ok(findings, device->name, "%zu algorithms%s",
                algorithms_of(device),
                device->counted ? ", counted" : ", not counted");
}

static int count_gpus(void) {
  char path[32];
  int count = 0;
  for (int i = 0; i < 64; i++) {
    snprintf(path, sizeof path, "/dev/nvidia%d", i);
    count += !access(path, F_OK);
  }
  return count;
}

void examine_gpu(struct findings *findings, const struct counters *counters) {
  char path[PATH_MAX];
  int gpus = count_gpus();
  (void)counters;
  if (gpus)
    findings_info(findings, "GPUs", "%d by NVIDIA", gpus);
  else
    findings_info(findings, "GPUs", "none by NVIDIA (no /dev/nvidia0)");
  for (size_t i = 0; i < DEVICES; i++)
    if (devices[i].own_memory) examine(findings, &devices[i], gpus > 0);
  if (program_find("nvcc", path) ||
      !access(strcpy(path, "/usr/local/cuda/bin/nvcc"), X_OK))
    findings_info(findings, "nvcc", "%s", path);
  else
    findings_info(findings, "nvcc", "none; needed to build for --device cuda");
}
