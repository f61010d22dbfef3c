/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/counter_backend.h -- one way of reading events: PAPI, or
 * the perf_event_open() system call itself.
 *
 * A backend reads slots; a slot is the sum of a rung's events, counted in user
 * mode for the calling thread.  Each call that fails leaves the slots it had.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "experiments/machine/counter_ladder.h"

/* Why an event cannot be counted.  Of several the last listed is told: it is
 * the nearest to being fixed. */
enum counter_missing {
  MISSING_NONE,
  MISSING_NO_EVENT,    /* the processor has none */
  MISSING_UNKNOWN_CPU, /* vat knows none for the processor */
  MISSING_NO_PAPI,     /* built without it, and nothing else reads this event */
  MISSING_NO_NAME,     /* unknown to libpfm */
  MISSING_REFUSED,     /* the kernel says no, without a better reason */
  MISSING_NO_PERF,     /* a kernel without perf events */
  MISSING_FORBIDDEN,   /* by a filter of system calls */
  MISSING_PARANOID,    /* by kernel.perf_event_paranoid */
  MISSING_NO_PMU,      /* no hardware counters at all */
  MISSING_SILENT,      /* counts 0 where that cannot be */
  MISSING_LOST,        /* did not count all the time */
  MISSING_NOT_FREE,    /* no hardware counter free */
  MISSING_COUNT
};

struct counter_reading {
  uint64_t value;
  bool lost; /* the event was not on a hardware counter all the time */
};

enum { SLOTS_MAX = COUNTERS_MAX };

struct counter_backend {
  const char *name;
  /* A backend without slots; NULL with errno ENOMEM or ENOTSUP. */
  void *(*open)(void);
  void (*close)(void *state);
  /*
   * Add a slot, the next free number, for `rung`.  It is there only if it was
   * started and read once.  Else returns why not.
   */
  enum counter_missing (*add)(void *state, const struct rung *rung);
  void (*drop)(void *state); /* the slot added last */
  /* Count from 0.  Both return 0, or -1 with errno. */
  int (*start)(void *state);
  /* Stop, and read every slot. */
  int (*stop)(void *state, struct counter_reading readings[SLOTS_MAX]);
};

/*
 * An event of the kernel, in user mode, that does not count yet: of the calling
 * thread where `pid` is 0, which shares no hardware counter; else of that
 * process and all that it starts, from when it executes a program.  A file
 * descriptor, or -1 with errno.
 */
int counter_event_open(const struct counter_event *event, pid_t pid);

/* Add what it counted to `reading`.  0, or -1 with errno. */
int counter_event_read(int fd, struct counter_reading *reading);

enum { BACKEND_PAPI, BACKEND_PERF, BACKENDS };

extern const struct counter_backend counter_papi, counter_perf;

/* By BACKEND_ number; NULL for one not built in. */
extern const struct counter_backend *const counter_backends[BACKENDS];

/* What decides which counters there can be, apart from trying. */
struct counter_site {
  struct cpu_id cpu;
  const struct cpu_arch *arch; /* NULL: not in the table */
  bool pmu;                    /* the kernel shows a PMU of the processor */
  int paranoid;                /* kernel.perf_event_paranoid; -2: unknown */
  bool may_perf;               /* CAP_PERFMON or CAP_SYS_ADMIN */
  void (*exercise)(void);      /* makes every always_counts event count */
  /* Hardware events that count at once, where more than those can be started
   * and stay at 0; SIZE_MAX where that was not seen. */
  size_t events_at_once;
  const struct counter_backend *const *backends;
};

/*
 * Of this machine.  Counts for a moment: a virtual PMU may show more counters
 * than it has, since its host's kernel uses one itself, say.  What finds none
 * there starts, and counts nothing, without an error.
 */
void counter_site_read(struct counter_site *site);

struct counters;

/* counters_open() on a given site: what the tests do. */
struct counters *counters_open_at(const struct counter_site *site,
                                  const char *const *names, size_t count);

/* Fill why and fix of `info` for what is missing at `site`. */
void counter_explain(struct counter_info *info, enum counter_missing missing,
                     const struct counter_site *site);
