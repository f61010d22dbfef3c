/* SPDX-License-Identifier: BSD-2-Clause */
/* perf: `perf mem record`, then `perf script -F addr`: one hexadecimal address
 * a line, right-aligned, without 0x.  A sample whose address the processor did
 * not tell prints 0 and is read as such. */
#include "vat/trace_lines.h"

static enum trace_line line(const char **text, struct trace_out *out) {
  const char *p = trace_blanks(*text);
  uint64_t address;
  *text = p;
  if (*p == '#') return trace_line_skip(text);
  if (*p == '\n' || *p == '\r')
    return trace_line_end(text) ? TRACE_LINE_SKIPPED : TRACE_LINE_BAD;
  if (!trace_hex(text, &address) || !trace_line_end(text))
    return TRACE_LINE_BAD;
  trace_out_add(out, address, 1, VAT_LOAD);
  return TRACE_LINE_READ;
}

static int decode(struct trace_decoding *decoding, struct trace_out *out) {
  return trace_lines_decode(decoding, out, line);
}

static const struct trace_reader reader = {.decode = decode, .line = line};

const struct vat_trace_format vat_trace_perf = {
    .name = "perf",
    .summary = "`perf script -F addr`: one hex address a line, without 0x",
    .reader = &reader,
};
