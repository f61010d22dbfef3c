/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/layout_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "huge_pages/size_text.h"

/* A hexadecimal bound that ends before `end`. */
static bool take_bound(const char **text, char end, uint64_t *bound) {
  char *after;
  const char *digits = *text;
  if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) digits += 2;
  if (!isxdigit((unsigned char)*digits)) return false;
  errno = 0;
  *bound = strtoull(digits, &after, 16);
  if (errno || after == digits || *after != end) return false;
  *text = after + 1;
  return true;
}

static int add(struct layout_file *file, const struct vat_layout_range *range,
               unsigned line) {
  if (file->count == file->room) {
    size_t room = 2 * file->room + 16;
    void *ranges = reallocarray(file->range, room, sizeof *file->range);
    if (ranges) file->range = ranges;
    void *lines = reallocarray(file->line, room, sizeof *file->line);
    if (lines) file->line = lines;
    if (!ranges || !lines) return -1;
    file->room = room;
  }
  file->range[file->count] = *range;
  file->line[file->count++] = line;
  return 0;
}

/* What is wrong with a line of these two words; NULL: nothing. */
static const char *take_words(struct layout_file *file, const char *what,
                              const char *size, unsigned line) {
  struct vat_layout_range range = {.page_bits = hp_page_bits(size)};
  if (!range.page_bits)
    return "no page size; write a power of two such as 4k, 64k, 2m or 1g";
  if (!strcmp(what, "default")) {
    if (file->default_bits) return "default is given twice; leave one out";
    file->default_bits = range.page_bits;
    return NULL;
  }
  if (!take_bound(&what, '-', &range.start) ||
      !take_bound(&what, '\0', &range.end))
    return "no range; write START-END SIZE with hexadecimal bounds, such as "
           "7f0000000000-7f0000200000 2m, or default SIZE";
  if (range.end <= range.start)
    return "the range ends at its start or before; write START-END, where END "
           "is "
           "the first byte behind it";
  return add(file, &range, line) ? "out of memory" : NULL;
}

/* The same of a whole line. */
static const char *take_line(struct layout_file *file, char *text,
                             unsigned line) {
  static const char blank[] = " \t\r\n";
  char *rest, *words[3] = {0};
  text[strcspn(text, "#")] = '\0';
  words[0] = strtok_r(text, blank, &rest);
  for (int i = 1; i < 3 && words[i - 1]; i++)
    words[i] = strtok_r(NULL, blank, &rest);
  if (!words[0]) return NULL;
  if (!words[1] || words[2])
    return "not two words; write START-END SIZE or default SIZE";
  return take_words(file, words[0], words[1], line);
}

enum { LINE = 4096 };

/* Reads one, without its end.  What is wrong with it, or NULL; `*more` is false
 * at the end of the file. */
static const char *read_line(FILE *text, char line[LINE], bool *more) {
  size_t length = 0;
  int c;
  while ((c = getc(text)) != EOF && c != '\n') {
    if (!c) return "a NUL byte; this is no text";
    if (length == LINE - 1) return "a line of 4096 bytes; this is no layout";
    line[length++] = (char)c;
  }
  line[length] = '\0';
  *more = c != EOF || length;
  return ferror(text) ? strerror(errno) : NULL;
}

int layout_file_parse(struct layout_file *file, FILE *text,
                      char why[LAYOUT_FILE_WHY]) {
  char line[LINE];
  const char *wrong = NULL;
  unsigned number = 0;
  bool more = true;
  *file = (struct layout_file){0};
  while (!wrong && more) {
    number++;
    wrong = read_line(text, line, &more);
    if (!wrong && more) wrong = take_line(file, line, number);
  }
  if (!wrong) return 0;
  snprintf(why, LAYOUT_FILE_WHY, "%u: %s", number, wrong);
  layout_file_fini(file);
  return -1;
}

void layout_file_fini(struct layout_file *file) {
  free(file->range);
  free(file->line);
  *file = (struct layout_file){0};
}

unsigned layout_file_largest(const struct layout_file *file) {
  unsigned most = file->default_bits;
  for (size_t i = 0; i < file->count; i++)
    if (file->range[i].page_bits > most) most = file->range[i].page_bits;
  return most;
}
