/* SPDX-License-Identifier: BSD-2-Clause */
/* drmemtrace-view: what DynamoRIO's `drrun -t drmemtrace -tool view` prints.
 *
 *   RECORD# INSTR#:  TID read         4 byte(s) @ 0x00007fff8044e92c by PC
 * 0x...
 *
 * (clients/drcachesim/tools/view.cpp and view.h; older ones print "RECORD#:
 * TTID
 * ...").  "ifetch" is followed by a disassembly, whose bytes may spill over to
 * a line of their own; prefetches, flushes and markers are no accesses. */
#include "vat/trace_lines.h"

/* "  1234     567:   W0.T89 " or "1234: T89 ".  False where there is none. */
static bool prefix(const char **text) {
  const char *p = trace_blanks(*text);
  uint64_t number;
  if (!trace_decimal(&p, UINT64_MAX, &number)) return false;
  if (*p != ':') {
    p = trace_blanks(p);
    if (!trace_decimal(&p, UINT64_MAX, &number)) return false;
  }
  if (*p++ != ':') return false;
  p = trace_blanks(p);
  if (*p == '\n' || *p == '<') return false;
  while (*p != ' ' && *p != '\n') p++;
  if (*p != ' ') return false;
  *text = trace_blanks(p);
  return true;
}

/* What view prints around the records. */
static enum trace_line other_line(const char **text) {
  static const char *const begins[] = {"Output format:", "<", "----",
                                       "View tool results:"};
  const char *p = trace_blanks(*text);
  uint64_t number;
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (trace_word(&p, begins[i])) return trace_line_skip(text);
  *text = p;
  if (trace_line_end(text)) return TRACE_LINE_SKIPPED;
  if (!trace_decimal(&p, UINT64_MAX, &number)) return TRACE_LINE_BAD;
  *text = p;
  return trace_word(text, " : total instructions") && trace_line_end(text)
             ? TRACE_LINE_SKIPPED
             : TRACE_LINE_BAD;
}

/* Raw bytes of a long instruction: pairs of digits. */
static enum trace_line spill_line(const char **text) {
  const char *p = *text;
  while (trace_is_hex(p[0]) && trace_is_hex(p[1]) &&
         (p[2] == ' ' || p[2] == '\n'))
    p = trace_blanks(p + 2);
  bool any = p > *text;
  *text = p;
  return any && trace_line_end(text) ? TRACE_LINE_SKIPPED : TRACE_LINE_BAD;
}

/* " 4 byte(s) @ 0x00007fff8044e92c" */
static bool operand(const char **text, uint64_t *address, uint64_t *size) {
  *text = trace_blanks(*text);
  if (!trace_decimal(text, UINT32_MAX, size) ||
      !trace_word(text, " byte(s) @ "))
    return false;
  return trace_word(text, "0x") && trace_hex(text, address);
}

static enum trace_line line(const char **text, struct trace_out *out) {
  static const struct {
    const char *name;
    int kind; /* -1: no access */
  } records[] = {{"read ", VAT_LOAD},    {"write ", VAT_STORE},
                 {"ifetch ", VAT_FETCH}, {"pref", -1},
                 {"iflush ", -1},        {"dflush ", -1}};
  uint64_t address, size;
  if (!prefix(text)) return other_line(text);
  if (**text == '<') return trace_line_skip(text);
  for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
    if (!trace_word(text, records[i].name)) continue;
    while (**text != ' ' && **text != '\n' && records[i].kind < 0) ++*text;
    if (!operand(text, &address, &size)) return TRACE_LINE_BAD;
    if (records[i].kind < 0 || trace_word(text, " non-fetched instruction"))
      return trace_line_skip(text);
    trace_line_skip(text);
    trace_out_add(out, address, (uint32_t)size,
                  (enum vat_access_kind)records[i].kind);
    return TRACE_LINE_READ;
  }
  return spill_line(text);
}

static int decode(struct trace_decoding *decoding, struct trace_out *out) {
  return trace_lines_decode(decoding, out, line);
}

static const struct trace_reader reader = {.decode = decode, .line = line};

const struct vat_trace_format vat_trace_drmemtrace_view = {
    .name = "drmemtrace-view",
    .summary =
        "DynamoRIO's drmemtrace -tool view: \"1 1: W0.T9 read 4 byte(s) "
        "@ 0x7fff8044e92c by PC 0x7fc2c03fa268\"",
    .tells_kinds = true,
    .reader = &reader,
};
