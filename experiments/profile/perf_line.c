/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/perf_line.h"

#include <string.h>

#include "vat/trace_lines.h"

/* Words of a line; symbols of C++ may have more, which do not matter. */
enum { WORDS = 64 };

struct word {
  const char *at;
  size_t length, blanks; /* before it */
};

struct words {
  struct word word[WORDS];
  size_t count;
};

static const char *end_of(const struct word *word) {
  return word->at + word->length;
}

static void split(struct words *words, const char *text) {
  words->count = 0;
  while (words->count < WORDS) {
    const char *begin = trace_blanks(text);
    size_t length = strcspn(begin, " \t\r\n");
    if (!length) return;
    words->word[words->count++] =
        (struct word){begin, length, (size_t)(begin - text)};
    text = begin + length;
  }
}

static bool is_decimal(const struct word *word, uint64_t most,
                       uint64_t *value) {
  const char *text = word->at;
  return trace_decimal(&text, most, value) && text == end_of(word);
}

/* perf prints no 0x, but who filters its output may. */
static bool is_hex(const struct word *word, uint64_t *value) {
  const char *text = word->at;
  trace_word(&text, "0x");
  return trace_hex(&text, value) && text == end_of(word);
}

static bool ends_in_colon(const struct word *word) {
  return word->length > 1 && word->at[word->length - 1] == ':';
}

/* 12.345678: */
static bool is_time(const struct word *word) {
  size_t digits = strspn(word->at, "0123456789");
  if (!digits || word->at[digits] != '.' || !ends_in_colon(word)) return false;
  return digits + 2 + strspn(word->at + digits + 1, "0123456789") ==
         word->length;
}

/* pid/tid, or one of them. */
static bool is_thread(const struct word *word, uint64_t *tid) {
  const char *slash = memchr(word->at, '/', word->length);
  struct word last = *word;
  uint64_t pid;
  if (slash) {
    struct word first = {word->at, (size_t)(slash - word->at), 0};
    last = (struct word){slash + 1, (size_t)(end_of(word) - slash) - 1, 0};
    if (!is_decimal(&first, UINT32_MAX, &pid)) return false;
  }
  return is_decimal(&last, UINT32_MAX, tid);
}

/* The last word before `end` that can be one; [003] is a processor. */
static uint64_t thread_of(const struct words *words, size_t end) {
  uint64_t tid = 0;
  if (end && words->word[end - 1].at[0] == '[') end--;
  return end && is_thread(&words->word[end - 1], &tid) ? tid : 0;
}

/* Where the time and the event lead: the word with the period, and the one with
 * the address; false with `*why`. */
static bool find_period(const struct words *words, size_t *period,
                        size_t *address, size_t *head, const char **why) {
  const struct word *word = words->word;
  size_t time = 0, event = 0, count = words->count;
  while (time < count && !is_time(&word[time])) time++;
  if (time < count) {
    event = time + 1;
    if (event < count && ends_in_colon(&word[event])) {
      *why = "no period before the event";
      return false;
    }
    *head = time;
    *period = time + 1;
    *address = time + 2;
    if (*address < count && ends_in_colon(&word[*address])) ++*address;
    return true;
  }
  while (event < count && !ends_in_colon(&word[event])) event++;
  *why = event == count ? "neither a time nor an event" : "no period";
  if (event == count || !event) return false;
  *head = *period = event - 1;
  *address = event + 1;
  return true;
}

/* Of some events, such as page faults, perf names what the address is in, too:
 * "5638909e4548 [unknown] (/usr/bin/sort) ffffffff817554ea ...". */
static size_t behind_names(const struct words *words, size_t at) {
  const struct word *word = words->word;
  uint64_t value;
  if (at >= words->count || is_hex(&word[at], &value)) return at;
  while (at < words->count && word[at].at[0] != '(') at++;
  while (at < words->count && word[at].at[word[at].length - 1] != ')') at++;
  return at + 1;
}

