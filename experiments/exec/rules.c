/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/rules.h"

#include <string.h>

bool rules_next(const char **text, struct rules_entry *entry) {
  const char *at = *text;
  while (*at == ';') at++;
  entry->count = 0;
  if (!*at) return false;
  while (*at && *at != ';') {
    const char *start = at;
    while (*at && *at != ';' && *at != ':') at++;
    if (entry->count < RULES_WORDS)
      entry->word[entry->count++] =
          (struct rules_word){start, (size_t)(at - start)};
    if (*at == ':') at++;
  }
  *text = at;
  return true;
}

bool rules_is(const struct rules_word *word, const char *text) {
  return strlen(text) == word->length && !strncmp(word->at, text, word->length);
}

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

uint64_t rules_number(const struct rules_word *word) {
  uint64_t value = 0;
  for (size_t i = 0; i < word->length; i++) {
    int next = digit(word->at[i]);
    if (next < 0) return 0;
    value = value * 16 + (uint64_t)next;
  }
  return value;
}

void rules_decode(const struct rules_word *word, char *text, size_t size) {
  size_t used = 0;
  for (size_t i = 0; i < word->length && used + 1 < size; i++) {
    char c = word->at[i];
    if (c == '%' && i + 2 < word->length) {
      c = (char)(digit(word->at[i + 1]) * 16 + digit(word->at[i + 2]));
      i += 2;
    }
    text[used++] = c;
  }
  if (size) text[used] = '\0';
}

static void read_file(struct rules_file files[RULES_FILES], unsigned *count,
                      const struct rules_entry *entry, int choice) {
  if (*count == RULES_FILES) return;
  struct rules_file *file = &files[(*count)++];
  file->choice = choice;
  file->name[0] = '\0';
  if (entry->count > 2) rules_decode(&entry->word[2], file->name, RULES_NAME);
}

static void set_shared(struct rules *rules, int choice, uint64_t least) {
  rules->shared = choice;
  rules->shared_least = least;
}

/* Of an entry that has a choice. */
static void read_entry(struct rules *rules, const struct rules_entry *entry,
                       int choice) {
  const struct rules_word *what = &entry->word[0];
  uint64_t least = entry->count > 2 ? rules_number(&entry->word[2]) : 0;
  if (rules_is(what, "mappings")) {
    rules->mappings = choice;
    rules->least = least;
    if (rules->shared == RULES_NONE) set_shared(rules, choice, least);
  } else if (rules_is(what, "shared")) {
    set_shared(rules, choice, least);
  } else if (rules_is(what, "data")) {
    rules->data = choice;
  } else if (rules_is(what, "stack")) {
    rules->stack = choice;
  } else if (rules_is(what, "heap")) {
    rules->heap = choice;
  } else if (rules_is(what, "file")) {
    if (entry->count > 2) read_file(rules->file, &rules->files, entry, choice);
  } else if (rules_is(what, "text")) {
    read_file(rules->text, &rules->texts, entry, choice);
  }
  if (rules->choices <= (unsigned)choice) rules->choices = (unsigned)choice + 1;
}

void rules_read(struct rules *rules, const char *text) {
  struct rules_entry entry;
  *rules = (struct rules){.mappings = RULES_NONE,
                          .data = RULES_NONE,
                          .stack = RULES_NONE,
                          .heap = RULES_NONE,
                          .shared = RULES_NONE};
  while (rules_next(&text, &entry)) {
    bool other =
        rules_is(&entry.word[0], "object") || rules_is(&entry.word[0], "name");
    if (other || entry.count < 2) continue;
    uint64_t choice = rules_number(&entry.word[1]);
    if (choice < RULES_CHOICES) read_entry(rules, &entry, (int)choice);
  }
}
