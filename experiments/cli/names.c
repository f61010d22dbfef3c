/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/names.h"

#include <stdio.h>
#include <string.h>

void names_add(char names[NAMES_SIZE], const char *name) {
  size_t used = strlen(names);
  snprintf(names + used, NAMES_SIZE - used, "%s%s", used ? ", " : "", name);
}
