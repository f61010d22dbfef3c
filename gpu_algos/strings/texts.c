/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/strings/texts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"
#include "cpu_algos/say.h"
#include "gpu_algos/strings/suffixes.h"
#include "gpu_algos/words.h"

const char *const gpu_text_generators[] = {"length-16", "length-4", "length-64",
                                           NULL};
static const unsigned char kinds[] = "ACGT";
enum { LEAST_LENGTH = 4 };

/* How many letters and queries: of words, they take so many. */
struct extent {
  uint64_t letters, sought, queries, sought_words;
};

static uint64_t length_of(const struct algo_run *run) {
  const char *name = run->generator ? run->generator : *gpu_text_generators;
  return strtoull(strrchr(name, '-') + 1, NULL, 10);
}

/* Of n letters of queries of that length; the last one may have fewer. */
static struct extent extent_of(uint64_t n, uint64_t length) {
  uint64_t queries = (n + length - 1) / length;
  return (struct extent){n, n, queries, n / 4 + queries};
}

static struct extent extent_given(const struct algo_data *given) {
  const struct algo_data *queries = given->next;
  return (struct extent){given->rows, queries->rows, queries->cols,
                         queries->rows / 4 + queries->cols};
}

static struct extent extent(uint64_t n, uint64_t length,
                            const struct algo_data *given) {
  return given ? extent_given(given) : extent_of(n, length);
}

static uint64_t text_words(const struct extent *e) {
  return gpu_words_padded(e->letters / 4 + 2);
}

uint64_t gpu_text_words(uint64_t n, const struct algo_data *given) {
  struct extent e = extent(n, LEAST_LENGTH, given);
  return text_words(&e) + 2 * gpu_words_padded(2 * e.queries) +
         gpu_words_padded(e.sought_words) + gpu_words_padded(e.letters);
}

bool gpu_text_fits(uint64_t n, const struct algo_data *given) {
  struct extent e = extent(n, LEAST_LENGTH, given);
  return e.letters < GPU_WORDS_MAX && e.sought < GPU_WORDS_MAX;
}

uint64_t gpu_text_size(uint64_t n, const struct algo_data *given) {
  return extent(n, LEAST_LENGTH, given).letters;
}

double gpu_text_ops(const struct algo_data *given) {
  return cpu_ops_linear(given->next->rows);
}

/* The number of each letter of the text, 0 of others; returns how many. */
static unsigned number_letters(const struct algo_data *given,
                               unsigned char numbers[256]) {
  const unsigned char *letters = given ? given->items : kinds;
  uint64_t count = given ? given->rows : sizeof kinds - 1;
  unsigned found = 0;
  memset(numbers, 0, 256);
  for (uint64_t i = 0; i < count; i++) numbers[letters[i]] = 1;
  for (unsigned i = 0; i < 256; i++)
    if (numbers[i]) numbers[i] = (unsigned char)++found;
  return found;
}

unsigned gpu_text_alphabet(const struct algo_data *given) {
  unsigned char numbers[256];
  return number_letters(given, numbers);
}

/* The fingerprint is how many kinds of letters there are, since a run may not
 * look for them. */
struct gpu_text gpu_text_of(const struct algo_run *run) {
  struct extent e = extent(run->n, length_of(run), run->given);
  struct gpu_text text = {.letters = (uint32_t)e.letters,
                          .alphabet = (uint32_t)run->fingerprint[0],
                          .queries = (uint32_t)e.queries,
                          .text = (uint32_t *)(void *)run->memory};
  text.bounds = text.text + text_words(&e);
  text.found = text.bounds + gpu_words_padded(2 * e.queries);
  text.sought = text.found + gpu_words_padded(2 * e.queries);
  text.suffixes = text.sought + gpu_words_padded(e.sought_words);
  text.behind = text.suffixes + gpu_words_padded(e.letters);
  return text;
}

static void put_letter(uint32_t *words, uint64_t i, unsigned number) {
  words[i / 4] |= (uint32_t)number << (24 - 8 * (i % 4));
}

/* Letter i of the generated text, as a byte. */
static unsigned char text_letter(const struct algo_run *run, uint64_t i) {
  return kinds[cpu_random_at(run->seed, i) >> 62];
}

/* Letter i of a query: every second one is cut out of the text, as far as that
 * goes. */
