/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/launch_request.h -- run a program once and read what it
 * took: what is run, how, and what came of it.
 *
 * A process of ours, the supervisor, stands between vat and the program: it
 * is the subreaper of all that the program starts and ends it whatever happens,
 * also to vat; it drains the program's output, and looks at its memory: when a
 * process is about to exit, stopped there by ptrace, and in between by /proc.
 * The program is in a session of its own, so it cannot take the terminal.
 */
#pragma once
#include <regex.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiments/compare/backing.h"
#include "experiments/machine/counter_ladder.h"

struct launch {
  const char *path; /* executed; argv[0] need not be it */
  char *const *argv;
  char *const *environment;
  bool forbid_thp;       /* PR_SET_THP_DISABLE */
  bool collapse;         /* make huge pages from outside */
  size_t sized_bytes;    /* of transparent huge pages to look for; 0: none */
  bool trace;            /* stop processes as they exit */
  bool trace_threads;    /* and threads, for the processes that they start */
  bool closely;          /* look at memory often, whatever that costs */
  bool chosen;           /* a part of it was chosen: at_peak is of when most was
                            on huge pages, which may be before or after */
  int pin;               /* processor of all its threads; -1: any */
  const char *input;     /* standard input; NULL: /dev/null */
  bool show_output;      /* on standard error */
  const regex_t *metric; /* looked for in its output; NULL: nothing is */
  const struct counters *counters; /* which count of it what they can */
  sigset_t mask;                   /* signals it starts with blocked */
};

enum { LAUNCH_WORDS = 160 };

struct launch_result {
  int error;  /* errno of a program that could not be started, or 0 */
  int status; /* as wait(2) has it */
  bool interrupted;
  double wall_s, user_s, sys_s;
  uint64_t minor_faults, major_faults;
  size_t peak_bytes;      /* most at a time, hugetlb pages too; memory that
                             processes share counts once */
  size_t peak_private;    /* anonymous or hugetlb, as sampled; 0: never was */
  bool traced;            /* stopped at exits; else `exit` is empty */
  int trace_error;        /* why not, an errno; 0: was not asked to */
  uint64_t stops;         /* of traced processes and threads, for anything */
  uint64_t thread_stops;  /* of which only since threads are traced, too */
  bool threads_fork;      /* a thread but the first started a process */
  struct backing at_exit; /* of all processes, each at its end */
  struct backing at_peak; /* of those alive when memory was seen at its most */
  size_t left_behind;     /* processes that outlived it, and were ended */
  bool refused_thp;       /* the program switched huge pages off itself */
  bool has_metric;
  double metric;
  char last_words[LAUNCH_WORDS]; /* last line of its standard error */
  double counts[QUANTITY_COUNT]; /* NAN: absent */
};

/* By this signal of `vat` the supervisor stops the run, also by its death.  One
 * that queues: another's would merge with one that the program sends. */
#define LAUNCH_STOP SIGRTMIN

/*
 * Run it and wait.  `tick`, if not NULL, is called some ten times a second; a
 * nonzero return stops the run, with `interrupted` set.  Returns 0, or -1 with
 * errno where there could be no supervisor, or it was killed (EIO).
 */
int launch(const struct launch *launch, struct launch_result *result,
           int (*tick)(void *context), void *context);
