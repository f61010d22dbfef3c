/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/trace_lines.h"

#include <errno.h>

const uint8_t vat_trace_hex_rank[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
    ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
    ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
    ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16};

size_t vat_trace_put_hex(uint8_t *to, uint64_t value, unsigned least) {
  unsigned digits = 1;
  while (digits < 16 && value >> (4 * digits)) digits++;
  if (digits < least) digits = least;
  for (unsigned i = digits; i-- > 0; value >>= 4)
    to[i] = (uint8_t) "0123456789abcdef"[value & 15];
  return digits;
}

size_t vat_trace_put_decimal(uint8_t *to, uint32_t value) {
  uint8_t digits[10];
  size_t count = 0;
  do digits[count++] = (uint8_t)('0' + value % 10);
  while (value /= 10);
  for (size_t i = 0; i < count; i++) to[i] = digits[count - 1 - i];
  return count;
}

/* The format, other than the trace's, whose line this is. */
static const char *format_of_line(const struct trace_decoding *decoding,
                                  const char *line) {
  uint64_t addresses[2] = {0};
  uint32_t sizes[2] = {0};
  uint8_t kinds[2] = {0};
  for (size_t i = 0; vat_trace_formats[i]; i++) {
    const struct vat_trace_format *format = vat_trace_formats[i];
    struct trace_out out = {addresses, sizes, kinds, 0, 2};
    const char *text = line;
    if (format != decoding->format && format->reader->line &&
        format->reader->line(&text, &out) == TRACE_LINE_READ)
      return format->name;
  }
  return NULL;
}

int vat_trace_lines_refuse(struct trace_decoding *decoding, const char *text) {
  enum { SHOWN = 40 };
  char shown[SHOWN + 4];
  size_t length = 0;
  for (; length < SHOWN && text[length] != '\n'; length++) {
    bool printable = text[length] >= ' ' && text[length] <= '~';
    shown[length] = printable ? text[length] : '?';
  }
  strcpy(shown + length, text[length] == '\n' ? "" : "...");
  const char *other = format_of_line(decoding, text);
  unsigned long long number = (unsigned long long)decoding->lines + 1;
  if (other)
    return vat_trace_fail(
        decoding->error, EINVAL,
        "%s:%llu: \"%s\" is of format %s, in a trace of format "
        "%s: one trace has one format",
        decoding->input.name, number, shown, other, decoding->format->name);
  return vat_trace_fail(decoding->error, EINVAL,
                        "%s:%llu: \"%s\" is no line of format %s (%s)",
                        decoding->input.name, number, shown,
                        decoding->format->name, decoding->format->summary);
}

unsigned vat_trace_lines_probe(const uint8_t *head, size_t count, bool whole,
                               trace_line_parser *line) {
  uint64_t addresses[2] = {0};
  uint32_t sizes[2] = {0};
  uint8_t kinds[2] = {0};
  unsigned score = 0;
  const char *text = (const char *)head, *end = text + count;
  while (!whole && end > text && end[-1] != '\n') end--;
  while (text < end) {
    struct trace_out out = {addresses, sizes, kinds, 0, 2};
    if (line(&text, &out) == TRACE_LINE_BAD) break;
    score++;
  }
  return score;
}
