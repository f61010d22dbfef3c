/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/proc_lines.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/rules.h"

bool proc_lines_next(struct proc_lines *lines) {
  size_t used = 0;
  for (;; lines->at++) {
    if (lines->at == lines->end) {
      long got = syscall(SYS_read, lines->fd, lines->text, sizeof lines->text);
      if (got <= 0) return false;
      lines->at = 0;
      lines->end = (size_t)got;
    }
    char c = lines->text[lines->at];
    if (c == '\n') break;
    if (used < sizeof lines->line - 1) lines->line[used++] = c;
  }
  lines->at++;
  lines->line[used] = '\0';
  return true;
}

uint64_t proc_lines_number(const char **text) {
  struct rules_word word = {*text, strspn(*text, "0123456789abcdef")};
  *text += word.length;
  return rules_number(&word);
}
