/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/command.h -- how a subcommand of vat ends and fails. */
#pragma once

/* Exit codes: a stable contract, the same for every subcommand. */
enum {
  VAT_OK = 0,
  VAT_FAILED = 1, /* a check or validation failed */
  VAT_USAGE = 2,  /* bad usage or bad input */
  VAT_ABSENT = 3, /* this machine does not have what was asked for */
};

/* Print "vat: ..." and a newline to stderr; returns `code` for returning on. */
int fail(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What a user typed or a file says, before it is printed: it must neither steer
 * the terminal nor pass for a line of its own. */
void fail_tame(char *text);
/* What to exit with where a call failed with `error`: memory, processes and
 * open files are what the machine does not have; for all else a file is to
 * blame. */
int fail_code(int error);
/* Of what could not be written, by errno. */
int fail_write(const char *what);
/* Where /proc/self/exe is not to be found. */
int fail_without_proc(void);
