/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/data/data_source.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/memory.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/size_text.h"

enum { BUFFER = 1 << 20, PACKED = 1 << 18 };

int data_refuse(struct data_source *source, const char *format, ...) {
  char what[DATA_ERROR], line[32] = "";
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  if (source->line)
    snprintf(line, sizeof line, ":%llu", (unsigned long long)source->line);
  snprintf(source->error, DATA_ERROR, "%.200s%s: %.260s", source->path, line,
           what);
  errno = EINVAL;
  return -1;
}

int data_source_open(struct data_source *source, const char *path, bool binary,
                     char *error) {
  bool standard = !strcmp(path, "-");
  struct stat file;
  *source = (struct data_source){.path = standard ? "standard input" : path,
                                 .binary = binary,
                                 .error = error,
                                 .fd = STDIN_FILENO};
  progress_init(&source->progress);
  if (!standard) source->fd = open(path, O_RDONLY | O_CLOEXEC);
  if (source->fd < 0 || fstat(source->fd, &file))
    return data_refuse(source, "%s", strerror(errno));
  if (S_ISREG(file.st_mode)) source->size = (uint64_t)file.st_size;
  source->buffer = memory_get(BUFFER + 1);
  source->line = !binary;
  return 0;
}

void data_source_close(struct data_source *source) {
  progress_clear(&source->progress);
  if (source->fd > STDIN_FILENO) close(source->fd);
  if (source->unpacking) source->unpacker->destroy(source->unpacking);
  free(source->packed);
  free(source->buffer);
}

static void show_progress(struct data_source *source) {
  char label[32];
  snprintf(label, sizeof label, "reading %.23s", source->path);
  if (source->size)
    progress_draw_part(&source->progress,
                       (double)source->bytes / (double)source->size,
                       source->progress.start_s, label);
}

/* 0: there are no more. */
static ssize_t read_some(struct data_source *source, char *to, size_t room) {
  ssize_t got;
  do got = read(source->fd, to, room);
  while (got < 0 && errno == EINTR);
  if (got < 0) {
    source->line = 0;
    return data_refuse(source, "%s", strerror(errno));
  }
  source->bytes += (uint64_t)got;
  return got;
}

void data_unpack_by(struct data_source *source,
                    const struct data_unpacker *unpacker, void *unpacking) {
  size_t there = source->end - source->at;
  source->unpacker = unpacker;
  source->unpacking = unpacking;
  source->packed = memory_get(there < PACKED ? PACKED : there);
  memcpy(source->packed, source->buffer + source->at, there);
  source->packed_end = there;
  source->packed_ended = source->ended;
  source->at = source->end = 0;
  source->ended = false;
}

int data_refill(struct data_source *source) {
  if (source->packed_at < source->packed_end || source->packed_ended) return 0;
  ssize_t got = read_some(source, (char *)source->packed, PACKED);
  if (got < 0) return -1;
  source->packed_at = 0;
  source->packed_end = (size_t)got;
  source->packed_ended = !got;
  return 0;
}

int data_fill(struct data_source *source) {
  source->end -= source->at;
  memmove(source->buffer, source->buffer + source->at, source->end);
  source->at = 0;
  while (source->end < DATA_WORD && !source->ended) {
    char *to = source->buffer + source->end;
    size_t room = BUFFER - source->end;
    ssize_t got = source->unpacker ? source->unpacker->read(source, to, room)
                                   : read_some(source, to, room);
    if (got < 0) return -1;
    source->end += (size_t)got;
    source->ended = !got;
  }
  show_progress(source);
  return 0;
}

int data_next_word(struct data_source *source) {
  for (;;) {
    if (data_need(source)) return -1;
    while (source->at < source->end && (source->buffer[source->at] == ' ' ||
                                        source->buffer[source->at] == '\t'))
      source->at++;
    if (data_need(source)) return -1;
    if (source->at == source->end) return 0;
    const char *word = source->buffer + source->at;
    if (*word == ' ' || *word == '\t') continue;
    if (*word == '\r') return source->end - source->at > 1 && word[1] != '\n';
    return *word != '\n';
  }
}

int data_at_end(struct data_source *source) {
  if (data_need(source)) return -1;
  return source->at == source->end;
}

