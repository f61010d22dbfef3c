/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/tmm_record.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>

#include "experiments/cli/command.h"
#include "experiments/cli/record.h"
#include "experiments/gpu_models/gpu_record.h"
#include "experiments/results/results.h"

int tmm_record_read(struct tmm_machine *machine, char name[TMM_NAME_SIZE],
                    const char *path) {
  char error[RESULTS_ERROR_SIZE];
  struct results results;
  int code = VAT_OK;
  if (results_read(&results, path, error))
    return fail(fail_code(errno), "--arch %s", error);
  const json_t *gpu = json_object_get(results.machine, "gpu");
  const json_t *capability = json_object_get(gpu, "compute_capability");
  double sms = gpu_record_sms(gpu);
  bool named = record_name(json_object_get(gpu, "name"), name, TMM_NAME_SIZE);
  *machine = (struct tmm_machine){
      .name = name, .title = name, .source = "machine record", .L = NAN};
  if (!named || !(sms > 0) ||
      !tmm_machine_of(
          machine, (int)json_integer_value(json_array_get(capability, 0)),
          (int)json_integer_value(json_array_get(capability, 1)), sms))
    code = fail(VAT_USAGE,
                "--arch %s: its machine record has no GPU that is known, by "
                "name, compute_capability and sms (1 to %d); vat run --device "
                "cuda -o FILE makes one that has",
                path, GPU_RECORD_SMS_MOST);
  results_fini(&results);
  return code;
}
