/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/spelling.h"

#include <stdio.h>
#include <string.h>

enum { LENGTH_MOST = 40 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Optimal string alignment: the insertions, deletions, replacements and swaps
 * of neighbours that make b of a; no letter is touched twice. */
static size_t count_errors(const char *a, const char *b) {
  size_t rows[3][LENGTH_MOST + 1], *before = rows[0], *last = rows[1],
                                   *now = rows[2], n = strlen(b);
  for (size_t j = 0; j <= n; j++) last[j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    now[0] = i;
    for (size_t j = 1; j <= n; j++) {
      now[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]),
                     least(last[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = least(now[j], before[j - 2] + 1);
    }
    size_t *oldest = before;
    before = last;
    last = now;
    now = oldest;
  }
  return last[n];
}

void spelling_offer(struct spelling *s, const char *name) {
  size_t length = strlen(s->typed);
  if (!length || length > LENGTH_MOST || strlen(name) > LENGTH_MOST) return;
  size_t errors = length >= 3 && !strncmp(name, s->typed, length)
                      ? 1
                      : count_errors(s->typed, name);
  if (errors > (length + 2) / 4 || (s->nearest && errors >= s->errors)) return;
  s->nearest = name;
  s->errors = errors;
}

const char *spelling_hint(struct spelling *s) {
  if (s->nearest)
    snprintf(s->hint, sizeof s->hint, "did you mean %s%s? ",
             s->before ? s->before : "", s->nearest);
  return s->hint;
}
