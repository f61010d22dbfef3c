/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast the emulated GPU is, and what counting costs.
 *
 *   bench_simt [-r ROUNDS]
 *
 * Plain and counted kernels in turns, on one host thread, with their copies;
 * the least of the rounds.  The bars are of a two-core VM of 2026.  Exits with
 * 1 where one is missed or an answer is wrong. */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "gpu_algos/simt/simt.h"
#include "tests/bench/simt_work.h"

extern const struct simt_work simt_works_emu[], simt_works_counted[];

/* Counting takes at most so many times as long. */
static const double counted_bar = 10;

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + 1e-6 * (double)now.tv_nsec;
}

static double run(const struct simt_work *work) {
  double start = milliseconds();
  const char *wrong = work->run();
  double spent = milliseconds() - start;
  if (wrong || *simt_diagnosis())
    errx(1, "%s: %s%s", work->name, wrong ? wrong : "", simt_diagnosis());
  return spent;
}

static bool measure(size_t i, unsigned rounds) {
  const struct simt_work *work = &simt_works_emu[i];
  double plain = 1e300, counted = 1e300;
  for (unsigned round = 0; round <= rounds; round++) {
    double one = run(work), other = run(&simt_works_counted[i]);
    if (one < plain) plain = one;
    if (other < counted) counted = other;
  }
  bool holds = plain <= work->bar_ms && counted <= counted_bar * plain;
  printf("%-18s %9.1f %9.1f %9.1f %7.1f %s\n", work->name, work->bar_ms, plain,
         counted, counted / plain, holds ? "holds" : "MISSED");
  fflush(stdout);
  return holds;
}

int main(int argc, char **argv) {
  unsigned rounds = 5;
  bool hold = true;
  for (int c; (c = getopt(argc, argv, "r:")) != -1;) {
    if (c == 'r') rounds = (unsigned)strtoul(optarg, NULL, 10);
    if (c == '?' || !rounds) errx(2, "usage: bench_simt [-r ROUNDS]");
  }
  printf("least of %u rounds, in ms\n%-18s %9s %9s %9s %7s\n", rounds, "grid",
         "bar", "plain", "counted", "ratio");
  for (size_t i = 0; simt_works_emu[i].name; i++) hold &= measure(i, rounds);
  return !hold;
}
