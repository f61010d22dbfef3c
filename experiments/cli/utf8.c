/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/utf8.h"

#include <stdbool.h>
#include <string.h>

static bool continues(unsigned char byte) { return (byte & 0xc0) == 0x80; }

/* Unicode 15, table 3-7: the second byte keeps out what is too long, too large
 * or half a pair of UTF-16. */
static bool may_follow(unsigned char first, unsigned char second) {
  unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return second >= least && second <= most;
}

size_t utf8_length(const char *text) {
  const unsigned char *byte = (const unsigned char *)text;
  if (*byte < 0x80) return *byte > 0;
  if (*byte < 0xc2 || *byte > 0xf4 || !may_follow(byte[0], byte[1])) return 0;
  size_t length = *byte < 0xe0 ? 2 : *byte < 0xf0 ? 3 : 4;
  for (size_t i = 2; i < length; i++)
    if (!continues(byte[i])) return 0;
  return length;
}

int utf8_width(const char *text) {
  int width = 0;
  for (; *text; width++) text += utf8_length(text) ? utf8_length(text) : 1;
  return width;
}

/* U+FFFE and U+FFFF, which XML 1.0, section 2.2, leaves out. */
static bool is_none_of_xml(const char *text) {
  return !strncmp(text, "\357\277\276", 3) || !strncmp(text, "\357\277\277", 3);
}

size_t utf8_print(FILE *out, const char *text) {
  size_t length = utf8_length(text);
  if (length && !is_none_of_xml(text)) {
    fwrite(text, 1, length, out);
    return length;
  }
  fputs("\357\277\275", out);
  for (length = 1; continues((unsigned char)text[length]);) length++;
  return length;
}

void utf8_trim(char *text) {
  size_t length;
  while ((length = utf8_length(text))) text += length;
  *text = '\0';
}
