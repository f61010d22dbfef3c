/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/size_text.c -- sizes as text, and names of page sizes. */
#include "huge_pages/size_text.h"

#include <config.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "huge_pages/region.h"

static const struct {
  size_t bytes;
  const char *word;
  char letter;
} units[] = {
    {(size_t)1 << 30, "GiB", 'g'},
    {(size_t)1 << 20, "MiB", 'm'},
    {(size_t)1 << 10, "KiB", 'k'},
};
enum { UNITS = sizeof units / sizeof *units };

const char *hp_size_text(size_t bytes, char text[HP_SIZE_TEXT]) {
  size_t u = 0;
  while (u < UNITS && bytes < units[u].bytes) u++;
  if (u == UNITS)
    snprintf(text, HP_SIZE_TEXT, "%zu bytes", bytes);
  else if (bytes % units[u].bytes == 0)
    snprintf(text, HP_SIZE_TEXT, "%zu %s", bytes / units[u].bytes,
             units[u].word);
  else
    snprintf(text, HP_SIZE_TEXT, "%.1f %s",
             (double)bytes / (double)units[u].bytes, units[u].word);
  return text;
}

const char *hp_page_name(size_t page_bytes, char name[HP_NAME_SIZE]) {
  char text[HP_SIZE_TEXT] = "";
  size_t u = 0;
  while (u < UNITS && (!page_bytes || page_bytes % units[u].bytes)) u++;
  if (u == UNITS)
    snprintf(text, sizeof text, "%zu", page_bytes);
  else
    snprintf(text, sizeof text, "%zu%c", page_bytes / units[u].bytes,
             units[u].letter);
  /* No size of a page fills a name; any other number is cut. */
  memcpy(name, text, HP_NAME_SIZE - 1);
  name[HP_NAME_SIZE - 1] = '\0';
  return name;
}

size_t hp_page_bytes(const char *name) {
  static const char letters[] = "kmgt";
  if (!isdigit((unsigned char)*name)) return 0;
  char *end;
  unsigned long long count = strtoull(name, &end, 10);
  const char *unit = *end ? strchr(letters, *end) : NULL;
  if (!unit || end[1] || !count || count > 1u << 20) return 0;
  return (size_t)count << (10 * (unit - letters + 1));
}

unsigned hp_page_bits(const char *name) {
  size_t bytes = hp_page_bytes(name);
  return bytes && !(bytes & (bytes - 1)) ? (unsigned)__builtin_ctzll(bytes) : 0;
}
