/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/machine/cpu_id.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "huge_pages/kernel_files.h"

/* Copy the value of "key<blanks>: value" if `line` is of that key. */
static bool take_text(const char *line, const char *key, char *value,
                      size_t size) {
  size_t length = strlen(key);
  if (strncmp(line, key, length)) return false;
  line += length;
  line += strspn(line, " \t");
  if (*line != ':') return false;
  line += 1 + strspn(line + 1, " \t");
  snprintf(value, size, "%.*s", (int)strcspn(line, "\n"), line);
  return true;
}

/* The same for a number, decimal or 0x. */
static bool take_number(const char *line, const char *key, unsigned *value) {
  char text[32];
  if (!take_text(line, key, text, sizeof text)) return false;
  *value = (unsigned)strtoul(text, NULL, 0);
  return true;
}

static bool has_flag(const char *line, const char *flag) {
  size_t length = strlen(flag), end = strcspn(line, "\n");
  for (const char *at = line; (at = strstr(at, flag)); at += length) {
    if (at + length > line + end) return false;
    if (at[-1] == ' ' && strchr(" \n", at[length])) return true;
  }
  return false;
}

static void take_line(struct cpu_id *id, const char *line) {
  char implementer[32];
  if (take_text(line, "vendor_id", id->vendor, sizeof id->vendor) ||
      take_text(line, "model name", id->model_name, sizeof id->model_name) ||
      take_number(line, "cpu family", &id->family) ||
      take_number(line, "model", &id->model) ||
      take_number(line, "stepping", &id->stepping) ||
      take_number(line, "CPU architecture", &id->family) ||
      take_number(line, "CPU part", &id->model) ||
      take_number(line, "CPU revision", &id->stepping))
    return;
  if (take_text(line, "CPU implementer", implementer, sizeof implementer)) {
    strcpy(id->vendor, "ARM");
    if (!*id->model_name)
      snprintf(id->model_name, sizeof id->model_name, "ARM implementer %s",
               implementer);
  }
  if (!strncmp(line, "flags", 5)) id->hypervisor = has_flag(line, "hypervisor");
}

void cpu_id_parse(struct cpu_id *id, const char *text) {
  *id = (struct cpu_id){0};
  bool named = false;
  for (const char *line = text; *line;) {
    /* An empty line ends a processor. */
    if (*line == '\n' && named) break;
    take_line(id, line);
    named = *id->vendor != '\0';
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
  if (!named) *id = (struct cpu_id){0};
  if (!*id->model_name) strcpy(id->model_name, "unknown");
}

void cpu_id_read(struct cpu_id *id) {
  char text[HP_TEXT_SIZE];
  if (hp_kernel_read_text("/proc/cpuinfo", text, sizeof text)) text[0] = '\0';
  cpu_id_parse(id, text);
}
