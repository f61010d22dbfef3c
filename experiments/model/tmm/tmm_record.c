/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/model/tmm/tmm_record.h"

#include <jansson.h>
#include <math.h>

#include "experiments/command.h"
#include "experiments/results/results.h"
#include "experiments/results/sample_json.h"

int tmm_record_read(struct tmm_machine *machine, char name[TMM_NAME_SIZE],
                    const char *path) {
  char error[RESULTS_ERROR_SIZE];
  struct results results;
  int code = VAT_OK;
  if (results_read(&results, path, error))
    return fail(VAT_USAGE, "--arch %s", error);
  const json_t *gpu = json_object_get(results.machine, "gpu");
  const json_t *capability = json_object_get(gpu, "compute_capability");
  double sms = json_number_value(json_object_get(gpu, "sms"));
  bool named =
      sample_name_from_json(json_object_get(gpu, "name"), name, TMM_NAME_SIZE);
  *machine = (struct tmm_machine){
      .name = name, .title = name, .source = "machine record", .L = NAN};
  if (!named || !(sms >= 1) ||
      !tmm_machine_of(
          machine, (int)json_integer_value(json_array_get(capability, 0)),
          (int)json_integer_value(json_array_get(capability, 1)), sms))
    code = fail(VAT_USAGE,
                "--arch %s: its machine record has no GPU that is known; vat "
                "run --device cuda -o FILE makes one that has",
                path);
  results_fini(&results);
  return code;
}