static unsigned char query_letter(const struct algo_run *run, uint64_t query,
                                  uint64_t i) {
  uint64_t seed = cpu_keys_seed(run->seed, 1);
  uint64_t bits = cpu_random_at(seed, query);
  uint64_t at = cpu_random_take(&bits, run->n) + i;
  if (query % 2 == 0 && at < run->n) return text_letter(run, at);
  return kinds[cpu_random_at(~seed, query * UINT32_MAX + i) >> 62];
}

static void put_generated(const struct algo_run *run, struct gpu_text *text,
                          const unsigned char numbers[256]) {
  uint64_t length = length_of(run), word = 0;
  for (uint64_t q = 0; q < text->queries; q++) {
    uint64_t left = run->n - q * length,
             letters = left < length ? left : length;
    text->bounds[2 * q] = (uint32_t)word;
    text->bounds[2 * q + 1] = (uint32_t)letters;
    for (uint64_t i = 0; i < letters; i++)
      put_letter(text->sought + word, i, numbers[query_letter(run, q, i)]);
    word += (letters + 3) / 4;
  }
}

/* A query ends at the end of a line. */
static void put_given(const struct algo_data *queries, struct gpu_text *text,
                      const unsigned char numbers[256]) {
  const unsigned char *at = queries->items;
  uint64_t word = 0;
  for (uint64_t q = 0; q < text->queries; q++) {
    uint64_t letters = 0;
    for (; at[letters] != '\n'; letters++)
      put_letter(text->sought + word, letters, numbers[at[letters]]);
    text->bounds[2 * q] = (uint32_t)word;
    text->bounds[2 * q + 1] = (uint32_t)letters;
    word += (letters + 3) / 4;
    at += letters + 1;
  }
}

void gpu_text_setup(struct algo_run *run, uint32_t *scratch) {
  unsigned char numbers[256], *bytes = (unsigned char *)scratch;
  memset(run->memory, 0, run->bytes);
  run->fingerprint[0] = number_letters(run->given, numbers);
  struct gpu_text text = gpu_text_of(run);
  for (uint64_t i = 0; i < text.letters; i++) {
    const unsigned char *given = run->given ? run->given->items : NULL;
    bytes[i] = given ? given[i] : text_letter(run, i);
    put_letter(text.text, i, numbers[bytes[i]]);
  }
  if (run->given)
    put_given(run->given->next, &text, numbers);
  else
    put_generated(run, &text, numbers);
  if (text.letters)
    gpu_suffix_array(bytes, text.letters, text.suffixes,
                     scratch + text.letters / 4 + 1);
  gpu_text_restore(run);
}

void gpu_text_restore(struct algo_run *run) {
  struct gpu_text text = gpu_text_of(run);
  memset(text.found, 0xff, 2 * sizeof(uint32_t) * text.queries);
}

void gpu_text_answer(const struct algo_run *run, struct algo_data *answer) {
  static struct algo_data suffixes;
  struct gpu_text text = gpu_text_of(run);
  suffixes = (struct algo_data){.count = text.letters, .items = text.suffixes};
  *answer = (struct algo_data){
      .count = text.queries, .items = text.found, .next = &suffixes};
}

/* A query that has a letter of number 0, or none. */
static const char *refuse_queries(const struct algo_data *queries,
                                  const unsigned char numbers[256]) {
  const unsigned char *at = queries->items;
  for (uint64_t q = 0; q < queries->cols; q++, at++) {
    const unsigned char *first = at;
    for (; *at != '\n'; at++)
      if (!numbers[*at])
        return cpu_say(*at > ' ' && *at <= '~'
                           ? "query %" PRIu64
                             " has the letter '%c', which is none "
                             "of the text's"
                           : "query %" PRIu64
                             " has a byte %d, which is none of the "
                             "text's letters",
                       q, *at);
    if (at > first) continue;
    return cpu_say("query %" PRIu64 " is empty; leave its line out", q);
  }
  return NULL;
}

const char *gpu_text_refuse(const struct algo_data *given) {
  unsigned char numbers[256];
  if (!given->next) return "what is sought is missing: name it by --queries";
  if (!given->next->cols) return "there are no queries; write one a line";
  unsigned alphabet = number_letters(given, numbers);
  if (alphabet > GPU_TEXT_LETTERS)
    return "the text has all 256 bytes as letters; 255 are the most";
  return refuse_queries(given->next, numbers);
}
