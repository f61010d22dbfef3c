/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A libFuzzer target for the table of applications, on cases as its tests have
 * them; run.sh builds and runs it.  All that is found must be printable and of
 * one line. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/experiments/applications/application_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  char *text = malloc(count + 1);
  struct application_case *it = malloc(sizeof *it);
  if (!text || !it) abort();
  memcpy(text, bytes, count);
  text[count] = '\0';
  case_parse(it, text);
  char *found = case_found(&it->seen);
  for (const char *at = found; *at; at++)
    if (*at != '\n' && (*at < ' ' || *at > '~')) abort();
  free(found);
  free(it);
  free(text);
  return 0;
}
