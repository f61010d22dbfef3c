/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/prediction.h"

#include <errno.h>

#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/probe/calibration.h"

int prediction_open(struct prediction *prediction, const char *machine_path,
                    char error[RESULTS_ERROR_SIZE]) {
  *prediction = (struct prediction){.machine_path = machine_path};
  if (!calibration_read(&prediction->calibration, machine_path, error,
                        RESULTS_ERROR_SIZE))
    return VAT_OK;
  return fail_code(errno);
}

const struct validation *prediction_make(struct prediction *prediction,
                                         const char *path,
                                         const struct results *results) {
  struct validation *validation = &prediction->validation;
  *validation = (struct validation){.path = path,
                                    .machine_path = prediction->machine_path,
                                    .results = results,
                                    .cal = &prediction->calibration};
  if (interrupt_arm()) return NULL;
  int code = validation_make(validation);
  interrupt_disarm();
  return code || interrupt_pending() ? NULL : validation;
}

void prediction_fini(struct prediction *prediction) {
  validation_fini(&prediction->validation);
  calibration_fini(&prediction->calibration);
}
