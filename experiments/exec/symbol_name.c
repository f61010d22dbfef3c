/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/symbol_name.h"

#include <stddef.h>
#include <string.h>

/* "4make" of a mangled name (Itanium C++ ABI, 5.1.3): its length and letters,
 * which `*at` is moved behind.  NULL: no such name. */
static const char *source_name(const char **at, size_t *length) {
  const char *c = *at;
  size_t count = 0;
  for (; *c >= '0' && *c <= '9' && count < 4096; c++)
    count = count * 10 + (size_t)(*c - '0');
  if (!count || strlen(c) < count) return NULL;
  *length = count;
  *at = c + count;
  return c;
}

/* The names of a mangled one as "a::b::c"; templates and operators end it. */
static void join(const char *at, char *text, size_t size) {
  const char *name;
  size_t used = 0, length;
  *text = '\0';
  if (*at == 'N') at++;
  while (*at && strchr("rVKRO", *at)) at++;
  if (*at == 'L') at++;
  while ((name = source_name(&at, &length)) && used + length + 3 < size) {
    if (used) text[used++] = ':', text[used++] = ':';
    memcpy(text + used, name, length);
    used += length;
    text[used] = '\0';
  }
}

size_t symbol_stem(const char *symbol) {
  size_t length = strcspn(symbol, ".");
  return length ? length : strlen(symbol);
}

bool symbol_is(const char *symbol, const char *name) {
  char text[512];
  size_t length = strlen(name);
  if (!length) return false;
  if (!strncmp(symbol, name, length) &&
      (!symbol[length] || symbol[length] == '.'))
    return true;
  if (strncmp(symbol, "_Z", 2)) return false;
  join(symbol + 2, text, sizeof text);
  size_t all = strlen(text);
  if (all < length || strcmp(text + all - length, name)) return false;
  return all == length || text[all - length - 1] == ':';
}
