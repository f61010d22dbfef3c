/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/failure.h"

#include <stddef.h>
#include <stdio.h>

static struct gpu_failure first;

void gpu_failure_note(const char *call, const char *name, const char *text,
                      bool memory) {
  if (*first.name) return;
  snprintf(first.call, sizeof first.call, "%s", call);
  snprintf(first.name, sizeof first.name, "%s", name);
  snprintf(first.text, sizeof first.text, "%s", text);
  first.memory = memory;
}

const struct gpu_failure *gpu_failure_first(void) {
  return *first.name ? &first : NULL;
}

void gpu_failure_forget(void) { *first.name = '\0'; }
