/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/model/calculators.h"

#include <string.h>

#include "experiments/model/tmm/tmm_command.h"

/* The table: a line is a command. */
const struct calculator calculators[] = {
    {"tmm", TMM_SOURCE,
     "work, span and memory of algorithms on machines that hide latency by "
     "threads, and which of two is better where",
     tmm_command},
    {0}};

const struct calculator *calculator_find(const char *name) {
  for (const struct calculator *c = calculators; c->name; c++)
    if (!strcmp(c->name, name)) return c;
  return NULL;
}
