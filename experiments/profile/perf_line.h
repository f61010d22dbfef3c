/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/perf_line.h -- a line of `perf script` about a sampled
 * access.
 *
 * perf prints the fields that -F names in an order of its own, without their
 * names:
 *
 *     comm pid/tid [cpu] time: period event: addr data_src weight ip sym (dso)
 *     data_page_size
 *
 * The time and the event end in a colon, and one of them has to be there: what
 * is before and behind it follows.  Needed are period, addr and ip.  Columns of
 * numbers are aligned to the right, and one blank is before a symbol, which
 * tells a function called `add` from a number.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum perf_line_kind {
  PERF_LINE_BAD,
  PERF_LINE_EMPTY, /* a comment, a blank line or another record */
  PERF_LINE_LOST,  /* perf tells that it lost samples */
  PERF_LINE_SAMPLE
};

/* Beyond that a period is no number of accesses. */
#define PERF_PERIOD_MOST (UINT64_C(1) << 44)

struct perf_line {
  uint64_t period, address, ip, tid; /* tid 0: not told */
  bool large;                        /* data_page_size is more than 4K */
  const char *symbol, *object;       /* in the line; not told: length 0 */
  size_t symbol_length, object_length;
};

/* The line at `text`, which ends in '\n'.  Where it is bad, `*why` says what is
 * wrong. */
enum perf_line_kind perf_line_parse(const char *text, struct perf_line *line,
                                    const char **why);
