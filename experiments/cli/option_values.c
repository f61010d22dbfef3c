/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/numbers.h"
#include "experiments/cli/option_row.h"

static bool in_range(const struct option_row *row, uint64_t value) {
  return value >= row->least && (!row->most || value <= row->most);
}

static int store_whole(const struct option_row *row, void *at, uint64_t value) {
  if (row->bytes == sizeof(uint64_t))
    *(uint64_t *)at = value;
  else
    *(uint32_t *)at = (uint32_t)value;
  return VAT_OK;
}

/* Beyond, a limit says nothing to who reads it: there is none. */
#define LIMIT_MAX (UINT64_C(1) << 48)

static bool has_limit(const struct option_row *row) {
  return row->most && row->most <= LIMIT_MAX;
}

/* "of at least 1M", "from 1 to 64": fills `text` and returns it. */
static const char *range_text(const struct option_row *row, char text[64]) {
  bool mega = row->least && row->least % (1 << 20) == 0;
  if (has_limit(row))
    snprintf(text, 64, "from %" PRIu64 " to %" PRIu64, row->least, row->most);
  else
    snprintf(text, 64, "of at least %" PRIu64 "%s",
             mega ? row->least >> 20 : row->least, mega ? "M" : "");
  return text;
}

/* Whole numbers are of 64 bits where the row has no limit. */
static int set_whole(const struct option_row *row, void *at, const char *text) {
  bool size = row->type == OPTION_SIZE;
  uint64_t value = 0;
  char range[64];
  int bad = size ? size_parse(text, &value) : whole_number_parse(text, &value);
  bool large = bad ? errno == ERANGE : row->most && value > row->most;
  if (!bad && in_range(row, value)) return store_whole(row, at, value);
  if (large && !has_limit(row))
    return fail(VAT_USAGE, "--%s %s: too large", row->name, text);
  if (has_limit(row) || row->least)
    return fail(VAT_USAGE, "--%s %s: not a %snumber %s", row->name, text,
                size ? "" : "whole ", range_text(row, range));
  return fail(
      VAT_USAGE,
      size
          ? "--%s %s: not a size; write 65536, 2^20, 1e6 or 4M, for example"
          : "--%s %s: not a number of 64 bits; write it in decimal or as 0x...",
      row->name, text);
}

static int set_real(const struct option_row *row, double *at,
                    const char *text) {
  double value;
  if (real_parse(text, &value) || value < row->low ||
      (row->high > 0 && value > row->high))
    return fail(VAT_USAGE, "--%s %s: not a number from %g to %g", row->name,
                text, row->low, row->high);
  *at = value;
  return VAT_OK;
}

/* "lru|min" as "lru or min". */
static int refuse_choice(const struct option_row *row, const char *text) {
  char list[200] = "";
  size_t used = 0;
  for (const char *word = row->value, *end; *word; word = end + (*end == '|')) {
    end = strchrnul(word, '|');
    const char *before = word == row->value ? "" : *end ? ", " : " or ";
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s", before,
                             (int)(end - word), word);
  }
  return fail(VAT_USAGE, "--%s %s: must be %s", row->name, text, list);
}

static int set_choice(const struct option_row *row, void *at,
                      const char *text) {
  int number = 0;
  for (const char *word = row->value;; number++) {
    size_t length = strcspn(word, "|");
    if (strlen(text) == length && !strncmp(text, word, length)) break;
    if (!word[length]) return refuse_choice(row, text);
    word += length + 1;
  }
  if (row->bytes == sizeof(int))
    *(int *)at = number;
  else
    *(const char **)at = text;
  return VAT_OK;
}

static int set_texts(const struct option_row *row, struct option_texts *texts,
                     const char *text) {
  if (row->items && texts->count == row->items)
    return fail(VAT_USAGE, "--%s %s: more than %zu", row->name, text,
                row->items);
  const char **at = memory_grow(texts->at, texts->count + 2, sizeof *at);
  texts->at = at;
  at[texts->count++] = text;
  at[texts->count] = NULL;
  return VAT_OK;
}

static int set_sizes(const struct option_row *row, struct sizes *sizes,
                     const char *text) {
  char error[256], range[64];
  free(sizes->at);
  if (sizes_parse(text, sizes, error, sizeof error))
    return fail(VAT_USAGE, "--%s %s", row->name, error);
  if (row->items && sizes->count > row->items)
    return fail(VAT_USAGE,
                "--%s %s: %zu numbers, the maximum is %zu; give fewer",
                row->name, text, sizes->count, row->items);
  if (in_range(row, sizes->at[0]) && in_range(row, sizes->at[sizes->count - 1]))
    return VAT_OK;
  if (!has_limit(row) && sizes->at[0] >= row->least)
    return fail(VAT_USAGE, "--%s %s: too large", row->name, text);
  return fail(VAT_USAGE, "--%s %s: not numbers %s", row->name, text,
              range_text(row, range));
}

static int set_numbers(const struct option_row *row, struct numbers *numbers,
                       const char *text) {
  char error[256];
  bool whole = row->type == OPTION_WHOLE_NUMBERS;
  free(numbers->at);
  if (numbers_parse(text, row->low, whole, numbers, error, sizeof error))
    return fail(VAT_USAGE, "--%s %s", row->name, error);
  for (size_t i = 0; row->high > 0 && i < numbers->count; i++)
    if (numbers->at[i] > row->high)
      return fail(VAT_USAGE, "--%s %s: not numbers from %g to %g", row->name,
                  text, row->low, row->high);
  return VAT_OK;
}

int option_value_set(const struct option_row *row, void *request,
                     const char *text) {
  void *at = (char *)request + row->at;
  switch (row->type) {
    case OPTION_FLAG:
      *(bool *)at = true;
      return VAT_OK;
    case OPTION_FILE:
    case OPTION_TEXT:
      if (row->type == OPTION_FILE && !*text)
        return fail(VAT_USAGE, "--%s: '' is not a usable file name", row->name);
      *(const char **)at = text;
      return VAT_OK;
    case OPTION_TEXTS:
      return set_texts(row, at, text);
    case OPTION_CHOICE:
      return set_choice(row, at, text);
    case OPTION_WHOLE:
    case OPTION_SIZE:
      return set_whole(row, at, text);
    case OPTION_REAL:
      return set_real(row, at, text);
    case OPTION_SIZES:
      return set_sizes(row, at, text);
    case OPTION_NUMBERS:
    case OPTION_WHOLE_NUMBERS:
      return set_numbers(row, at, text);
    default:
      return row->set(at, row->name, text);
  }
}

int option_items(void *at, const char *option, const char *list,
                 int (*take)(void *at, const char *option, const char *item)) {
  char *copy = memory_text(list), *rest = copy;
  int code = VAT_OK;
  while (!code && rest) code = take(at, option, strsep(&rest, ","));
  free(copy);
  return code;
}

void option_value_fini(const struct option_row *row, void *request) {
  void **at = (void *)((char *)request + row->at);
  bool list = row->type == OPTION_TEXTS || row->type == OPTION_SIZES ||
              row->type == OPTION_NUMBERS || row->type == OPTION_WHOLE_NUMBERS;
  if (!list || !row->name || row->other_name) return;
  free(*at);
  *at = NULL;
}
