/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "vat/trace_lines.h"

/* Among formats that fit equally well the first one is taken: a trace whose
 * addresses have decimal digits only is text, not perf. */
const struct vat_trace_format *const vat_trace_formats[] = {
    &vat_trace_text,
    &vat_trace_lackey,
    &vat_trace_drmemtrace_view,
    &vat_trace_drmemtrace_bin,
    &vat_trace_champsim,
    &vat_trace_perf,
    &vat_trace_vat,
    NULL};

const struct vat_trace_format *vat_trace_format_find(const char *name) {
  for (size_t i = 0; vat_trace_formats[i]; i++)
    if (!strcmp(vat_trace_formats[i]->name, name)) return vat_trace_formats[i];
  errno = EINVAL;
  return NULL;
}

const struct vat_trace_format *vat_trace_format_probe(const uint8_t *head,
                                                      size_t count,
                                                      bool whole) {
  const struct vat_trace_format *best = NULL;
  unsigned most = 0;
  for (size_t i = 0; vat_trace_formats[i]; i++) {
    const struct trace_reader *reader = vat_trace_formats[i]->reader;
    unsigned score =
        reader->probe ? reader->probe(head, count, whole)
                      : vat_trace_lines_probe(head, count, whole, reader->line);
    if (score <= most) continue;
    most = score;
    best = vat_trace_formats[i];
  }
  return best;
}

void vat_trace_format_names(char *text, size_t size) {
  size_t used = 0;
  for (size_t i = 0; vat_trace_formats[i] && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                             vat_trace_formats[i]->name);
}
