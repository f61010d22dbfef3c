/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text of any bytes, and what is sought in it, one a line of a file of its
 * own; where each is found is the answer.
 *
 * Items are eight letters each, the last filled up with zeros; `rows` counts
 * letters, and `cols` queries, of which each is followed by an LF. */
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"
#include "experiments/data/data_sink.h"
#include "experiments/data/data_source.h"

enum { PER_ITEM = sizeof(uint64_t) };

/* Put a letter behind `letters` others. */
static int put_letter(struct data_source *source, struct data_array *text,
                      uint64_t letters, char letter) {
  if (letters % PER_ITEM == 0 && data_push(source, text, 0)) return -1;
  ((char *)text->items)[letters] = letter;
  return 0;
}

/* All of the file, but for one end of a line at its end. */
static int read_letters(struct data_source *source, struct data_array *text,
                        uint64_t *letters) {
  int end;
  while (!(end = data_at_end(source)))
    while (source->at < source->end) {
      if (put_letter(source, text, *letters, source->buffer[source->at]))
        return -1;
      source->at++;
      ++*letters;
    }
  return end < 0 ? -1 : 0;
}

/* Keep as many, and zeros behind them. */
static void cut(struct data_array *text, uint64_t letters) {
  size_t items = (letters + PER_ITEM - 1) / PER_ITEM;
  memset((char *)text->items + letters, 0, text->count * PER_ITEM - letters);
  text->count = items;
}

static int read_text(struct data_source *source, struct algo_data *part) {
  struct data_array text = {0};
  uint64_t letters = 0;
  source->line = 0; /* it has none */
  int failed = read_letters(source, &text, &letters);
  const char *bytes = (const char *)text.items;
  if (letters && bytes[letters - 1] == '\n') {
    letters--;
    if (letters && bytes[letters - 1] == '\r') letters--;
    cut(&text, letters);
  }
  data_give(&text, part);
  part->rows = letters;
  return failed;
}

/* Without the CR of a CR LF. */
static void tidy_lines(struct data_array *lines, uint64_t bytes,
                       struct algo_data *part) {
  char *line = (char *)lines->items;
  uint64_t kept = 0;
  for (uint64_t i = 0; i < bytes; i++) {
    if (line[i] == '\r' && i + 1 < bytes && line[i + 1] == '\n') continue;
    if (line[i] == '\n') part->cols++;
    line[kept++] = line[i];
  }
  part->rows = kept - part->cols;
  if (bytes) cut(lines, kept);
}

static int read_queries(struct data_source *source, struct algo_data *part) {
  struct data_array lines = {0};
  uint64_t bytes = 0;
  int failed = read_letters(source, &lines, &bytes);
  if (!failed && bytes && ((const char *)lines.items)[bytes - 1] != '\n')
    failed = put_letter(source, &lines, bytes++, '\n');
  if (!failed) tidy_lines(&lines, bytes, part);
  data_give(&lines, part);
  return failed;
}

static int compare_places(const void *left, const void *right) {
  return order_words(*(const uint32_t *)left, *(const uint32_t *)right);
}

/* answer->next has the places that all suffixes begin at; those of a query are
 * some that follow each other, from one number up to before another. */
static void write_matches(struct data_sink *sink,
                          const struct algo_data *answer) {
  const uint32_t *found = answer->items, *suffixes = answer->next->items;
  uint32_t *places = memory_get((answer->next->count + 1) * sizeof *places);
  for (uint64_t i = 0; data_put_next(sink, i, answer->count); i++) {
    uint32_t first = found[2 * i], count = found[2 * i + 1] - first;
    memcpy(places, suffixes + first, count * sizeof *places);
    qsort(places, count, sizeof *places, compare_places);
    data_put_u64(sink, i, ":");
    for (uint32_t k = 0; k < count; k++) {
      data_put_text(sink, " ");
      data_put_u64(sink, places[k], "");
    }
    data_put_text(sink, "\n");
  }
  free(places);
}

const struct data_kind data_text = {
    .name = "text",
    .words = 1,
    .one_way = true,
    .read = read_text,
    .read_queries = read_queries,
    .write = write_matches,
};
