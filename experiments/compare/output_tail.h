/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/output_tail.h -- what a program prints, drained so that
 * it never waits, of which the end is kept.
 *
 * A pipe, since some programs stop early when they see /dev/null.
 */
#pragma once
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/* A figure is looked for in so much of the end of an output. */
enum { OUTPUT_TAIL = 1 << 20 };

struct output_tail {
  int fd;     /* read end, not blocking; -1: at its end */
  int copy;   /* where it is shown, too; -1: nowhere */
  char *text; /* 2 * OUTPUT_TAIL bytes */
  size_t used;
};

/* Make the pipe; `*writer` is its other end.  -1 with errno. */
int output_tail_init(struct output_tail *tail, int *writer, int copy);
void output_tail_fini(struct output_tail *tail);

/* Take what is there without waiting.  At its end, closes fd. */
void output_tail_drain(struct output_tail *tail);

/* The number that the first group of `regex` catches in the last line that
 * matches; false where none does or it is no number. */
bool output_tail_metric(struct output_tail *tail, const regex_t *regex,
                        double *value);

/* The last line that is not empty, cut to `size`. */
void output_tail_last_line(struct output_tail *tail, char *line, size_t size);
