/* SPDX-License-Identifier: BSD-2-Clause */
/* Text: one address a line, decimal or 0x hex; # begins a comment. */
#include "vat/trace_lines.h"

static enum trace_line line(const char **text, struct trace_out *out) {
  const char *p = trace_blanks(*text);
  uint64_t address = 0;
  bool any;
  if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
    p += 2;
    any = trace_hex(&p, &address);
    if (!any) return TRACE_LINE_BAD;
  } else {
    any = *p >= '0' && *p <= '9';
    if (any && !trace_decimal(&p, UINT64_MAX, &address)) return TRACE_LINE_BAD;
  }
  *text = trace_blanks(p);
  if (**text == '#')
    trace_line_skip(text);
  else if (!trace_line_end(text))
    return TRACE_LINE_BAD;
  if (!any) return TRACE_LINE_SKIPPED;
  trace_out_add(out, address, 1, VAT_LOAD);
  return TRACE_LINE_READ;
}

static int decode(struct trace_decoding *decoding, struct trace_out *out) {
  return trace_lines_decode(decoding, out, line);
}

static const struct trace_reader reader = {
    .decode = decode, .line = line, .empty = "# 0 accesses\n"};

/* "0x7fff8044e92c\n" without printf, which would take most of the time. */
static int write_block(struct trace_encoding *encoding,
                       const struct vat_accesses *from, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint8_t *p = vat_trace_encoding_room(encoding, 19);
    if (!p) return -1;
    p[0] = '0';
    p[1] = 'x';
    size_t length = 2 + vat_trace_put_hex(p + 2, from->addresses[i], 1);
    p[length++] = '\n';
    encoding->used += length;
  }
  return 0;
}

static const struct trace_encoder encoder = {.write = write_block};

const struct vat_trace_format vat_trace_text = {
    .name = "text",
    .summary = "one address a line, decimal or 0x hex; # begins a comment",
    .reader = &reader,
    .encoder = &encoder,
};
