/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_bounds SECONDS [SEED]: random requests to `vat predict` for so long, a
 * table of how many there were of each algorithm and policy, and exit status 1
 * if one is outside its bounds: `make check-bounds`. */
#include <config.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "experiments/cli/command.h"
#include "experiments/cli/numbers.h"
#include "experiments/cli/progress.h"
#include "tests/bounds/random_bounds.h"

enum { LG_OPERATIONS = 17 /* 0.1 s at most */ };

static void print_count(const char *algo, const char *policy,
                        const struct random_bounds_count *count) {
  printf("%-20s  %-6s  %9" PRIu64 "  %8" PRIu64 "  %10" PRIu64 "\n", algo,
         policy, count->cases, count->open, count->violations);
}

static void print_table(const struct random_bounds *all) {
  printf("%-20s  %-6s  %9s  %8s  %10s\n", "algorithm", "policy", "cases",
         "no upper", "violations");
  for (size_t i = 0; i < all->forms; i++)
    for (size_t p = 0; p < RANDOM_BOUNDS_POLICIES; p++)
      print_count(predict_forms[i].algo, random_bounds_policies[p],
                  &all->counts[i][p]);
  struct random_bounds_count sum = random_bounds_sum(all);
  print_count("all", "", &sum);
}

/* Until the time is over; an exit code. */
static int draw(struct random_bounds *all, double seconds) {
  struct progress progress;
  progress_init(&progress);
  for (double spent = 0; spent < seconds;
       spent = progress_now_s() - progress.start_s) {
    if (random_bounds_draw(all)) return VAT_FAILED;
    progress_draw_part(&progress, spent / seconds, progress.start_s,
                       "random cases of bounds");
  }
  progress_clear(&progress);
  return random_bounds_sum(all).violations ? VAT_FAILED : VAT_OK;
}

int main(int argc, char **argv) {
  struct random_bounds all;
  uint64_t seed = (uint64_t)time(NULL);
  double seconds;
  if (argc < 2 || argc > 3 || real_parse(argv[1], &seconds) ||
      (argc == 3 && whole_number_parse(argv[2], &seed))) {
    fputs("usage: check_bounds SECONDS [SEED]\n", stderr);
    return VAT_USAGE;
  }
#ifndef HAVE_STREAMS
  return fail(VAT_ABSENT, "this vat was built without address streams");
#endif
  printf("seed %" PRIu64 "\n", seed);
  fflush(stdout);
  random_bounds_init(&all, seed, LG_OPERATIONS);
  int code = draw(&all, seconds);
  print_table(&all);
  free(all.counts);
  return code;
}
