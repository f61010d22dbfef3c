/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/diagnosis.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gpu_algos/simt/simt.h"
#include "gpu_algos/simt/source_line.h"

static char line[1024];

const char *simt_diagnosis(void) { return line; }

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...) {
  size_t used = strlen(line);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line + used, sizeof line - used, format, arguments);
  va_end(arguments);
}

static void add_place(const struct simt_place *place) {
  char where[256];
  const struct simt_index *thread = &place->thread;
  add("thread (%u,%u,%u)", thread->x, thread->y, thread->z);
  if (place->site.file) {
    const char *slash = strrchr(place->site.file, '/');
    add(" at %s:%ld", slash ? slash + 1 : place->site.file, place->site.line);
  } else if (place->pc) {
    simt_source_line(place->pc, where, sizeof where);
    add(" at %s", where);
  }
}

void simt_diagnosis_tell(const struct simt_diagnosis *seen,
                         const void *kernel) {
  char name[256];
  line[0] = '\0';
  if (!seen) return;
  simt_function_name(kernel, name, sizeof name);
  add("%s: %s: block (%u,%u,%u)", name, seen->what, seen->block.x,
      seen->block.y, seen->block.z);
  for (unsigned i = 0; i < seen->count; i++) {
    add(i ? " and " : ", ");
    add_place(&seen->places[i]);
  }
}
