/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/validate/validate_fixture.h -- rows and costs made by hand.
 */
#pragma once
#include "experiments/validate/judge.h"

enum { VALIDATE_FIXTURE_ROWS = 64, VALIDATE_FIXTURE_CACHE = 1 << 16 };

/* Memory is not told apart: sizes up to the median one are fitted. */
extern const struct points_sizes validate_fixture_sizes;

struct validate_fixture {
  struct summary rows[VALIDATE_FIXTURE_ROWS];
  size_t count;
};

void validate_fixture_init(struct validate_fixture *f);

/* A row of so many ns an operation, to be changed; "4k" are base pages. */
struct summary *validate_fixture_add(struct validate_fixture *f,
                                     const char *algo, const char *pages,
                                     uint64_t n, double ns);

/* Rows of 2^12 - 2 and 2^12 .. 2^19 elements on base pages, and of the least,
 * 2^13 and 2^16 on "thp". */
void validate_fixture_program(struct validate_fixture *f, const char *algo);

/* Points of all rows with costs that grow from the cache on, each program's in
 * its own way, and each term of FULL's, too; measured is what `model` with
 * `truth` predicts. */
void validate_fixture_points(struct validate_fixture *f, struct points *points,
                             enum model_place model, struct fitted truth);