/* Behind what data_src says: "5080144 |OP LOAD|LVL L1 hit|LCK No|BLK  N/A". */
static size_t behind_source(const struct words *words, size_t at) {
  size_t last = 0;
  uint64_t value;
  if (at + 1 >= words->count || words->word[at + 1].at[0] != '|') return at;
  for (size_t i = at + 1; i < words->count && words->word[i].at[0] != '('; i++)
    if (memchr(words->word[i].at, '|', words->word[i].length)) last = i;
  for (at = last + 1; at < words->count; at++)
    if (is_hex(&words->word[at], &value)) return at;
  return at;
}

/* The last number, with a weight before it or not; a symbol that looks like one
 * has but one blank before it. */
static bool find_ip(const struct words *words, size_t at, size_t *ip) {
  uint64_t value;
  size_t end = at;
  while (end < words->count && is_hex(&words->word[end], &value)) end++;
  if (end - at > 1) {
    const struct word *last = &words->word[end - 1], *before = last - 1;
    bool column = before->blanks > 1 || before->length == 16;
    if (last->blanks == 1 && last->length < 16 && column) end--;
  }
  *ip = end - 1;
  return end > at;
}

/* The last " (" of the line, but for that of "(/path (deleted))". */
static const char *object_at(const char *text, const char *end) {
  const char *found = NULL;
  for (const char *p = text; p + 1 < end; p++)
    if (p[0] == ' ' && p[1] == '(' &&
        strncmp(p + 2, "deleted)", strlen("deleted)")) != 0)
      found = p + 1;
  return found;
}

static void take_object(struct perf_line *line, const char *at,
                        const char *end) {
  const char *close = memrchr(at, ')', (size_t)(end - at));
  if (!close) close = end;
  line->object = at + 1;
  line->object_length = (size_t)(close - at) - 1;
  const char *size = trace_blanks(close < end ? close + 1 : close);
  size_t digits = strspn(size, "0123456789");
  line->large = digits && strchr("MG", size[digits]) && size[digits];
}

/* Symbol, object and size of the page, as far as they are there. */
static void take_names(struct perf_line *line, const char *text) {
  const char *end = text + strcspn(text, "\r\n");
  const char *object = object_at(text - 1, end);
  const char *begin = trace_blanks(text);
  const char *stop = object ? object : end;
  const char *offset = NULL;
  if (object) take_object(line, object, end);
  while (stop > begin && (stop[-1] == ' ' || stop[-1] == '\t')) stop--;
  for (const char *p = begin; p + 2 < stop; p++)
    if (!strncmp(p, "+0x", 3)) offset = p;
  if (offset && offset > begin) stop = offset;
  if (stop <= begin || !strncmp(begin, "[unknown]", 9)) return;
  line->symbol = begin;
  line->symbol_length = (size_t)(stop - begin);
}

static bool has(const char *text, const char *word) {
  return memmem(text, strcspn(text, "\n"), word, strlen(word)) != NULL;
}

enum perf_line_kind perf_line_parse(const char *text, struct perf_line *line,
                                    const char **why) {
  struct words words;
  size_t period, address, head, ip;
  *line = (struct perf_line){.symbol = "", .object = ""};
  split(&words, text);
  if (!words.count || words.word[0].at[0] == '#') return PERF_LINE_EMPTY;
  if (has(text, "PERF_RECORD_LOST")) return PERF_LINE_LOST;
  if (has(text, "PERF_RECORD_") || !strncmp(text, "Warning:", 8))
    return PERF_LINE_EMPTY;
  if (!find_period(&words, &period, &address, &head, why)) return PERF_LINE_BAD;
  *why = "the period is no number of accesses";
  if (period >= words.count ||
      !is_decimal(&words.word[period], PERF_PERIOD_MOST, &line->period) ||
      !line->period)
    return PERF_LINE_BAD;
  *why = "no address behind the period";
  if (address >= words.count || !is_hex(&words.word[address], &line->address))
    return PERF_LINE_BAD;
  *why = "no ip behind the address";
  address = behind_names(&words, address + 1);
  if (!find_ip(&words, behind_source(&words, address), &ip))
    return PERF_LINE_BAD;
  is_hex(&words.word[ip], &line->ip);
  line->tid = thread_of(&words, head);
  take_names(line, end_of(&words.word[ip]));
  return PERF_LINE_SAMPLE;
}
