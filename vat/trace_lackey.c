/* SPDX-License-Identifier: BSD-2-Clause */
/* lackey: `valgrind --tool=lackey --trace-mem=yes` (Valgrind manual, 16.2).
 *
 *   I  04001000,3      fetch        L 1ffeffe7e0,8   load
 *    S 1ffeffe7d8,8    store        M 0421b2a8,4     load, then store
 *
 * (the last three begin with a blank): hexadecimal address of at least eight
 * digits, decimal size.  Valgrind's own lines (==PID==, --PID--, **PID**) and
 * lackey's superblocks (SB ADDRESS) are skipped. */
#include "vat/trace_lines.h"

/* What is no access: blank lines, and those of Valgrind. */
static enum trace_line other_line(const char **text) {
  char mark = **text;
  const char *p = *text + 2;
  uint64_t number;
  if (trace_line_end(text)) return TRACE_LINE_SKIPPED;
  *text = p - 2;
  if (trace_word(text, "SB ") && trace_hex(text, &number) &&
      trace_line_end(text))
    return TRACE_LINE_SKIPPED;
  if ((mark != '=' && mark != '-' && mark != '*') || p[-1] != mark ||
      !trace_decimal(&p, UINT32_MAX, &number) || p[0] != mark || p[1] != mark)
    return TRACE_LINE_BAD;
  *text = p;
  return trace_line_skip(text);
}

static inline enum trace_line line(const char **text, struct trace_out *out) {
  const char *p = *text;
  uint64_t address, size;
  char kind = p[0] == 'I' ? 'I' : p[0] == ' ' && p[1] != 'I' ? p[1] : 0;
  if (kind != 'I' && kind != 'L' && kind != 'S' && kind != 'M')
    return other_line(text);
  if (p[2] != ' ' || (kind == 'I' && p[1] != ' ')) return TRACE_LINE_BAD;
  p += 3;
  if (trace_hex(&p, &address) < 8 || *p++ != ',' ||
      !trace_decimal(&p, UINT32_MAX, &size))
    return TRACE_LINE_BAD;
  if (*p == '\n')
    p++;
  else if (!trace_line_end(&p))
    return TRACE_LINE_BAD;
  if (kind == 'I') trace_out_add(out, address, (uint32_t)size, VAT_FETCH);
  if (kind == 'L' || kind == 'M')
    trace_out_add(out, address, (uint32_t)size, VAT_LOAD);
  if (kind == 'S' || kind == 'M')
    trace_out_add(out, address, (uint32_t)size, VAT_STORE);
  *text = p;
  return TRACE_LINE_READ;
}

static int decode(struct trace_decoding *decoding, struct trace_out *out) {
  return trace_lines_decode(decoding, out, line);
}

static const struct trace_reader reader = {
    .decode = decode, .line = line, .empty = "==0== 0 accesses\n"};

static int write_block(struct trace_encoding *encoding,
                       const struct vat_accesses *from, size_t count) {
  static const char prefix[VAT_ACCESS_KINDS][4] = {" L ", " S ", "I  "};
  for (size_t i = 0; i < count; i++) {
    uint8_t *p = vat_trace_encoding_room(encoding, 32);
    if (!p) return -1;
    memcpy(p, prefix[from->kinds[i]], 3);
    size_t length = 3 + vat_trace_put_hex(p + 3, from->addresses[i], 8);
    p[length++] = ',';
    length += vat_trace_put_decimal(p + length, from->sizes[i]);
    p[length++] = '\n';
    encoding->used += length;
  }
  return 0;
}

static const struct trace_encoder encoder = {.write = write_block};

const struct vat_trace_format vat_trace_lackey = {
    .name = "lackey",
    .summary = "Valgrind's lackey --trace-mem=yes: \" L 1ffeffe7e0,8\"",
    .tells_kinds = true,
    .reader = &reader,
    .encoder = &encoder,
};
