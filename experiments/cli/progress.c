/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static bool on_screen;

uint64_t progress_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

double progress_now_s(void) { return 1e-9 * (double)progress_now_ns(); }

void progress_init(struct progress *progress) {
  *progress = (struct progress){
      .on_terminal = isatty(STDERR_FILENO) == 1,
      .start_s = progress_now_s(),
  };
}

static void draw_bar(double done, const char *left, const char *label) {
  enum { WIDTH = 24 };
  char bar[WIDTH + 1];
  for (int i = 0; i < WIDTH; i++) bar[i] = i < done * WIDTH ? '#' : '.';
  bar[WIDTH] = '\0';
  fprintf(stderr, "\r[%s] %3.0f %%  %s left  %-32.32s\033[K", bar, 100 * done,
          left, label);
  fflush(stderr);
  on_screen = true;
}

void progress_draw(struct progress *progress, double done, double left_s,
                   const char *label) {
  bool bar = progress->on_terminal;
  double now = progress_now_s();
  if (now - progress->start_s < (bar ? 2 : PROGRESS_LOG_S) ||
      now - progress->last_s < (bar ? 0.1 : PROGRESS_LOG_S))
    return;
  progress->last_s = now;
  progress->drawn = bar;
  if (!(done >= 0)) done = 0;
  if (done > 1) done = 1;
  char left_text[24] = "-:--";
  unsigned left = left_s > 0 && left_s < 1e6 ? (unsigned)(left_s + 0.5) : 0;
  if (!isnan(left_s))
    snprintf(left_text, sizeof left_text, "%u:%02u", left / 60, left % 60);
  if (bar)
    draw_bar(done, left_text, label);
  else if (isnan(left_s))
    fprintf(stderr, "vat: running for %.0f s: %s\n", now - progress->start_s,
            label);
  else
    fprintf(stderr, "vat: %.0f %% done, %s left: %s\n", 100 * done, left_text,
            label);
}

void progress_draw_part(struct progress *progress, double done, double since_s,
                        const char *label) {
  double spent = progress_now_s() - since_s;
  if (done > 0) progress_draw(progress, done, spent * (1 - done) / done, label);
}

void progress_clear(struct progress *progress) {
  if (progress->drawn) progress_clear_line();
  progress->drawn = false;
}

void progress_clear_line(void) {
  if (!on_screen) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  on_screen = false;
}
