/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/faults/supervise.h -- one run of vat, with inject.so in it.
 *
 * Answers the system calls that the filter asks about, and waits for the
 * command and all that it started.  One run at a time in a process.
 */
#pragma once
#include <stdbool.h>

#include "tests/faults/inject.h"

struct supervised {
  const char *vat, *inject; /* absolute */
  const char *directory;    /* has cwd/, tmp/ and cache/, and gets out, err */
  const char *cache;        /* instead of that cache/, or NULL */
  bool pmu;                 /* sysfs shows it counters; root only */
  struct fault_page *page;
  int page_fd;
};

struct outcome {
  int status;   /* of waitpid() */
  bool hung;    /* killed after SUPERVISE_S */
  bool orphans; /* processes were left after the command, and killed */
  bool asked;   /* there was a filter, where one was needed */
  double seconds;
};

enum { SUPERVISE_S = 20, SUPERVISE_AFTER_S = 5 };

/* Run vat with `argv` (argv[0] is any name).  The page says what is to fail,
 * and what was counted.  -1 with errno where it could not be started. */
int supervise(const struct supervised *how, char **argv,
              struct outcome *outcome);
