/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/meaning.h -- what the rows mean, in a sentence a program.
 *
 * A sentence is about the size that decides, by the rule in standing.h: which
 * page kinds change the time by more than noise, and by how much; which do not;
 * which could not be judged, and why.  Where that is not the largest size, it
 * adds what that one shows.
 */
#pragma once
#include <stddef.h>
#include <stdio.h>

#include "experiments/report/survey.h"

enum meaning_verdict {
  MEANING_UNKNOWN, /* nothing to compare, or too few repetitions */
  MEANING_OPEN,    /* compared, but too wide to tell, or sizes disagree */
  MEANING_NOISE,   /* no kind is faster, some differ by less than noise */
  MEANING_FASTER,  /* the best kind takes less time */
  MEANING_SLOWER,  /* every kind that could be judged is slower */
};

struct meaning {
  enum meaning_verdict verdict;
  /* Row the verdict rests on: of the least ratio, or of the simplest page kind
   * that ties with it; NULL where the verdict is another. */
  const struct summary *best;
  const struct summary *row; /* the same, or one that was compared; or NULL */
  char text[768];            /* the sentence, without a full stop */
};

void meaning_of(const struct survey *survey, size_t program,
                struct meaning *meaning);

/* The finding over all programs: a title, and what stands out. */
struct meaning_headline {
  char title[256];
  char lead[560];
  bool compared; /* was any program? */
};
void meaning_headline_of(const struct survey *survey,
                         struct meaning_headline *headline);

void meaning_print_headline(FILE *out, const struct summary *rows,
                            size_t count);

/* A line per program. */
void meaning_print(FILE *out, const struct summary *rows, size_t count);
