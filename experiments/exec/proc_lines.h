/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/proc_lines.h -- text of /proc, a line at a time, without
 * memory of malloc.  What does not fit is cut.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proc_lines {
  int fd;
  size_t at, end;
  char text[4096];
  char line[512];
};

/* Read `line`; false at the end. */
bool proc_lines_next(struct proc_lines *lines);

/* A hexadecimal number, which `*text` is moved behind. */
uint64_t proc_lines_number(const char **text);
