/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the control and the intervals say about the measurement itself. */
#include <math.h>

#include "experiments/compare/comparison.h"

/* Larger pages are worth 5 % or more, or hardly the trouble. */
static const double enough = 0.05;

bool comparison_is_steady(const struct comparison *c) {
  double control = c->control[FIGURE_USER].median;
  return isnan(control) || fabs(control - 1) <= enough;
}

/* Those that were run, of which the last may have been cut short. */
static double rounds_run(const struct comparison *c) {
  return ceil((double)c->count / (double)c->arms.count);
}

/* An interval narrows as the square root of the rounds.  That some of them gave
 * no pair will be so in others, too. */
uint32_t comparison_rounds(const struct comparison *c,
                           const struct outcome *outcome) {
  const struct ratio *user = &outcome->ratio[FIGURE_USER];
  double half = (user->hi - user->lo) / 2;
  if (isnan(half) || half <= enough) return 0;
  double rounds = rounds_run(c) * pow(half / enough, 2);
  return rounds < UINT32_MAX ? (uint32_t)ceil(rounds) : UINT32_MAX;
}

static uint32_t most_rounds(const struct comparison *c) {
  uint32_t most = 0;
  for (size_t i = 0; i < c->outcome_count; i++) {
    uint32_t rounds = comparison_rounds(c, &c->outcomes[i]);
    if (rounds > most) most = rounds;
  }
  return most;
}

void comparison_advise(FILE *out, const struct comparison *c) {
  uint32_t rounds = most_rounds(c);
  if (!comparison_is_steady(c))
    fprintf(out,
            "base pages differ from themselves by %.0f %% in user time, so "
            "that ratios of it are not to be relied on; mend: more rounds, or "
            "a quieter machine\n",
            100 * fabs(c->control[FIGURE_USER].median - 1));
  if (rounds)
    fprintf(out,
            "user ratios are not known to %.0f %%; if it stays as noisy, "
            "--runs %u would do\n",
            100 * enough, rounds);
}
