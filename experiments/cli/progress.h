/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/progress.h -- a progress bar with the time left.
 *
 * On a terminal it is drawn after two seconds, at most ten times a second.
 * Elsewhere, as in a log, a line is printed every PROGRESS_LOG_S seconds.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_LOG_S = 30 };

struct progress {
  bool on_terminal;
  bool drawn;
  double start_s, last_s;
};

uint64_t progress_now_ns(void); /* of a monotonic clock */
double progress_now_s(void);

void progress_init(struct progress *progress);
/* done in 0..1; `left_s` is the estimated time left, in seconds; NAN: nobody
 * knows yet. */
void progress_draw(struct progress *progress, double done, double left_s,
                   const char *label);
/* The same for work of one kind that began at `since_s`: the time left follows.
 * Nothing is drawn where `done` is not above 0. */
void progress_draw_part(struct progress *progress, double done, double since_s,
                        const char *label);
void progress_clear(struct progress *progress); /* before printing a line */
void progress_clear_line(void);                 /* whichever is drawn */
