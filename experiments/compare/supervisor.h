/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/supervisor.h -- the parts of the process that runs a
 * program: the program from fork to exec, its output, and looks at its memory.
 */
#pragma once
#include "experiments/compare/launch_request.h"

/* --- child.c --- */

/* It waits, ready in everything, until it is told to execute the program: then
 * the clock starts. */
struct child {
  pid_t pid;
  int out, err;   /* its standard output and error */
  int go, failed; /* pipes: a byte tells it to go; its errno if it cannot */
};

/* `child` has out and err.  -1 with errno. */
int child_fork(struct child *child, const struct launch *launch);

/* Let it go.  0 once the program runs, or -1 with errno where it cannot. */
int child_exec(struct child *child);

/* --- output_tail.c: drained so that the program never waits; a pipe, since
 * some programs stop early when they see /dev/null.  The end is kept. --- */

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

/* --- watch.c: looking costs the program time where both share a processor or
 * the lock of its address space, so that the time spent is kept below a share
 * of the run. --- */

struct watch {
  struct launch_result *result;
  bool collapse, closely, chosen;
  size_t sized_bytes;          /* of the pages to look for; 0: none */
  struct hp_thp_faults faults; /* for such pages, before the run */
  double start_s, next_s;
  double spent_s;        /* looking at smaps, on a run not stopped for it */
  double look_s;         /* what the last look at smaps took */
  double stopped_s;      /* for which processes stood still to be looked at */
  size_t seen_bytes;     /* the most that smaps were read of, */
  size_t seen_anonymous; /* and of it, what can be huge */
};

void watch_begin(struct watch *watch, struct launch_result *result,
                 const struct launch *launch);

/* Milliseconds until the next sample is due, for poll(2). */
int watch_timeout_ms(const struct watch *watch);

/* Take a sample of all descendants, if one is due. */
void watch_sample(struct watch *watch);

/* `pid` stands still, about to exit: look at it for the last time. */
void watch_exit(struct watch *watch, pid_t pid);

/* Look at the descendants that are alive at the end of the run. */
void watch_end(struct watch *watch);
