// SPDX-License-Identifier: GPL-3.0-or-later
// tests/gpu_algos/wrong.h -- launches that fail, and why.
#pragma once
#include <string.h>

#include "tests/gpu_algos/device.h"

static inline void says(const char *what) {
  if (!strstr(simt_diagnosis(), what))
    printf("\n\"%s\" does not say \"%s\"\n", simt_diagnosis(), what);
  CU_ASSERT_PTR_NOT_NULL(strstr(simt_diagnosis(), what));
}

// ... and names a line of this file.
static inline void says_line(const char *file, int line) {
  char place[64];
  const char *name = strrchr(file, '/');
  snprintf(place, sizeof place, "%s:%d", name ? name + 1 : file, line);
  says(place);
}
#define SAYS_LINE(line) says_line(__FILE__, line)

// The launch ends with the error, and the diagnosis has the words.
#define FAILS(error, words, ...)                 \
  do {                                           \
    CU_ASSERT_EQUAL(launch(__VA_ARGS__), error); \
    CU_ASSERT_EQUAL(cudaGetLastError(), error);  \
    says(words);                                 \
  } while (0)
