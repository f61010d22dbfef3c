/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/counters.h -- what the hardware counts around a kernel.
 *
 * A quantity (walks completed on 2 MiB pages, cycles, page faults, ...) is
 * looked for down a ladder of events: native name, raw perf encoding, generic
 * perf event, software event.  The first rung that adds *and starts* is used
 * and named; a quantity with no such rung is absent, with the reason and the
 * fix.  Count around whole kernels (>= 1 ms), never single operations.
 * Not thread-safe: counts the calling thread.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "experiments/machine/counter_info.h"

struct counters;

/* Counts that no processor makes: those of an emulator. */
struct counter_source {
  /* The i-th quantity, or NULL past the end. */
  const struct counter_info *(*known)(size_t index);
  const char *const *usual; /* names of those taken where none are named */
  void (*start)(void);      /* count from 0 */
  void (*read)(uint64_t values[]); /* one for each that is known */
  const char *why, *fix;           /* instead of both, where all are absent */
};

/*
 * Open the counters named in `names` (NULL: all known, or the usual ones of a
 * source) of `source` (NULL: the processor).  Quantities that are absent here
 * stay in the set, marked so: NULL is a bad name (EINVAL).  `count` names;
 * ignored when names is NULL.
 */
struct counters *counters_open(const struct counter_source *source,
                               const char *const *names, size_t count);
void counters_close(struct counters *counters); /* NULL is fine */

/* None of them counts here: all are absent, for this reason. */
void counters_deny(struct counters *counters, const char *why, const char *fix);

size_t counters_count(const struct counters *counters);
const struct counter_info *counters_info(const struct counters *counters,
                                         size_t index);

/* Count from now; then stop and read one value per quantity (0 if absent). */
int counters_start(struct counters *counters);
int counters_stop(struct counters *counters, uint64_t values[COUNTERS_MAX]);

/* Quantities that a source (NULL: the processor) knows, without opening any:
 * the i-th, or NULL past the end. */
const struct counter_info *counters_known(const struct counter_source *source,
                                          size_t index);
