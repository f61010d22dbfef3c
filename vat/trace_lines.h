/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/trace_lines.h -- what the text formats share: lines, numbers, errors.
 *
 * A format supplies the parser of one line.  Lines end in '\n' wherever a
 * parser runs, so that it needs no other bound: no digit, blank or word goes
 * across one.
 */
#pragma once
#include <string.h>

#include "vat/trace_format.h"

extern const uint8_t vat_trace_hex_rank[256]; /* of digits value + 1, else 0 */

static inline bool trace_is_hex(char digit) {
  return vat_trace_hex_rank[(uint8_t)digit];
}

/* The hexadecimal number at *text, 1 to 16 digits; moves *text behind it.
 * Returns how many digits, 0 where there is none or it is above 2^64 - 1. */
static inline unsigned trace_hex(const char **text, uint64_t *value) {
  const uint8_t *p = (const uint8_t *)*text, *first = p;
  uint64_t sum = 0;
  for (unsigned rank; (rank = vat_trace_hex_rank[*p]); p++)
    sum = (sum << 4) + (rank - 1);
  *text = (const char *)p;
  *value = sum;
  return p - first <= 16 ? (unsigned)(p - first) : 0;
}

/* The same, decimal; false where there is none or it is above `most`. */
static inline bool trace_decimal(const char **text, uint64_t most,
                                 uint64_t *value) {
  const char *p = *text;
  uint64_t sum = 0;
  for (unsigned digit; (digit = (unsigned)(*p - '0')) < 10; p++) {
    if (sum > most / 10 || (sum == most / 10 && digit > most % 10))
      return false;
    sum = sum * 10 + digit;
  }
  bool any = p > *text;
  *text = p;
  *value = sum;
  return any;
}

static inline const char *trace_blanks(const char *text) {
  while (*text == ' ' || *text == '\t') text++;
  return text;
}

/* Only blanks up to the end of the line?  If so, move behind it. */
static inline bool trace_line_end(const char **text) {
  const char *p = trace_blanks(*text);
  if (*p == '\r') p++;
  *text = p + 1;
  return *p == '\n';
}

/* Skip the line from anywhere in it. */
static inline enum trace_line trace_line_skip(const char **text) {
  *text = (const char *)memchr(*text, '\n', TRACE_WINDOW + 1) + 1;
  return TRACE_LINE_SKIPPED;
}

/* Is `word` next?  If so, move behind it. */
static inline bool trace_word(const char **text, const char *word) {
  const char *p = *text;
  for (; *word; p++, word++)
    if (*p != *word) return false;
  *text = p;
  return true;
}

/* The end of the last complete line in the window, read on where it has none.
 * 1, 0 at the end of the trace, or -1 with the error set. */
int vat_trace_lines_window(struct trace_decoding *decoding, const char **end);
/* Write digits to `to`, at least `least` of them; how many (at most 16). */
size_t vat_trace_put_hex(uint8_t *to, uint64_t value, unsigned least);
size_t vat_trace_put_decimal(uint8_t *to, uint32_t value); /* at most 10 */

/* The line at `text` is bad: say so.  -1. */
int vat_trace_lines_refuse(struct trace_decoding *decoding, const char *text);
unsigned vat_trace_lines_probe(const uint8_t *head, size_t count, bool whole,
                               trace_line_parser *line);

/* Inline so that each format gets a loop around its own parser. */
static inline int trace_lines_decode(struct trace_decoding *decoding,
                                     struct trace_out *out,
                                     trace_line_parser *line) {
  while (out->count + 2 <= out->room) {
    const char *end;
    int found = vat_trace_lines_window(decoding, &end);
    if (found <= 0) return found;
    const char *begin = (const char *)decoding->input.data, *text = begin;
    while (text < end && out->count + 2 <= out->room) {
      const char *next = text;
      if (line(&next, out) == TRACE_LINE_BAD)
        return vat_trace_lines_refuse(decoding, text);
      decoding->lines++;
      text = next;
    }
    trace_input_skip(&decoding->input, (size_t)(text - begin));
  }
  return 0;
}
