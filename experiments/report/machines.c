/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/machines.h"

#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/report_machine.h"

size_t machines_count(const struct survey *survey) {
  size_t count = 0;
  while (survey_at(survey, count)) count++;
  return count;
}

bool machines_begin(const struct survey *survey) {
  return survey->all && survey->all[0] == survey && survey->all[1];
}

static bool shares_title(const struct survey *survey, size_t machine,
                         const char *title) {
  for (size_t i = 0; i < machines_count(survey); i++) {
    char other[REPORT_MACHINE_SIZE];
    report_machine_title(survey_at(survey, i)->record, other);
    if (i != machine && !strcmp(title, other)) return true;
  }
  return false;
}

/* ", family 26, model 2, 24 GiB": virtual machines hardly name theirs. */
static void tell_apart(const json_t *record, char *text, size_t size) {
  const json_t *cpu = json_object_get(record, "cpu");
  double bytes = json_number_value(json_object_get(record, "memory_bytes"));
  snprintf(text, size, ", family %lld, model %lld, %.3g GiB",
           (long long)json_integer_value(json_object_get(cpu, "family")),
           (long long)json_integer_value(json_object_get(cpu, "model_number")),
           bytes / 0x1p30);
}

const char *machines_label(const struct survey *survey, size_t machine,
                           char label[MACHINES_LABEL]) {
  const json_t *record = survey_at(survey, machine)->record;
  char title[REPORT_MACHINE_SIZE], apart[64] = "";
  report_machine_title(record, title);
  if (shares_title(survey, machine, title))
    tell_apart(record, apart, sizeof apart);
  snprintf(label, MACHINES_LABEL, "%zu  %.80s%.40s", machine + 1, title, apart);
  return label;
}

bool machines_is_virtual(const struct survey *machine) {
  const json_t *vm = json_object_get(machine->record, "vm");
  return json_is_true(json_object_get(vm, "is_vm"));
}

const char *machines_big_kind(const struct survey *survey) {
  const char *best = NULL;
  size_t most = 0;
  for (size_t i = 0; machines_begin(survey) && i < machines_count(survey);
       i++) {
    const struct survey *machine = survey_at(survey, i);
    for (size_t k = 0; k < machine->kind_count; k++) {
      size_t have = 0;
      for (size_t j = 0; j < machines_count(survey); j++)
        have += figure_has_kind(survey_at(survey, j), machine->kinds[k],
                                survey_has_ratio);
      if (have <= most) continue;
      most = have;
      best = machine->kinds[k];
    }
  }
  return best;
}
