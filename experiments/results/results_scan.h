/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/results_scan.h -- a results file, record by record.
 *
 * Nothing in a file is trusted: lines are bounded, every key is checked, and
 * text that ends up in a message is made printable.
 */
#pragma once
#include <stdio.h>

#include "experiments/results/results.h"

/* A sample is under 1 KiB, a machine under 16 KiB and a plan some 10 bytes a
 * size: what is longer than this is not ours, and must not fill the memory. */
enum { RESULTS_LINE_MOST = 1 << 20 };

enum results_kind {
  RESULTS_MACHINE,
  RESULTS_PLAN,
  RESULTS_SAMPLE,
  RESULTS_SIMULATED,
  RESULTS_CANARY,
  RESULTS_OTHER, /* added later, which does not change what samples mean */
};

struct results_scan {
  const char *path;
  char *error;
  FILE *file;
  long good;  /* bytes of whole lines */
  bool cut;   /* half a line is left at the end */
  bool begun; /* by a machine */
  /* Of the record: its line as it stands in the file, without its newline, of
   * up to RESULTS_LINE_MOST bytes; where that begins, and its number from 1. */
  char *line;
  size_t length;
  long offset, number;
  enum results_kind kind;
  json_t *json;
  /* The one of its kind. */
  struct sample sample;
  struct simulated simulated;
  struct results_canary canary;
};

/* `path` and `error` must outlive the scan.  NULL, as results_read() fails. */
struct results_scan *results_scan_open(const char *path,
                                       char error[RESULTS_ERROR_SIZE]);
void results_scan_close(struct results_scan *scan); /* NULL is fine */

/*
 * Go to the next record, which stays until the next call.  1, or 0 behind the
 * last whole line, or -1 with `error` filled and errno.  The first record is a
 * machine of this schema.
 */
int results_scan_next(struct results_scan *scan);

/* Go on with the line that begins at `offset`, in place of the next one, and
 * has that number. */
int results_scan_seek(struct results_scan *scan, long offset, long number);

/* Fill `error` by "FILE:LINE: ..."; without the line where it is 0.  Sets errno
 * to `code`; -1. */
int results_scan_refuse(struct results_scan *scan, int code, long line,
                        const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* At the end of a file that has no machine: is it one of ours, cut off?  As
 * above, with EINVAL or ENODATA. */
int results_scan_refuse_empty(struct results_scan *scan);
