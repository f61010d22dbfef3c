/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/gpu_record.h"

#include <stdio.h>

#include "experiments/cli/command.h"

/* A terahertz, which none has. */
#define CLOCK_KHZ_MOST 1e9

double gpu_record_sms(const json_t *gpu) {
  json_int_t sms = json_integer_value(json_object_get(gpu, "sms"));
  return sms >= 1 && sms <= GPU_RECORD_SMS_MOST ? (double)sms : 0;
}

bool gpu_record_read(struct gpu_record *record, const json_t *machine) {
  const json_t *gpu = json_object_get(machine, "gpu");
  const json_t *capability = json_object_get(gpu, "compute_capability");
  const char *name = json_string_value(json_object_get(gpu, "name"));
  double sms = gpu_record_sms(gpu);
  double khz = json_number_value(json_object_get(gpu, "clock_khz"));
  double cores =
      gpu_arch_cores((int)json_integer_value(json_array_get(capability, 0)),
                     (int)json_integer_value(json_array_get(capability, 1)));
  snprintf(record->name, sizeof record->name, "%s", name ? name : "");
  fail_tame(record->name);
  if (!name || !(sms > 0) || !(khz > 0 && khz <= CLOCK_KHZ_MOST) ||
      !(cores > 0))
    return false;
  record->arch = gpu_archs[0];
  record->arch.name = record->arch.title = record->name;
  record->arch.source = "machine record; cycles as of the GTX 280";
  record->arch.sms = sms;
  record->arch.cores = cores;
  record->arch.clock_hz = 1000 * khz;
  record->arch.served = record->arch.banks = 32; /* warps at once, as Fermi */
  return true;
}
