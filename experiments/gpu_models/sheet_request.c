/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/sheet_request.h"

#include <math.h>

#include "experiments/cli/command.h"

double sheet_usual(const struct sheet_request *request, int index) {
  const struct sheet_parameter *p = &request->sheet->parameters[index];
  return p->value ? request->machine.value[p->value - 1] : p->usual;
}

int sheet_check(const struct sheet_parameter *parameter, double value,
                const char *where) {
  if (parameter->whole && value != floor(value))
    return fail(VAT_USAGE, "%s%s %g: it is a whole number", where,
                parameter->name, value);
  if (value >= parameter->least && value <= parameter->most) return VAT_OK;
  return fail(VAT_USAGE, "%s%s %g: it is from %g to %g", where, parameter->name,
              value, parameter->least, parameter->most);
}
