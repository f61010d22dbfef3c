/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/machine/perf_rights.h"

#include <stdlib.h>
#include <string.h>

#include "huge_pages/kernel_files.h"

bool rights_have(int capability) {
  char text[HP_TEXT_SIZE];
  if (hp_kernel_read_text("/proc/self/status", text, sizeof text)) return false;
  const char *line = strstr(text, "\nCapEff:");
  if (!line) return false;
  return strtoull(line + strlen("\nCapEff:"), NULL, 16) >> capability & 1;
}
