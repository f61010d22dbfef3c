/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of the report share: a hostile results file, and a look into
 * the directory of a report. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "experiments/results/results.h"
#include "tests/experiments/scratch.h"

/* Write a file in which every string is hostile to HTML, gnuplot and CSV, and
 * its path into `path`. */
void report_fixture_evil(struct scratch *scratch, char *path, size_t size);

/* Why figures cannot be drawn here, or NULL: a suite's skip. */
const char *report_fixture_no_gnuplot(void);

bool report_fixture_has(const struct scratch *scratch, const char *name);
size_t report_fixture_files(const struct scratch *scratch); /* how many */

/* report_write() of several files. */
int report_fixture_write(const char *const *results_paths, size_t count,
                         const char *dir, char error[RESULTS_ERROR_SIZE]);
