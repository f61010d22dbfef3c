/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/trace_pump.h -- from the tool's pipe into trace files.
 *
 * The first process's accesses go to the file asked for, those of another to
 * FILE.PID; those of a processor that only a further thread runs on, which has
 * translation caches of its own, to FILE.PID.N.  They come in parcels
 * (experiments/valgrind/trace_pipe.h).
 */
#pragma once
#include "experiments/profile/valgrind.h"

struct trace_pump;

/* A pipe in its directory, which it makes, for other users as well if that is
 * shared.  An exit code, and then no pump. */
int trace_pump_create(struct trace_pump **made, const struct valgrind *valgrind,
                      const char *file);
int trace_pump_fd(const struct trace_pump *pump);
/* Take what there is.  An exit code. */
int trace_pump_take(struct trace_pump *pump);
/* Complete the files.  An exit code. */
int trace_pump_finish(struct trace_pump *pump);
/* The process whose accesses are in FILE; 0: there was none. */
unsigned trace_pump_first(const struct trace_pump *pump);
void trace_pump_destroy(struct trace_pump *pump); /* NULL is fine */
