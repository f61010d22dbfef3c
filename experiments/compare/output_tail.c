/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/compare/supervisor.h"

/* The largest pipe that any user may make: fewer wake-ups of the reader. */
enum { PIPE_BYTES = 1 << 20 };

int output_tail_init(struct output_tail *tail, int *writer, int copy) {
  int ends[2];
  *tail = (struct output_tail){.fd = -1, .copy = copy};
  tail->text = malloc(2 * (size_t)OUTPUT_TAIL);
  if (!tail->text || pipe2(ends, O_CLOEXEC)) return -1;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
  tail->fd = ends[0];
  *writer = ends[1];
  return 0;
}

void output_tail_fini(struct output_tail *tail) {
  if (tail->fd >= 0) close(tail->fd);
  free(tail->text);
}

static void show(int copy, const char *text, size_t count) {
  while (count) {
    ssize_t put = write(copy, text, count);
    if (put < 0 && errno != EINTR) return;
    if (put < 0) continue;
    text += put;
    count -= (size_t)put;
  }
}

void output_tail_drain(struct output_tail *tail) {
  while (tail->fd >= 0) {
    if (tail->used == 2 * (size_t)OUTPUT_TAIL) {
      tail->used = OUTPUT_TAIL;
      memcpy(tail->text, tail->text + OUTPUT_TAIL, OUTPUT_TAIL);
    }
    ssize_t got = read(tail->fd, tail->text + tail->used,
                       2 * (size_t)OUTPUT_TAIL - tail->used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      close(tail->fd);
      tail->fd = -1;
      return;
    }
    if (tail->copy >= 0) show(tail->copy, tail->text + tail->used, (size_t)got);
    tail->used += (size_t)got;
  }
}

/* Lines from the last, each ended by a NUL in place of its newline; a carriage
 * return, by which progress is drawn, ends one, too.  False: no more. */
static bool previous_line(struct output_tail *tail, size_t *end, char **line) {
  if (!*end) return false;
  size_t start = *end - 1; /* the place of its newline, or past the text */
  tail->text[start] = '\0';
  while (start && !strchr("\n\r", tail->text[start - 1])) start--;
  *line = tail->text + start;
  *end = start;
  return true;
}

/* One past the newline of the last line. */
static size_t last_end(struct output_tail *tail) {
  if (!tail->used) return 0;
  if (tail->text[tail->used - 1] == '\n') return tail->used;
  if (tail->used == 2 * (size_t)OUTPUT_TAIL) tail->used--;
  tail->text[tail->used] = '\n';
  return tail->used + 1;
}

static bool read_number(const char *text, size_t length, double *value) {
  char copy[64], *end;
  if (!length || length >= sizeof copy) return false;
  memcpy(copy, text, length);
  copy[length] = '\0';
  *value = strtod(copy, &end);
  return end != copy && !*end && isfinite(*value);
}

/* The last match in a line. */
static bool match(const regex_t *regex, const char *line, double *value) {
  regmatch_t groups[2];
  bool found = false;
  for (int flags = 0; !regexec(regex, line, 2, groups, flags);
       flags = REG_NOTBOL) {
    if (groups[1].rm_so >= 0 &&
        read_number(line + groups[1].rm_so,
                    (size_t)(groups[1].rm_eo - groups[1].rm_so), value))
      found = true;
    if (groups[0].rm_eo == 0) break; /* an empty match would not move on */
    line += groups[0].rm_eo;
  }
  return found;
}

bool output_tail_metric(struct output_tail *tail, const regex_t *regex,
                        double *value) {
  char *line;
  for (size_t next = last_end(tail); previous_line(tail, &next, &line);) {
    if (match(regex, line, value)) return true;
    line[strlen(line)] = '\n';
  }
  return false;
}

void output_tail_last_line(struct output_tail *tail, char *line, size_t size) {
  size_t next = last_end(tail);
  char *last;
  *line = '\0';
  while (!*line && previous_line(tail, &next, &last)) {
    snprintf(line, size, "%s", last);
    last[strlen(last)] = '\n';
  }
}
