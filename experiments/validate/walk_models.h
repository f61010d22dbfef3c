/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/walk_models.h -- the models that the literature on
 * virtual memory predicts running times by.
 *
 * Each knows what a program takes on base pages, some also what it takes with
 * all memory on 2 MiB pages, and tells its time for misses M and walks C in
 * between.  They were made for counted cycles of walks; here C is the time
 * in which walks go on, from a profile and a calibration.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* A program on some pages. */
struct walk_state {
  double user_s; /* all that it takes; NAN: not measured */
  double misses; /* of the TLB */
  double walk_s; /* of its walks */
  double hit_s;  /* of what the second TLB has for the first */
};

/* What a model may know, and where it is to tell the time of. */
struct walk_case {
  struct walk_state base, larger; /* all of it */
  struct walk_state here;         /* its user_s is not looked at */
};

struct walk_model {
  const char *name; /* "basu", in JSON */
  const char *title;
  bool measured; /* needs the time on larger pages, too */
  double (*user_s)(const struct walk_case *of);
};

/* Ended by a NULL name. */
extern const struct walk_model walk_models[];

/*
 * Mosmodel: a polynomial of degree 3 in C and M, fitted to measured layouts of
 * the same program by least squares with a penalty on the sum of coefficients
 * (Lasso), so that few layouts make no wild one.  `known` has `count` states,
 * whose user_s are measured.  NAN: there are too few, or all are alike.
 */
enum { WALK_MODEL_STATES = 4 /* at least */ };
double walk_model_fitted(const struct walk_state *known, size_t count,
                         const struct walk_state *here);
