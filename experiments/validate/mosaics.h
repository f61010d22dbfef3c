/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/mosaics.h -- layouts of the same program's memory, as
 * `vat compare --plan` measured them, and what each model told of them.
 *
 * A layout has some memory on larger pages, a mosaic (Agbarya et al. 2020).
 * What is compared is its user time to that on base pages.  vat's prediction is
 * that of the plan; and once more, with all savings scaled to what all memory
 * on larger pages most likely saves, as that was measured, too.
 */
#pragma once
#include <jansson.h>
#include <stdio.h>

enum { MOSAIC_MODELS = 8, MOSAIC_NAME = 80 };

/* A layout; ratios, NAN: not known. */
struct mosaic {
  char program[MOSAIC_NAME], layout[MOSAIC_NAME];
  double bytes; /* on larger pages */
  double measured, lo, hi;
  double told[MOSAIC_MODELS];
  double told_lo, told_hi; /* of vat's */
};

/* How far a model is off: differences of ratios. */
struct mosaic_score {
  const char *name, *title;
  const char *from; /* what it needs to know of the program */
  size_t rows;
  double median, p95, worst; /* NAN: it told none */
};

/* What models are off by in the layouts of one program, in the median. */
struct mosaic_program {
  size_t first, count; /* rows */
  double control;      /* base pages against themselves; NAN: not measured */
  double median[MOSAIC_MODELS]; /* NAN: it told none */
};

struct mosaics {
  struct mosaic *row; /* by program */
  size_t count;
  struct mosaic_program *program;
  size_t programs;
  struct mosaic_score score[MOSAIC_MODELS];
  struct mosaic_score control; /* base pages against themselves */
  size_t inside, intervals;    /* measured within vat's interval */
  size_t inside_both;          /* joined with that of what was measured */
  size_t without;              /* rows that are not in the scores */
};

/* Of files that `vat compare --plan --json` printed.  0; or -1 with errno and a
 * sentence.  mosaics_fini() in any case. */
int mosaics_read(struct mosaics *mosaics, const char *const *paths,
                 size_t count, char *error, size_t error_size);
void mosaics_print(FILE *out, const struct mosaics *mosaics);
/* The caller owns it. */
json_t *mosaics_to_json(const struct mosaics *mosaics);
void mosaics_fini(struct mosaics *mosaics); /* zeroed is fine */