static bool ends_word(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Where the word here ends. */
static size_t word_end(const struct data_source *source) {
  size_t end = source->at;
  while (end < source->end && end - source->at < DATA_WORD &&
         !ends_word(source->buffer[end]))
    end++;
  return end;
}

/* The word here, for a message: printable, and not too long. */
static const char *shown(const struct data_source *source, char text[40]) {
  size_t length = word_end(source) - source->at, most = 32;
  bool stray = source->at < source->end && source->buffer[source->at] == '\r';
  if (!length && stray) length = 1; /* a CR without LF */
  for (size_t i = 0; i < length && i < most; i++) {
    char c = source->buffer[source->at + i];
    text[i] = c > ' ' && c <= '~' ? c : '?';
  }
  strcpy(text + (length < most ? length : most), length > most ? "..." : "");
  return text;
}

int data_end_line(struct data_source *source) {
  char text[40];
  int more = data_next_word(source);
  if (more < 0) return -1;
  if (more)
    return data_refuse(source, "'%s' is one number too many; %s",
                       shown(source, text), source->expected);
  if (source->at < source->end && source->buffer[source->at] == '\r')
    source->at++;
  if (source->at < source->end) source->at++;
  source->line++;
  return 0;
}

int data_next_line(struct data_source *source) {
  int more;
  while (!(more = data_next_word(source))) {
    if (source->at == source->end) return 0;
    if (data_end_line(source)) return -1;
  }
  return more;
}

static int no_whole_number(struct data_source *source) {
  char text[40];
  const char *word = shown(source, text);
  if (!*text)
    return data_refuse(source, "a number is missing; %s", source->expected);
  return data_refuse(source, "'%s' is not a number that fits here; %s", word,
                     source->expected);
}

static int take_digits(struct data_source *source, bool minus, uint64_t most,
                       uint64_t *value) {
  char text[40];
  const char *digits = source->buffer;
  size_t first = source->at + minus, at = first;
  uint64_t sum = 0;
  bool over = false;
  for (; at < source->end && digits[at] >= '0' && digits[at] <= '9'; at++) {
    unsigned digit = (unsigned)(digits[at] - '0');
    if (__builtin_mul_overflow(sum, 10, &sum)) over = true;
    if (__builtin_add_overflow(sum, digit, &sum)) over = true;
    if (at - first >= DATA_WORD) break;
  }
  bool ends = at == source->end || ends_word(digits[at]);
  if (at == first || !ends) return no_whole_number(source);
  if (over || sum > most)
    return data_refuse(source, "%s is too large; the maximum is %llu",
                       shown(source, text), (unsigned long long)most);
  source->at = at;
  *value = sum;
  return 0;
}

int data_take_u64(struct data_source *source, uint64_t *value) {
  if (data_next_word(source) < 0) return -1;
  return take_digits(source, false, UINT64_MAX, value);
}

int data_take_i64(struct data_source *source, int64_t *value) {
  uint64_t size;
  if (data_next_word(source) < 0) return -1;
  bool minus = source->at < source->end && source->buffer[source->at] == '-';
  if (take_digits(source, minus, INT64_MAX, &size)) return -1;
  *value = minus ? -(int64_t)size : (int64_t)size;
  return 0;
}

static int take_double(struct data_source *source, double *value) {
  char text[40], *word = source->buffer + source->at, *end;
  size_t at = word_end(source), length = at - source->at;
  /* strtod() would take hexadecimal, infinities and NaN, by these letters. */
  bool plain = length && length < DATA_WORD && !memchr(word, '\0', length);
  char after = source->buffer[at];
  source->buffer[at] = '\0'; /* there is room */
  plain = plain && !strpbrk(word, "xXnNiIpP");
  *value = plain ? strtod(word, &end) : NAN;
  plain = plain && end == word + length;
  source->buffer[at] = after;
  if (!plain)
    return length ? data_refuse(source, "'%s' is not a finite number; %s",
                                shown(source, text), source->expected)
                  : no_whole_number(source);
  if (isinf(*value))
    return data_refuse(source, "%s is too large for a double",
                       shown(source, text));
  source->at = at;
  return 0;
}

int data_push_double(struct data_source *source, struct data_array *array) {
  union {
    double number;
    uint64_t item;
  } value;
  if (data_next_word(source) < 0 || take_double(source, &value.number))
    return -1;
  return data_push(source, array, value.item);
}

/* No items of `bytes` are to be had, though memory would have room. */
static int refused_memory(struct data_source *source, size_t bytes) {
  struct hp_missing missing = {.why = "out of memory", .fix = "a smaller file"};
  hp_address_space_explain(bytes, &missing);
  data_refuse(source, "%s; fix: %s", missing.why, missing.fix);
  errno = ENOMEM;
  return -1;
}

int data_grow(struct data_source *source, struct data_array *array) {
  enum { SMALL = 1 << 20 }; /* numbers, for which nobody is asked */
  size_t room = array->room ? array->room + array->room / 2 : 1024;
  size_t available = room > SMALL ? hp_memory_available() : SIZE_MAX;
  if ((room - array->room) * sizeof(uint64_t) > available)
    return data_refuse(source,
                       "out of memory: only %s is free after the lines up to "
                       "here; use a smaller file",
                       HP_SIZE_SHOWN(available));
  void *items = reallocarray(array->items, room, sizeof(uint64_t));
  if (!items) return refused_memory(source, room * sizeof(uint64_t));
  array->items = items;
  array->room = room;
  return 0;
}

void data_give(struct data_array *array, struct algo_data *part) {
  size_t room = array->count ? array->count : 1;
  part->items = memory_grow(array->items, room, sizeof(uint64_t));
  part->count = array->count;
  *array = (struct data_array){0};
}
