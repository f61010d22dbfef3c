/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/models/sheet.h"

#include <string.h>

const char *const sheet_truth[] = {"no", "yes"};

const struct sheet *sheet_find(const struct sheet_model *model,
                               const char *name) {
  for (const struct sheet *s = model->sheets; s->name; s++)
    if (!strcmp(s->name, name)) return s;
  return NULL;
}

bool sheet_machine_find(const struct sheet_model *model, const char *name,
                        struct sheet_machine *machine) {
  for (size_t i = 0; model->machine(i, machine); i++)
    if (!strcmp(machine->name, name)) return true;
  return false;
}

int sheet_parameter_find(const struct sheet *sheet, const char *name) {
  for (int i = 0; sheet->parameters[i].name; i++)
    if (!strcmp(sheet->parameters[i].name, name)) return i;
  return -1;
}

int sheet_output_find(const struct sheet *sheet, const char *key) {
  for (int i = 0; sheet->outputs[i].key; i++)
    if (!strcmp(sheet->outputs[i].key, key)) return i;
  return -1;
}
